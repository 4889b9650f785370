/** Requests of these tests to Grafana and, through its proxy, to the bridge. Paths and bodies: Grafana's HTTP API (12.4 to 13.2). */
import type { APIRequestContext, APIResponse } from '@playwright/test';
import plugin from '../../../plugin.json' with { type: 'json' };
import type { ManagedRule } from './rule.ts';

export const PLUGIN_ID = plugin.id;
export const PROXY = `/api/plugin-proxy/${PLUGIN_ID}`;
const GROUP = 'nodebell-e2e';

export interface AlertRule {
  uid: string;
  provenance?: string;
  data: { refId: string; model: { conditions?: { evaluator: { params: number[] } }[] } }[];
}

/** Calls Grafana as whoever is signed in with `request`; anything but success is an error with the response. */
export class Grafana {
  readonly #request: APIRequestContext;

  constructor(request: APIRequestContext) {
    this.#request = request;
  }

  /** The response, whatever it is. */
  ask(method: string, path: string, data?: unknown): Promise<APIResponse> {
    return this.#request.fetch(path, { method, ...(data !== undefined && { data }), maxRedirects: 0 });
  }

  async call<T = unknown>(method: string, path: string, data?: unknown): Promise<T> {
    const answer = await this.ask(method, path, data);
    const text = await answer.text();
    if (!answer.ok()) {
      throw new Error(`${method} ${path} was answered ${answer.status()}: ${text}`);
    }
    return (text ? JSON.parse(text) : undefined) as T;
  }

  /** The bridge, by the way that the pages take. */
  bridge<T = unknown>(method: string, path: string, data?: unknown): Promise<T> {
    return this.call<T>(method, `${PROXY}/${path}`, data);
  }

  rule(uid: string): Promise<AlertRule> {
    return this.call<AlertRule>('GET', `/api/v1/provisioning/alert-rules/${uid}`);
  }

  /** A folder of its own, with one group that is evaluated every ten seconds, which is the least that Grafana allows. */
  async putRule(folder: string, rule: ManagedRule): Promise<void> {
    const path = `/api/v1/provisioning/folder/${folder}/rule-groups/${GROUP}`;
    await this.call('PUT', path, { title: GROUP, folderUid: folder, interval: 10, rules: [rule] });
  }

  async createFolder(uid: string, title: string): Promise<void> {
    await this.call('POST', '/api/folders', { uid, title });
  }

  async deleteFolder(uid: string): Promise<void> {
    const answer = await this.ask('DELETE', `/api/folders/${uid}?forceDeleteRules=true`);
    if (!answer.ok() && answer.status() !== 404) {
      throw new Error(`the folder ${uid} was not deleted (${answer.status()}): ${await answer.text()}`);
    }
  }
}
