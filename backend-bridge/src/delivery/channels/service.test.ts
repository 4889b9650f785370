/** Senders that look at the outbox, by the events of a commit. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { JournalEvent } from '../../platform/storage/events.ts';
import type { ChannelSettings } from './kinds/channel.ts';
import { Channels, type ChannelsDeps } from './service.ts';

const hook = (name: string) =>
  ({ name, type: 'webhook', url: 'http://127.0.0.1:9', giveUpAfter: '1d', target: '' }) as unknown as ChannelSettings;

test('only senders of channels for which something was added look at the outbox; steps of escalations are looked for if there are new ones', async () => {
  // The escalator looks each second as well.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const looks: string[] = [];
  let steps = 0;
  let publish: (events: JournalEvent[], isComplete: boolean) => void = () => undefined;
  const results: Record<string, unknown> = { nextDue: undefined, digest: undefined, count: 0 };
  const store = new Proxy(
    {},
    {
      get: (_, query: string) => (channel: string) => {
        if (query === 'next') {
          looks.push(channel);
        }
        steps += query === 'steps' ? 1 : 0;
        return Promise.resolve(query in results ? results[query] : []);
      },
    }
  );
  const channels = new Channels({
    store,
    routing: {
      channels: () => [],
      routes: () => [],
      devices: () => [],
      pageRoutes: () => [],
      reload: () => Promise.resolve(),
    },
    writes: { submit: () => Promise.resolve({ more: false }) },
    feed: { onEvents: (listener: typeof publish) => (publish = listener) },
    leads: () => true,
    network: { allow: [] },
    vault: undefined,
    now: () => 1,
    steady: () => 1,
    log: { error: () => undefined },
  } as unknown as ChannelsDeps);
  await channels.provision('reach.yaml', ['a', 'b', 'c'].map(hook));
  onTestFinished(channels.start());
  await vi.waitFor(() => expect(looks.toSorted()).toEqual(['a', 'b', 'c']));
  // A sender that is awake would not have to be woken.
  await new Promise((resolve) => setImmediate(resolve));
  publish([{ id: 1, type: 'notification', data: { id: 1 } }], true);
  publish(
    [
      { id: 2, type: 'notification', data: { id: 2 } },
      { id: 3, type: 'outbox', data: { channels: ['b'], hasSteps: false } },
    ],
    true
  );
  await vi.waitFor(() => expect(looks.slice(3)).toEqual(['b']));
  expect(steps).toBe(0);
  publish([{ id: 4, type: 'outbox', data: { channels: ['on call'], hasSteps: true } }], true);
  await vi.waitFor(() => expect(steps).toBe(1));
  publish([], false);
  await vi.waitFor(() => expect(looks.slice(4).toSorted()).toEqual(['a', 'b', 'c']));
});

test('routes that could not be read are read again, without further events', async () => {
  let publish: (events: JournalEvent[], isComplete: boolean) => void = () => undefined;
  const reload = vi.fn(() => Promise.resolve());
  reload.mockRejectedValueOnce(new Error('unreachable'));
  const error = vi.fn();
  const channels = new Channels({
    store: {},
    routing: { channels: () => [], reload },
    writes: {},
    feed: { onEvents: (listener: typeof publish) => (publish = listener) },
    network: { allow: [] },
    log: { error },
  } as unknown as ChannelsDeps);
  publish([{ id: 1, type: 'routes', data: {} }], true);
  await vi.waitFor(() => expect(error).toHaveBeenCalledOnce());
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2), { timeout: 60_000 });
  channels.close();
});
