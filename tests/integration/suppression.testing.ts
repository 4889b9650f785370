/** A bridge with a channel, and what it has sent. */
import { expect, vi } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import type { Maintenance, Suppressions } from '../../backend-bridge/contract/suppression.ts';
import { type Receiver, startHook } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { Folder, type Provisioned } from './provisioning.testing.ts';
import { HOUR, MINUTE } from './support.ts';

export const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 20 });
export const iso = (ms: number): string => new Date(ms).toISOString();

export interface Running {
  bridge: Provisioned['bridge'];
  hook: Receiver;
}

export async function start(file = '', routes = '[{ channels: [hook] }]'): Promise<Running> {
  const hook = await closing(startHook());
  const channel = `channels: [{ name: hook, type: webhook, url: '${hook.url}/in' }]\nroutes: ${routes}`;
  const folder = await Folder.make({ 'reach.yaml': `apiVersion: 1\n${channel}\n${file}` });
  return { bridge: (await folder.start()).bridge, hook };
}

export const sent = ({ hook }: Running): string[] =>
  hook.accepted.map(({ json }) => `${String(json.title)} ${String(json.status)}`);
export const send = async ({ bridge }: Running, payload: object): Promise<number> => {
  const given = { title: 'Disk full', body: 'b', status: 'triggered', dnpName: 'nas', ...payload };
  const { body, status } = await bridge.post({ correlationId: given.title, ...given });
  expect(status).toBe(201);
  return (body as { id: number }).id;
};
/** After it has gone out, so has everything before it. */
export async function sentSoFar(running: Running): Promise<string[]> {
  await send(running, { title: 'mark', dnpName: 'mark', correlationId: String(Math.random()) });
  await until(() => expect(sent(running)).toContain('mark triggered'));
  const all = sent(running).filter((one) => one !== 'mark triggered');
  running.hook.accepted.length = 0;
  return all;
}
export const detailOf = ({ bridge }: Running, id: number) =>
  bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`);
export const kinds = async (running: Running, id: number) =>
  (await detailOf(running, id)).timeline?.map(({ kind, text }) => `${kind} ${text}`);
export const listed = ({ bridge }: Running) => bridge.call<Suppressions>('GET', '/api/v1/maintenance');
export const window = ({ bridge }: Running, change: object = {}) => ({
  name: 'New disk',
  matchers: 'package="nas"',
  startsAt: iso(bridge.clock.now - MINUTE),
  endsAt: iso(bridge.clock.now + HOUR),
  ...change,
});
export const add = (running: Running, change: object = {}) =>
  running.bridge.call<Maintenance>('POST', '/api/v1/maintenance', window(running, change));
