/** All channels: a sender for each on the replica that leads, their state, and the notification about one that fails. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Actor } from '../../../contract/audit.ts';
import type {
  ChannelList,
  ChannelStatus,
  ChannelTest,
  Route,
  RouteTestResult,
  Undelivered,
} from '../../../contract/channel.ts';
import type { ChannelChange, ChatList, ChatSearch, NewChannel } from '../../../contract/channelChange.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { type NotificationPayload, OWN_PACKAGE } from '../../../contract/notification.ts';
import { show } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import type { Vault } from '../../platform/access/vault.ts';
import type { EventFeed } from '../../platform/events/feed.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { Receive } from '../../inbox/notifications/receive.ts';
import { repeat } from '../../platform/runtime/repeat.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import type { Push } from '../push/service.ts';
import { type ChannelSettings, deviceChannel, type Network, ofDevice, PAGE } from './channel.ts';
import { createDeviceSenders } from './deviceSenders.ts';
import { createForwarder } from './forwarder.ts';
import { KINDS } from './kinds/index.ts';
import { createQuiet, holdsOf, quietIn } from './holds.ts';
import { explainRoutes, routedOf } from './match.ts';
import { createChannelCounters } from './metrics.ts';
import { createPageChannels } from './page.ts';
import {
  discardAllUndelivered,
  discardUndelivered,
  removePageChannel,
  resendAllUndelivered,
  revisionOf,
} from './pageWrites.ts';
import type { PlacedChannel, Routing } from './routing.ts';
import { type ChannelSender, createSender, type SenderEvents } from './sender.ts';
import type { OutboxStore } from './store.ts';
import { cleanOutbox, dropOutbox, noteUndelivered, resendUndelivered } from './writes.ts';

export interface ChannelsDeps {
  store: OutboxStore;
  routing: Routing;
  writes: Pick<WriteQueue, 'submit'>;
  feed: Pick<EventFeed, 'onEvents'>;
  /** For the notification about a channel that fails. */
  receive: Receive;
  /** The id of this bridge (contract/via.ts). */
  bridge: string;
  leads: () => boolean;
  push: Pick<Push, 'channelTo'>;
  network: Network;
  /** Encrypts the secrets of the page's channels; undefined: there is no key. */
  vault: Vault | undefined;
  /** The system's clock, UTC milliseconds. */
  now: () => number;
  /** The bridge's own clock, by which ages are measured. */
  steady: () => number;
  random?: () => number;
  log: Logger;
}

/** Channels and routes of files and of the page. */
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
  /** @throws HttpProblem 400 and 409 */
  add(channel: NewChannel, by: Actor): Promise<void>;
  /** @throws HttpProblem 400, 404, and 409 for a channel of a file */
  change(name: string, change: ChannelChange, by: Actor): Promise<void>;
  /** With what waits for it. @throws HttpProblem 404, and 409 for a channel of a file */
  remove(name: string, by: Actor): Promise<void>;
  /** Sends a test message over a channel that is not stored. @throws HttpProblem 400 */
  tryOut(channel: NewChannel, by: Actor): Promise<ChannelTest>;
  /** Chats of a bot of Telegram. @throws HttpProblem 400 and 404 */
  chats(search: ChatSearch): Promise<ChatList>;
  /** Replaces the routes of the page. @throws HttpProblem 400, and 409 if they are others than those of the revision */
  setRoutes(routes: Route[], revision: string | undefined, by: Actor): Promise<void>;
  /** @throws HttpProblem 404, and 409 at a replica that does not lead for a channel of a file: it has no secrets */
  test(name: string, by: Actor): Promise<ChannelTest>;
  undelivered(query: Parameters<OutboxStore['undelivered']>[0]): Promise<Undelivered>;
  /** @throws HttpProblem 404 if it is not undelivered */
  resend(id: number, by: Actor): Promise<void>;
  /** @param channel only of this one @returns how many */
  resendAll(channel: string | undefined, by: Actor): Promise<number>;
  /** Removes it from the list. @throws HttpProblem 404 if it is not undelivered */
  discard(id: number, by: Actor): Promise<void>;
  /** @param channel only of this one @returns how many */
  discardAll(channel: string | undefined, by: Actor): Promise<number>;
  testRoutes(payload: Parameters<typeof routedOf>[0]): RouteTestResult;
  register(registry: Registry): void;
}

interface Running {
  file: string;
  settings: ChannelSettings;
  sender: ChannelSender | undefined;
}

/** A channel that fails for so long is reported; one that rejects a message, at once. Milliseconds. */
const ALARM_MS = 5 * 60_000;
const TEST_MS = 20_000;
const ORPHANS_MS = 60_000;
const SLICE = 1000;
const LOCKED = 'Its secrets cannot be decrypted with the key of this bridge: edit the channel and enter them again.';

/** Sends only between `start()` and the call of the function that it returns, which the leader controls. */
export function createChannels(deps: ChannelsDeps): Channels {
  const { store, routing, writes, log, network } = deps;
  const counters = createChannelCounters();
  const networkOf = (file: string): Network => (file === PAGE ? { ...network, isPublicOnly: true } : network);
  const page = createPageChannels({ ...deps, network: networkOf(PAGE) });
  const known = new Map<string, Running>();
  let locked: string[] = [];
  let started = false;

  /** Names of a channel in the outbox. */
  const placesOf = ({ name, type }: Pick<ChannelSettings, 'name' | 'type'>): string[] =>
    type === 'webpush' ? routing.devices().map(({ id }) => deviceChannel(name, id)) : [name];

  const startSender = (one: Running): void => {
    const { settings, file } = one;
    const { name, type } = settings;
    const { create, isForMachines = false } = KINDS[type];
    const alarm = createAlarm(name, deps);
    counters.add(name);
    const common = { ...deps, isForMachines, random: deps.random ?? Math.random };
    if (type === 'webpush') {
      // A failure of one device is reported only if all devices fail.
      const on = eventsOf(name, { ...alarm, fails: (reason) => alarm.fails(reason, false) });
      one.sender = createDeviceSenders({
        name,
        waiting: () => store.channelsWaiting(),
        start(device) {
          const own = { ...settings, name: deviceChannel(name, device) };
          const channel = deps.push.channelTo(name, device);
          const personal = () => routing.devices().find(({ id }) => id === device)?.quiet;
          return createSender({ ...common, settings: own, channel, personal, on });
        },
        steady: deps.steady,
        onError: (error) => log.error({ err: error, channel: name }, 'could not read the outbox; retrying'),
      });
      return;
    }
    const channel = create(settings, networkOf(file));
    const own = { ...common, settings, on: eventsOf(name, alarm) };
    one.sender = 'sendAll' in channel ? createForwarder({ ...own, channel }) : createSender({ ...own, channel });
  };
  const eventsOf = (name: string, alarm: Alarm): SenderEvents => ({
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
  });
  const stopSender = async (one: Running): Promise<void> => {
    const { sender } = one;
    one.sender = undefined;
    await sender?.close();
  };

  /** Replaces the channels of one file, or of the page. */
  const replace = async (file: string, channels: readonly ChannelSettings[]): Promise<void> => {
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
  };
  const openPage = (): ChannelSettings[] => {
    const settings = page.settings();
    locked = settings.locked;
    return settings.open;
  };
  openPage().forEach((settings) => known.set(settings.name, { file: PAGE, settings, sender: undefined }));

  const namesOf = () => new Set(routing.channels().map(({ name }) => name));
  let turn: Promise<unknown> = Promise.resolve();
  /** The last read has failed: the next events lead to another one. */
  let isStale = false;
  /** Reads routes and channels of the page again, one time after another. */
  const sync = (): Promise<void> => {
    isStale = false;
    const next = turn.then(async () => {
      await routing.reload();
      await replace(PAGE, openPage());
      await (started ? resolveAlarms(deps, namesOf()) : undefined);
    });
    turn = next.catch(() => (isStale = true));
    return next;
  };

  deps.feed.onEvents((events, isComplete) => {
    const has = (type: string): boolean => !isComplete || events.some((event) => event.type === type);
    const written = new Set(
      events.flatMap(({ type, data }) =>
        type === 'outbox' ? (data.channels as string[]).map((to) => ofDevice(to).name) : []
      )
    );
    known.forEach(({ sender }, name) => (isComplete && !written.has(name) ? undefined : sender?.wake()));
    if (has('routes') || isStale) {
      void sync().catch((error: unknown) =>
        log.error({ err: error }, 'could not read the routes; retrying with the next events')
      );
    }
  });

  /** Gives up notifications for a channel that is no longer provisioned after a day, since a file may be on its way to another name. */
  const giveUpOrphans = async (): Promise<void> => {
    const names = namesOf();
    await resolveAlarms(deps, names);
    for (const name of (await store.channelsWaiting()).filter((one) => !names.has(ofDevice(one).name))) {
      const old = { before: deps.steady() - DAY_MS, limit: 1000 };
      const ids = [...(await store.oldest(name, old)), ...(await store.oldest(name, { ...old, state: 'held' }))];
      if (ids.length > 0) {
        await writes.submit(noteUndelivered, { ids, reason: 'There is no such channel any more.', now: deps.now() });
      }
    }
    const before = deps.steady() - LIMITS.deliveryDays.value * DAY_MS;
    for (const channel of (await store.channelsDone()).filter((one) => !names.has(one))) {
      await writes.submit(cleanOutbox, { channel, before, limit: SLICE });
    }
  };

  const sendTest = async (settings: ChannelSettings, file: string, by: Actor): Promise<ChannelTest> => {
    const at = deps.now();
    const { name } = settings;
    const outcome = await KINDS[settings.type].create(settings, networkOf(file)).send(
      {
        id: 0,
        timestamp: new Date(at).toISOString(),
        title: 'Test',
        body: `The channel ${name} works. The test was sent by ${by.name || 'an admin'}.`,
        category: 'other',
        dnpName: OWN_PACKAGE,
        priority: 'low',
        status: 'triggered',
        correlationId: `test-${at}`,
        key: `nb-test-${at}`,
        ref: undefined,
      },
      {
        signal: AbortSignal.timeout(TEST_MS),
        idempotencyKey: `${deps.bridge}-${name}-test-${at}`,
        via: [deps.bridge],
      }
    );
    return outcome.kind === 'delivered' ? { delivered: true } : { delivered: false, reason: outcome.reason };
  };
  const dropWaiting = async (place: string): Promise<void> => {
    for (const state of ['waiting', 'held'] as const) {
      const oldest = () => store.oldest(place, { before: Number.MAX_SAFE_INTEGER, limit: SLICE, state });
      for (let ids = await oldest(); ids.length > 0; ids = await oldest()) {
        await writes.submit(dropOutbox, { ids });
      }
    }
  };
  /** In the outbox: of this channel, or of all. */
  const placesNamed = (channel: string | undefined): string[] =>
    routing.channels().flatMap((one) => (channel === undefined || one.name === channel ? placesOf(one) : []));

  /** The first end of the quiet hours of a channel, or of those whose devices it reaches; UTC milliseconds. */
  const quietUntil = (one: PlacedChannel, now: number): number | undefined => {
    const persons = one.type === 'webpush' ? new Set(routing.devices().map(({ quiet }) => quiet)) : [undefined];
    const spans = [...persons].map((quiet) => createQuiet(one, () => quiet)(now));
    const ends = spans.flatMap(({ isQuiet, until }) => (isQuiet ? until : []));
    return ends.length === 0 ? undefined : Math.min(...ends);
  };
  const heldBy = async (one: PlacedChannel): Promise<Pick<ChannelStatus, 'held' | 'holds'>> => {
    const groups = await store.heldGroups(placesOf(one));
    const now = deps.now();
    const clock = { now, steady: deps.steady(), quietUntil: groups.length === 0 ? undefined : quietUntil(one, now) };
    return { held: groups.reduce((sum, { count }) => sum + count, 0), holds: holdsOf(groups, clock) };
  };

  return {
    async provision(file, channels) {
      await routing.reload();
      await replace(file, channels);
    },
    owner(name) {
      const file = routing.channels().find((one) => one.name === name)?.file;
      return file === PAGE ? 'the page Channels' : file;
    },
    files: () => [
      ...new Set(
        [...routing.channels().map(({ file }) => file), ...routing.routes().map(({ file = PAGE }) => file)].filter(
          (file) => file !== PAGE
        )
      ),
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
      const routes = [...routing.effective()];
      const channels = routing.channels().toSorted((a, b) => (a.name < b.name ? -1 : 1));
      return {
        channels: await Promise.all(
          channels.map(async (one) => ({
            ...shown(one),
            state: 'idle' as const,
            lastDeliveredAt: null,
            lastFailure: null,
            failingSince: null,
            ...(await store.statusOf(placesOf(one))),
            ...(locked.includes(one.name) && { state: 'failing' as const, lastFailure: LOCKED, failingSince: null }),
            waiting: await store.waiting(...placesOf(one)),
            ...(await heldBy(one)),
            undelivered: await store.undeliveredCount(...placesOf(one)),
            routes: routes.filter((route) => route.channels.includes(one.name)),
          }))
        ),
        routes,
        revision: revisionOf(routing.pageRoutes()),
      };
    },
    async add(channel, by) {
      await page.add(channel, by);
      await sync();
    },
    async change(name, change, by) {
      await page.change(name, change, by);
      await sync();
    },
    async remove(name, by) {
      const places = placesOf(page.requireOwn(name));
      await writes.submit(removePageChannel, { name, by, now: deps.now() });
      await sync();
      await writes.submit(discardAllUndelivered, { channels: places, by: null, now: deps.now() });
      for (const place of places) {
        await dropWaiting(place);
      }
    },
    tryOut: (channel, by) => page.tryOut(channel, (settings) => sendTest(settings, PAGE, by)),
    chats: (search) => page.chats(search),
    async setRoutes(routes, revision, by) {
      await page.setRoutes(routes, revision, by);
      await sync();
    },
    async test(name, by) {
      const one = known.get(name);
      if (one !== undefined && (deps.leads() || one.file === PAGE)) {
        return sendTest(one.settings, one.file, by);
      }
      const stored = routing.channels().find((shown) => shown.name === name);
      if (stored === undefined) {
        throw new HttpProblem('not-found', `There is no channel ${show(name)}. GET /api/v1/channels lists them.`);
      }
      if (stored.file !== PAGE) {
        throw new HttpProblem('conflict', 'Only the leader can send a test: GET /api/v1/status names it.');
      }
      throw new HttpProblem('conflict', stored.disabled ? 'The channel is disabled: enable it first.' : LOCKED);
    },
    undelivered: (query) => store.undelivered(query),
    async resend(id, by) {
      if (!(await writes.submit(resendUndelivered, { id, by, now: deps.now(), steady: deps.steady() }))) {
        throw new HttpProblem('not-found', `No undelivered notification has the id ${id}.`);
      }
    },
    async resendAll(channel, by) {
      const channels = placesNamed(channel);
      const now = deps.now();
      return writes.submit(resendAllUndelivered, { channels, by, now, steady: deps.steady() });
    },
    async discard(id, by) {
      if (!(await writes.submit(discardUndelivered, { id, by, now: deps.now() }))) {
        throw new HttpProblem('not-found', `No undelivered notification has the id ${id}.`);
      }
    },
    discardAll: (channel, by) =>
      writes.submit(discardAllUndelivered, {
        channels: channel === undefined ? undefined : placesNamed(channel),
        by,
        now: deps.now(),
      }),
    testRoutes: (payload) =>
      explainRoutes(routing.effective(), routedOf(payload), quietIn(routing.channels(), deps.now())),
    register(registry) {
      const counts = (of: (...names: string[]) => Promise<number>) => async () =>
        new Map(
          await Promise.all(routing.channels().map(async (one) => [one.name, await of(...placesOf(one))] as const))
        );
      counters.register(registry, counts(store.waiting), counts(store.heldCount));
    },
  };
}

/** Without what is encrypted. */
const shown = ({ file, disabled, sealed: _sealed, ...one }: PlacedChannel) => ({
  ...one,
  ...(file !== PAGE && { file }),
  disabled: disabled === true,
});

const ALARM = 'channel-';

/** Resolves alerts of channels that have been removed. */
async function resolveAlarms({ store, receive }: ChannelsDeps, names: ReadonlySet<string>): Promise<void> {
  const open = (await store.openOf(OWN_PACKAGE, ALARM)).filter((id) => !names.has(id.slice(ALARM.length)));
  const payloads = open.map((correlationId) => ({
    title: `The channel ${correlationId.slice(ALARM.length)} was removed`,
    body: 'Nothing is sent to it any more.',
    ...{
      category: 'system',
      dnpName: OWN_PACKAGE,
      priority: 'high' as const,
      status: 'resolved' as const,
      correlationId,
    },
  }));
  await receive(payloads.map((payload) => ({ payload, source: 'bridge' })));
}

type Alarm = ReturnType<typeof createAlarm>;

/** Notifies that a channel fails, again if its thread was closed meanwhile, and that it works again; never over that channel. */
function createAlarm(name: string, { store, receive, steady, log }: ChannelsDeps) {
  const correlationId = `${ALARM}${name}`;
  let failingSince: number | undefined;
  /** Read again after {@link ALARM_MS}: an admin can resolve its thread while it fails. */
  let known: { open: boolean; at: number } | undefined;
  const isKnown = (open: boolean): boolean => known?.open === open && Math.abs(steady() - known.at) < ALARM_MS;
  let turn: Promise<unknown> = Promise.resolve();

  const notify = (
    payload: Pick<NotificationPayload, 'title' | 'body' | 'priority' | 'status'>,
    open: boolean
  ): void => {
    turn = turn
      .then(async () => {
        if (isKnown(open)) {
          return;
        }
        if ((await store.isFiring(correlationId)) !== open) {
          const whole = { ...payload, category: 'system', dnpName: OWN_PACKAGE, correlationId };
          await receive([{ payload: whole, source: 'bridge', notThrough: name }]);
        }
        known = { open, at: steady() };
      })
      .catch((error: unknown) => log.error({ err: error, channel: name }, 'could not store a notification'));
  };

  return {
    works() {
      failingSince = undefined;
      if (!isKnown(false)) {
        const title = `The channel ${name} works again`;
        notify({ title, body: 'What waited is being sent.', priority: 'high', status: 'resolved' }, false);
      }
    },
    fails(reason: string, isLost: boolean) {
      failingSince ??= steady();
      if (!isKnown(true) && (isLost || steady() - failingSince >= ALARM_MS)) {
        const title = `The channel ${name} does not deliver`;
        const body = `${reason}\n\nThe notifications are in the inbox. What was given up is listed in \`/channels/undelivered\`.`;
        notify({ title, body, priority: 'high', status: 'triggered' }, true);
      }
    },
  };
}
