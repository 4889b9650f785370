/** All channels: a sender for each on the replica that leads, their state, and the notification about one that fails. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Actor } from '../../contract/audit.ts';
import type { ChannelList, ChannelTest, RouteTestResult, Undelivered } from '../../contract/channel.ts';
import { DAY_MS } from '../../contract/limits.ts';
import type { NotificationPayload } from '../../contract/notification.ts';
import { show } from '../../contract/text.ts';
import type { EventFeed } from '../events/feed.ts';
import { HttpProblem } from '../http/problem.ts';
import type { Receive } from '../notifications/receive.ts';
import { repeat } from '../repeat.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import type { ChannelSettings, Network } from './channel.ts';
import { KINDS } from './kinds/index.ts';
import { explainRoutes, routedOf } from './match.ts';
import { createChannelCounters } from './metrics.ts';
import type { Routing } from './routing.ts';
import { createForwarder } from './forwarder.ts';
import { type ChannelSender, createSender, type SenderDeps } from './sender.ts';
import type { OutboxStore } from './store.ts';
import { noteUndelivered, resendUndelivered } from './writes.ts';

export interface ChannelsDeps {
  store: OutboxStore;
  routing: Routing;
  writes: Pick<WriteQueue, 'submit'>;
  feed: Pick<EventFeed, 'onEvents'>;
  /** For the notification about a channel that fails. */
  receive: Receive;
  leads: () => boolean;
  network: Network;
  /** The system's clock, UTC milliseconds. */
  now: () => number;
  /** The bridge's own clock, by which ages are measured. */
  steady: () => number;
  random?: () => number;
  log: Logger;
}

export interface Channels {
  /** Replaces the channels of one file, with their secrets; their routes are in the store already. */
  provision(file: string, channels: readonly ChannelSettings[]): Promise<void>;
  /** The file that provisions the channel. */
  owner(name: string): string | undefined;
  /** Files that provision channels or routes. */
  files(): string[];
  /** Sends, until the function that it returns is called. */
  start(): () => Promise<void>;
  list(): Promise<ChannelList>;
  /** @throws HttpProblem 404, and 503 at a replica that does not lead: it has no secrets */
  test(name: string, by: Actor): Promise<ChannelTest>;
  undelivered(query: Parameters<OutboxStore['undelivered']>[0]): Promise<Undelivered>;
  /** @throws HttpProblem 404 if it is not undelivered */
  resend(id: number, by: Actor): Promise<void>;
  testRoutes(payload: Parameters<typeof routedOf>[0]): RouteTestResult;
  register(registry: Registry): void;
}

interface Running {
  file: string;
  settings: ChannelSettings;
  sender: ChannelSender | undefined;
}

/** The package of notifications about the bridge itself. */
const OWN = 'nodebell';
/** A channel that fails for so long is reported; one that rejects a message, at once. Milliseconds. */
const ALARM_MS = 5 * 60_000;
const TEST_MS = 20_000;
const ORPHANS_MS = 60_000;

export function createChannels(deps: ChannelsDeps): Channels {
  const { store, routing, writes, log, network } = deps;
  const counters = createChannelCounters();
  const known = new Map<string, Running>();
  let started = false;

  const startSender = (one: Running): void => {
    const { settings } = one;
    const { name, type } = settings;
    const { create, isForMachines = false } = KINDS[type];
    const alarm = createAlarm(name, deps);
    counters.add(name);
    const channel = create(settings, network);
    const common: Omit<SenderDeps, 'channel'> = {
      ...deps,
      settings,
      isForMachines,
      random: deps.random ?? Math.random,
      on: {
        sent(count, seconds) {
          counters.sent(name, count, seconds);
          alarm.works();
        },
        retried(reason) {
          counters.retried(name);
          alarm.fails(reason, false);
        },
        gaveUp(count, reason) {
          counters.failed(name, count);
          alarm.fails(reason, true);
        },
      },
    };
    one.sender = 'sendAll' in channel ? createForwarder({ ...common, channel }) : createSender({ ...common, channel });
  };
  const stopSender = async (one: Running): Promise<void> => {
    const { sender } = one;
    one.sender = undefined;
    await sender?.close();
  };

  deps.feed.onEvents((events, isComplete) => {
    const has = (type: string): boolean => !isComplete || events.some((event) => event.type === type);
    if (has('notification')) {
      known.forEach(({ sender }) => sender?.wake());
    }
    if (has('routes')) {
      void routing.reload().catch((error: unknown) => log.error({ err: error }, 'could not read the routes'));
    }
  });

  /** What waits for a channel that is no longer provisioned: given up after a day, since a file may be on its way to another name. */
  const giveUpOrphans = async (): Promise<void> => {
    const names = new Set(routing.channels().map(({ name }) => name));
    for (const name of (await store.channelsWaiting()).filter((one) => !names.has(one))) {
      const ids = await store.oldest(name, { before: deps.steady() - DAY_MS, limit: 1000 });
      if (ids.length > 0) {
        await writes.submit(noteUndelivered, { ids, reason: 'The channel is not provisioned.', now: deps.now() });
      }
    }
  };

  return {
    async provision(file, channels) {
      await routing.reload();
      const wanted = new Map(channels.map((settings) => [settings.name, settings]));
      for (const [name, one] of known) {
        const same = JSON.stringify(one.settings) === JSON.stringify(wanted.get(name));
        if (one.file === file && !same) {
          known.delete(name);
          await stopSender(one);
        }
      }
      for (const settings of channels.filter(({ name }) => !known.has(name))) {
        const one: Running = { file, settings, sender: undefined };
        known.set(settings.name, one);
        if (started) {
          startSender(one);
        }
      }
    },
    owner: (name) => routing.channels().find((one) => one.name === name)?.file,
    files: () => [
      ...new Set([...routing.channels().map(({ file }) => file), ...routing.routes().map(({ file }) => file)]),
    ],
    start() {
      started = true;
      known.forEach(startSender);
      const stopOrphans = repeat('give up what waits for removed channels', ORPHANS_MS, giveUpOrphans, log);
      return async () => {
        started = false;
        stopOrphans();
        await Promise.all([...known.values()].map(stopSender));
      };
    },
    async list() {
      const routes = [...routing.routes()];
      const channels = routing.channels().toSorted((a, b) => (a.name < b.name ? -1 : 1));
      return {
        channels: await Promise.all(
          channels.map(async (one) => ({
            ...one,
            state: 'idle' as const,
            lastDeliveredAt: null,
            lastFailure: null,
            ...(await store.statusOf(one.name)),
            waiting: await store.waiting(one.name),
            undelivered: await store.undeliveredCount(one.name),
            routes: routes.filter((route) => route.channels.includes(one.name)),
          }))
        ),
        routes,
      };
    },
    async test(name, by) {
      const one = known.get(name);
      if (one === undefined || !deps.leads()) {
        if (deps.leads() || !routing.channels().some((shown) => shown.name === name)) {
          throw new HttpProblem('not-found', `There is no channel ${show(name)}. GET /api/v1/channels lists them.`);
        }
        throw new HttpProblem(
          'conflict',
          'Only the replica that leads can send a test: GET /api/v1/status says which one does.'
        );
      }
      const at = deps.now();
      const outcome = await KINDS[one.settings.type].create(one.settings, network).send(
        {
          id: 0,
          timestamp: new Date(at).toISOString(),
          title: 'Test',
          body: `The channel ${name} works. The test was sent by ${by.name || 'an admin'}.`,
          category: 'other',
          dnpName: OWN,
          priority: 'low',
          status: 'triggered',
          correlationId: `test-${at}`,
          key: `nb-test-${at}`,
          ref: undefined,
        },
        { signal: AbortSignal.timeout(TEST_MS), idempotencyKey: `${name}-test-${at}` }
      );
      return outcome.kind === 'delivered' ? { delivered: true } : { delivered: false, reason: outcome.reason };
    },
    undelivered: (query) => store.undelivered(query),
    async resend(id, by) {
      if (!(await writes.submit(resendUndelivered, { id, by, now: deps.now(), steady: deps.steady() }))) {
        throw new HttpProblem('not-found', `No undelivered notification has the id ${id}.`);
      }
      known.forEach(({ sender }) => sender?.wake());
    },
    testRoutes: (payload) => explainRoutes(routing.routes(), routedOf(payload)),
    register: (registry) =>
      counters.register(
        registry,
        async () =>
          new Map(
            await Promise.all(routing.channels().map(async ({ name }) => [name, await store.waiting(name)] as const))
          )
      ),
  };
}

/** Notifies once that a channel fails, and once that it works again; never over that channel. */
function createAlarm(name: string, { store, receive, steady, log }: ChannelsDeps) {
  const correlationId = `channel-${name}`;
  let failingSince: number | undefined;
  /** Undefined: not known since the start. */
  let isOpen: boolean | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const notify = (
    payload: Pick<NotificationPayload, 'title' | 'body' | 'priority' | 'status'>,
    open: boolean
  ): void => {
    turn = turn
      .then(async () => {
        isOpen ??= await store.isOpen(OWN, correlationId);
        if (isOpen !== open) {
          const whole = { ...payload, category: 'system', dnpName: OWN, correlationId };
          await receive([{ payload: whole, source: 'bridge', notThrough: name }]);
          isOpen = open;
        }
      })
      .catch((error: unknown) => log.error({ err: error, channel: name }, 'could not store a notification'));
  };

  return {
    works() {
      failingSince = undefined;
      if (isOpen !== false) {
        const title = `The channel ${name} works again`;
        notify({ title, body: 'What waited is being sent.', priority: 'high', status: 'resolved' }, false);
      }
    },
    fails(reason: string, isLost: boolean) {
      failingSince ??= steady();
      if (isOpen !== true && (isLost || steady() - failingSince >= ALARM_MS)) {
        const title = `The channel ${name} does not deliver`;
        const body = `${reason}\n\nThe notifications are in the inbox. What was given up is listed in \`/channels/undelivered\`.`;
        notify({ title, body, priority: 'high', status: 'triggered' }, true);
      }
    },
  };
}
