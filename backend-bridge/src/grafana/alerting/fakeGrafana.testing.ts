/**
 * The part of Grafana's HTTP API that the bridge asks, as Grafana 12.4 is said to behave (pkg/services/ngalert/provisioning,
 * documentation of the provisioning API): what is stored, provenances, refusals. It keeps every request as it came.
 */
import { createGrafanaClient, type GrafanaClient } from './client.ts';

export interface Asked {
  method: string;
  path: string;
  /** Bytes as they were sent. */
  body?: string;
  headers: Record<string, string>;
}

type Rule = Record<string, unknown> & { uid: string; provenance?: string };

export class FakeGrafana {
  readonly asked: Asked[] = [];
  readonly rules = new Map<string, Rule>();
  folders: string[] = [];
  contactPoints: Record<string, unknown>[] = [];
  datasources: object[] = [{ uid: 'prom', type: 'prometheus', isDefault: true }];
  /** uids of rules that it does not take. */
  readonly refuses = new Set<string>();
  /** Answers this instead, while it is set. */
  status: number | undefined;

  readonly client: GrafanaClient = createGrafanaClient('http://grafana.example/sub/', 'glsa_x', ((
    url: string,
    init: RequestInit
  ) => {
    const headers = init.headers as Record<string, string>;
    const path = url.replace('http://grafana.example/sub', '');
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? init.body : undefined;
    this.asked.push({ method, path, headers, ...(body !== undefined && { body }) });
    const [status, answer] =
      this.status === undefined ? this.#answer(method, path, headers, body) : [this.status, { message: 'not now' }];
    const empty = status === 204;
    return Promise.resolve(new Response(empty ? null : JSON.stringify(answer), { status }));
  }) as typeof fetch);

  /** What was changed, in order. */
  get changes(): string[] {
    return this.asked.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
  }

  #answer(method: string, path: string, headers: Record<string, string>, text?: string): [number, unknown] {
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
    if (this.refuses.has(body.uid)) {
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
    if (method === 'PUT' && this.refuses.has(uid)) {
      return [400, { message: 'invalid alert rule' }];
    }
    if (method === 'DELETE') {
      this.rules.delete(uid);
      return [204, undefined];
    }
    return [200, this.#store({ ...body!, uid }, sent)];
  }

  /** With what Grafana adds, and its way to write durations (2m for 120s). */
  #store(body: Rule, provenance: string): Rule {
    const seconds = Number.parseInt(String(body['for']), 10);
    const shown = seconds > 0 && seconds % 60 === 0 ? `${seconds / 60}m` : body['for'];
    const rule = {
      id: 7,
      orgID: 1,
      updated: '2026-11-21T10:00:00Z',
      ...body,
      for: shown,
      ...(provenance !== '' && { provenance }),
    };
    this.rules.set(rule.uid, rule);
    return rule;
  }
}
