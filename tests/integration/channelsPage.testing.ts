/** Helpers for channels and routes that are added over the API. */
import { onTestFinished, vi } from 'vitest';
import type { ChannelList } from '../../backend-bridge/contract/channel.ts';
import type { Receiver } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import type { Config } from '../../backend-bridge/src/config.ts';
import { TestBridge } from './support.ts';

export const CHANNELS = '/api/v1/channels';
export const LOCAL = { outboundAllow: ['127.0.0.1'] };
export const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 20 });

export async function closing<T extends { close(): Promise<void> }>(receiver: Promise<T>): Promise<T> {
  const started = await receiver;
  onTestFinished(() => started.close());
  return started;
}
export async function bridgeWith(config: Partial<Config> = LOCAL): Promise<TestBridge> {
  const bridge = await TestBridge.start(config);
  onTestFinished(() => bridge.dispose());
  return bridge;
}
export const listOf = (bridge: TestBridge) => bridge.call<ChannelList>('GET', CHANNELS);
export const routesTo = (...channels: string[]) => ({ routes: [{ channels }] });
export const setRoutes = (bridge: TestBridge, body: object) => bridge.request('PUT', '/api/v1/routes', body);
/** Without the priority before them. */
export const titles = (receiver: Receiver): string[] =>
  receiver.accepted.map(({ json }) => String(json.title).replace(/^\w+: /, ''));
export const send = (bridge: TestBridge, title: string, more: object = {}) =>
  bridge.post({ title, body: 'B', ...more });
