/**
 * Alertmanagers as Grafana 12.4 serves them below `/api/alertmanager/{uid}/api/v2`: its own, and one that is a data source. Its
 * responses are compared with recorded ones (recorded.test.ts).
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Labels = Record<string, string>;
interface Stored {
  id: string;
  comment: string;
  createdBy: string;
  startsAt: string;
  endsAt: string;
  matchers: { name: string; value: string; isRegex: boolean; isEqual: boolean }[];
}

export class FakeAlertmanager {
  /** Firing alerts of each Alertmanager, by fingerprint. */
  readonly alerts: Record<string, Map<string, Labels>> = { grafana: new Map(), am1: new Map() };
  readonly silences: Record<string, Map<string, Stored>> = { grafana: new Map(), am1: new Map() };
  /** As `POST /api/alertmanager/grafana/api/v2/silences`. */
  readonly requests: string[] = [];
  /** Responds with this status instead, while it is set. */
  status: number | undefined;
  /** UTC milliseconds. */
  now: () => number;
  #created = 0;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** @returns status and body of the response */
  request(method: string, url: string, text = ''): [number, unknown] {
    const { pathname, searchParams } = new URL(url, 'http://grafana');
    this.requests.push(`${method} ${pathname}`);
    if (this.status !== undefined) {
      return [this.status, { message: 'not now' }];
    }
    if (pathname === '/api/datasources') {
      const uids = Object.keys(this.alerts).filter((uid) => uid !== 'grafana');
      return [200, uids.map((uid) => ({ uid, name: 'Alertmanager', type: 'alertmanager' }))];
    }
    const [, uid = '', what, id] = /^\/api\/alertmanager\/([^/]+)\/api\/v2\/(\w+)(?:\/(.+))?$/.exec(pathname) ?? [];
    const silences = this.silences[uid];
    if (silences === undefined) {
      return [404, { message: 'data source not found' }];
    }
    switch (`${method} ${what}`) {
      case 'GET silences':
        return [200, [...silences.values()].map((one) => this.#shown(one))];
      case 'POST silences':
        return this.#save(uid, silences, JSON.parse(text) as Stored);
      case 'GET alerts':
        return [200, this.#alerts(uid, searchParams)];
      default:
        return this.#end(silences, id ?? '');
    }
  }

  /** Serves over HTTP as well. */
  async listen(): Promise<{ url: string; close: () => Promise<void> }> {
    const server = createServer((req, res) => {
      let text = '';
      req.on('data', (chunk: Buffer) => (text += chunk.toString()));
      req.on('end', () => {
        const [status, body] = this.request(req.method ?? '', req.url ?? '', text);
        res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      async close() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  #save(uid: string, silences: Map<string, Stored>, sent: Stored): [number, unknown] {
    const wrong = sent.matchers.find(({ value, isRegex }) => isRegex && !isExpression(value));
    if (wrong !== undefined) {
      return [400, { message: `invalid silence: invalid regular expression "${wrong.value}"` }];
    }
    const known = silences.get(sent.id);
    const same = known !== undefined && JSON.stringify(known.matchers) === JSON.stringify(sent.matchers);
    const id = same ? sent.id : `silence-${++this.#created}`;
    if (known !== undefined && !same) {
      known.endsAt = new Date(this.now()).toISOString();
    }
    silences.set(id, { ...sent, id });
    return [uid === 'grafana' ? 202 : 200, { silenceID: id }];
  }

  #end(silences: Map<string, Stored>, id: string): [number, unknown] {
    const known = silences.get(id);
    if (known === undefined) {
      return [404, { message: `silence ${id} not found` }];
    }
    known.endsAt = new Date(this.now()).toISOString();
    return [200, { message: 'silence deleted' }];
  }

  #isActive = ({ endsAt }: Stored): boolean => Date.parse(endsAt) > this.now();

  #shown(one: Stored) {
    const { comment, createdBy, endsAt, id, matchers, startsAt } = one;
    const state = this.#isActive(one) ? 'active' : 'expired';
    return { comment, createdBy, endsAt, id, matchers, startsAt, status: { state }, updatedAt: startsAt };
  }

  #alerts(uid: string, query: URLSearchParams): unknown[] {
    const filters = query.getAll('filter').map(parseFilter);
    return [...this.alerts[uid]!].flatMap(([fingerprint, labels]) => {
      const silencedBy = [...this.silences[uid]!.values()]
        .filter((one) => this.#isActive(one) && one.matchers.every((matcher) => matches(matcher, labels)))
        .map(({ id }) => id);
      const state = silencedBy.length > 0 ? 'suppressed' : 'active';
      const shown = state === 'active' ? query.get('active') !== 'false' : query.get('silenced') !== 'false';
      return shown && filters.every((filter) => matches(filter, labels))
        ? [
            {
              annotations: {},
              endsAt: '2026-11-21T11:00:00.000Z',
              fingerprint,
              receivers: [{ name: 'nodebell' }],
              startsAt: '2026-11-21T10:00:00.000Z',
              status: { inhibitedBy: [], silencedBy, state },
              updatedAt: '2026-11-21T10:00:00.000Z',
              generatorURL: 'http://grafana/alerting/grafana/rule1/view',
              labels,
            },
          ]
        : [];
    });
  }
}

function isExpression(text: string): boolean {
  try {
    return Boolean(new RegExp(text));
  } catch {
    return false;
  }
}

function matches({ name, value, isRegex, isEqual }: Stored['matchers'][number], labels: Labels): boolean {
  const label = labels[name] ?? '';
  return (isRegex ? new RegExp(`^(?:${value})$`).test(label) : label === value) === isEqual;
}

function parseFilter(text: string): Stored['matchers'][number] {
  const [, name = '', operator = '', value = ''] = /^("[^"]+"|\w+)(=~|!~|!=|=)(".*")$/s.exec(text)!;
  return {
    name: name.replaceAll('"', ''),
    value: JSON.parse(value) as string,
    isRegex: operator.endsWith('~'),
    isEqual: operator.startsWith('='),
  };
}
