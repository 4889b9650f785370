/** Grafana users, and their responses. */
import { expect } from 'vitest';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import type { Facets, Unseen } from '../../backend-bridge/contract/query.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { Listener } from './listener.ts';
import { type Json, NOTIFICATIONS, type TestBridge } from './support.ts';

export class GrafanaPerson {
  readonly #bridge: () => TestBridge;
  readonly headers: Record<string, string>;

  constructor(bridge: () => TestBridge, login: string, context: Record<string, unknown> = {}) {
    this.#bridge = bridge;
    this.headers = fromGrafana(login, context);
  }

  async call<T = Json>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.#bridge().request<T>(method, NOTIFICATIONS + path, body, this.headers);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }

  list(query = ''): Promise<Notification[]> {
    return this.call('GET', query && `?${query}`);
  }
  async titles(query = ''): Promise<string[]> {
    return (await this.list(query)).map(({ title }) => title);
  }
  facets(query = ''): Promise<Facets> {
    return this.call('GET', `/facets${query && `?${query}`}`);
  }
  async unread(): Promise<number> {
    return (await this.call<Unseen>('GET', '/unseen')).unseenCount;
  }
  reads(...ids: number[]): Promise<{ changed: number }> {
    return this.call('PUT', '/seen', { ids });
  }
  listen(lastEventId?: number): Promise<Listener> {
    return Listener.connect(this.#bridge(), lastEventId, this.headers);
  }
}
