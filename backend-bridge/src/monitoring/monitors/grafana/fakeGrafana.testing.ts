/**
 * The part of Grafana's HTTP API that the bridge uses, as in Grafana 12.4 (pkg/services/ngalert/provisioning, documentation of the
 * provisioning API): storage, provenances, errors. It records all requests. Its responses are compared with recorded ones
 * (recorded.test.ts).
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGrafanaClient, type GrafanaClient } from './client.ts';

export interface Received {
  method: string;
  path: string;
  /** As sent. */
  body?: string;
  headers: Record<string, string>;
}

type Rule = Record<string, unknown> & { uid: string; provenance?: string };

export class FakeGrafana {
  readonly requests: Received[] = [];
  readonly rules = new Map<string, Rule>();
  folders: string[] = [];
  contactPoints: Record<string, unknown>[] = [];
  datasources: object[] = [{ uid: 'prom', type: 'prometheus', isDefault: true }];
  /** uids of rules that it does not create, change or delete. */
  readonly rejects = new Set<string>();
  /** Responds with this status instead, while it is set. */
  status: number | undefined;

  readonly client: GrafanaClient = createGrafanaClient('http://grafana.example/sub/', 'glsa_x', {
    fetchGuarded: (url, _purpose, { method = 'GET', headers = {}, body } = {}) => {
      const path = url.replace('http://grafana.example/sub', '');
      const [status, response] = this.request(method, path, headers, body as string | undefined);
      return Promise.resolve({ url, status, headers: {}, body: Buffer.from(JSON.stringify(response) ?? '') });
    },
  });

  /** @returns status and body of the response */
  request(method: string, path: string, headers: Record<string, string>, body?: string): [number, unknown] {
    this.requests.push({ method, path, headers, ...(body !== undefined && { body }) });
    return this.status === undefined
      ? this.#respond(method, path, headers, body)
      : [this.status, { message: 'not now' }];
  }

  /** Serves over HTTP as well. */
  async listen(): Promise<{ url: string; close: () => Promise<void> }> {
    const server = createServer((req, res) => {
      let text = '';
      req.on('data', (chunk: Buffer) => (text += chunk.toString()));
      req.on('end', () => {
        const headers: Record<string, string> =
          'x-disable-provenance' in req.headers ? { 'X-Disable-Provenance': 'true' } : {};
        const [status, response] = this.request(
          req.method ?? '',
          req.url ?? '',
          headers,
          text === '' ? undefined : text
        );
        res
          .writeHead(status, status === 302 ? { location: '/login' } : {})
          .end(status === 204 ? undefined : JSON.stringify(response));
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

  /** Requests that change something, in order. */
  get changes(): string[] {
    return this.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
  }

  #respond(method: string, path: string, headers: Record<string, string>, text?: string): [number, unknown] {
    const body = text === undefined ? undefined : (JSON.parse(text) as Rule);
    const sent = 'X-Disable-Provenance' in headers ? '' : 'api';
    const uid = path.split('/').at(-1) ?? '';
    switch (`${method} ${path.replace(/[^/]*$/, '')}`) {
      case 'GET /api/':
        return [200, this.datasources];
      case 'GET /api/folders/':
        return this.folders.includes(uid) ? [200, { uid }] : [404, { message: 'folder not found' }];
      case 'POST /api/':
        this.folders.push(String(body?.uid));
        return [200, body];
      case 'GET /api/v1/provisioning/':
        return [200, path.includes('contact-points') ? this.contactPoints : [...this.rules.values()]];
      case 'POST /api/v1/provisioning/':
        return this.#create(path, body!, sent);
      default:
        return this.#change(method, uid, body, sent);
    }
  }

  #create(path: string, body: Rule, provenance: string): [number, unknown] {
    if (path.endsWith('/contact-points')) {
      this.contactPoints.push(body);
      return [202, body];
    }
    if (this.rejects.has(body.uid)) {
      return [400, { message: 'invalid alert rule' }];
    }
    const { folderUID, notification_settings: notify } = body as Rule & { notification_settings: { receiver: string } };
    if (!this.folders.includes(String(folderUID))) {
      return [400, { message: 'folder does not exist' }];
    }
    if (!this.contactPoints.some(({ name }) => name === notify.receiver)) {
      return [400, { message: `receiver '${notify.receiver}' does not exist` }];
    }
    return [201, this.#store(body, provenance)];
  }

  #change(method: string, uid: string, body: Rule | undefined, sent: string): [number, unknown] {
    const stored = this.rules.get(uid);
    if (stored === undefined) {
      return [404, {}];
    }
    const { provenance = '' } = stored;
    if (provenance !== '' && provenance !== sent) {
      return [500, { message: `cannot change provenance from '${provenance}' to '${sent}'` }];
    }
    if (this.rejects.has(uid)) {
      return [400, { message: 'invalid alert rule' }];
    }
    if (method === 'DELETE') {
      this.rules.delete(uid);
      return [204, undefined];
    }
    return [200, this.#store({ ...body!, uid }, sent)];
  }

  /** With the members that Grafana adds, in its order. */
  #store(body: Rule, provenance: string): Rule {
    const { annotations, labels, notification_settings: notify, isPaused, ...sent } = body;
    const { uid, folderUID, ruleGroup, title, condition, data, noDataState, execErrState } = sent as Record<
      string,
      unknown
    >;
    const rule = {
      id: 7,
      uid: String(uid),
      orgID: 1,
      folderUID,
      ruleGroup,
      title,
      condition,
      data,
      updated: '2026-11-21T10:00:00.609640048Z',
      noDataState,
      execErrState,
      for: duration(String(body['for'])),
      keep_firing_for: '0s',
      ...(annotations !== undefined && { annotations }),
      ...(labels !== undefined && { labels }),
      ...(provenance !== '' && { provenance }),
      isPaused,
      notification_settings: notify ?? null,
      record: null,
    };
    this.rules.set(rule.uid, rule);
    return rule;
  }
}

/** As Prometheus' model.Duration is formatted: weeks only without a remainder. @param seconds such as `90s` */
function duration(seconds: string): string {
  let left = Number.parseInt(seconds, 10);
  let text = '';
  for (const [unit, length] of Object.entries({ w: 604_800, d: 86_400, h: 3600, m: 60, s: 1 })) {
    if (left >= length && (unit !== 'w' || left % length === 0)) {
      text += `${Math.floor(left / length)}${unit}`;
      left %= length;
    }
  }
  return text === '' ? '0s' : text;
}
