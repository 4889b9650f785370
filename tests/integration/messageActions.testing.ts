/** Actions of messages that link to the bridge. */
import { vi } from 'vitest';
import type { Received, Receiver } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import type { Provisioned } from './provisioning.testing.ts';

export const ALL = '[acknowledge, snooze, resolve]';
export const ALERT = {
  ...{ title: 'Disk full', body: 'of /data', dnpName: 'geth', correlationId: 'disk', status: 'triggered' },
};
export const PUBLIC = { publicUrl: 'https://bridge.example.org' };
export const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 20 });

/** A provisioning file with an ntfy channel. */
export const pushFile = ({ url }: Receiver, actions: string, topic = 'node'): string =>
  `apiVersion: 1\nchannels:\n  - { name: push, type: ntfy, url: '${url}', topic: ${topic}, actions: ${actions} }\nroutes:\n  - { channels: [push] }\n`;

export const actionsOf = ({ json }: Received) =>
  json.actions as { action: string; label: string; url: string; body?: string }[];

/** The token of the first action. @param message counted from 0 */
export const linkToken = ({ accepted }: Receiver, message: number): string =>
  (JSON.parse(actionsOf(accepted[message]!)[0]!.body!) as { token: string }).token;

export const take = ({ bridge }: Pick<Provisioned, 'bridge'>, token: string) =>
  bridge.request('POST', '/api/v1/actions', { token }, { authorization: '' });
