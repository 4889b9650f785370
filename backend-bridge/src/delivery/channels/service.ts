/** All channels: their configuration, their state, and what they could not deliver. */
import type { Registry } from 'prom-client';
import type { CHANNELS } from '../../../contract/api/channels.ts';
import type { Actor } from '../../../contract/audit.ts';
import type { ChannelList, ChannelStatus, ChannelTest } from '../../../contract/channel.ts';
import { channelsIn } from '../../../contract/routeNames.ts';
import type { Place } from '../../../contract/onCall.ts';
import { DESCRIPTORS } from '../../../contract/channelTypes/index.ts';
import type { Vault } from '../../platform/access/vault.ts';
import type { EventFeed } from '../../platform/events/feed.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { recurring } from '../../platform/runtime/recurring.ts';
import { repeat } from '../../platform/runtime/repeat.ts';
import { Reread } from '../../platform/runtime/reread.ts';
import type { JournalEvent } from '../../platform/storage/events.ts';
import { resolveAlarms } from './alarm.ts';
import { announceHandovers } from './announceHandovers.ts';
import { type ChannelSettings, deviceChannel, ofDevice, PAGE } from './kinds/channel.ts';
import { createEscalator } from './escalator.ts';
import { firstQuietEnd, holdsOf, quietIn } from './holds.ts';
import { explainRoutes, routedOf } from './match.ts';
import { createChannelCounters } from './metrics.ts';
import { giveUpOrphans, SLICE } from './orphans.ts';
import { Calendars } from './calendars.ts';
import { channelNotFound, PageChannels } from './page.ts';
import { discardAllUndelivered, removePageChannel, revisionOf } from './pageWrites.ts';
import { previewTemplates } from './preview.ts';
import type { PlacedChannel, Routing } from './routing.ts';
import { Senders, type SendersDeps } from './senders.ts';
import { sendTest } from './testMessage.ts';
import { undeliveredHandlers } from './undelivered.ts';
import { dropOutbox } from './writes.ts';

export interface ChannelsDeps extends SendersDeps {
  routing: Routing;
  feed: Pick<EventFeed, 'onEvents'>;
  /** Encrypts the secrets of the page's channels; undefined: there is no key. */
  vault: Vault | undefined;
}

const ORPHANS_MS = 60_000;
const ANNOUNCE_MS = 1000;
const LOCKED = 'Its secrets cannot be decrypted with the key of this bridge: edit the channel and enter them again.';

/** Channels and routes of files and of the page. Sends only between `start()` and the call of the function that it returns, which the leader controls. */
export class Channels {
  readonly #deps: ChannelsDeps;
  readonly #counters = createChannelCounters();
  readonly #page: PageChannels;
  readonly senders: Senders;
  readonly #escalator: ReturnType<typeof createEscalator>;
  /** Calendars of schedules. */
  readonly calendars: Calendars;
  /** Channels of the page whose secrets cannot be decrypted. */
  #locked: string[] = [];
  /** Routes, and channels of the page. */
  readonly #stored: Reread;

  constructor(deps: ChannelsDeps) {
    this.#deps = deps;
    this.senders = new Senders(deps, this.#counters);
    this.#escalator = createEscalator(deps);
    this.calendars = new Calendars(deps);
    this.#page = new PageChannels({ ...deps, ...this.senders.forPage() });
    this.senders.add(PAGE, this.#openPage());
    this.#stored = new Reread('read the routes', () => this.#read(), deps.log);
    deps.feed.onEvents((events, isComplete) => this.#follow(events, isComplete));
  }

  /** Replaces the channels of one file, with their secrets; their routes are in the store already. */
  async provision(file: string, channels: readonly ChannelSettings[]): Promise<void> {
    await this.#deps.routing.reload();
    await this.senders.replace(file, channels);
  }

  /** The file that provisions the channel. */
  owner(name: string): string | undefined {
    const file = this.#find(name)?.file;
    return file === PAGE ? 'the page Channels' : file;
  }

  /** The file that provisions the schedule, or the channels of the person. */
  ownerOf({ kind, name }: Place): string | undefined {
    const { routing } = this.#deps;
    return kind === 'schedule'
      ? routing.schedules().find((one) => one.name === name)?.file
      : routing.people().find(({ login }) => login === name)?.file;
  }

  /** Files that provision channels, routes, schedules or people. */
  files(): string[] {
    const { routing } = this.#deps;
    const all = [...routing.channels(), ...routing.routes(), ...routing.schedules(), ...routing.people()].map(
      ({ file = PAGE }) => file
    );
    return [...new Set(all.filter((file) => file !== PAGE))];
  }

  /** Sends, until the function that it returns is called. */
  start(): () => Promise<void> {
    this.senders.start();
    const deps = this.#deps;
    const announcing = recurring('announce handovers', ANNOUNCE_MS, () => announceHandovers(deps), deps.log);
    const stops = [this.#escalator, this.calendars, announcing].map((one) => one.start());
    const work = async () => {
      await this.#resolveAlarms();
      await giveUpOrphans(this.#deps, this.#names());
    };
    const stopOrphans = repeat('give up what waits for removed channels', ORPHANS_MS, work, this.#deps.log);
    return async () => {
      stopOrphans();
      await Promise.all(stops.map((stop) => stop()));
      await this.senders.stop();
    };
  }

  close(): void {
    this.#stored.stop();
  }

  /** Operations on channels and routes. */
  handlers(): Handlers<typeof CHANNELS> {
    const { routing, now } = this.#deps;
    const page = this.#page;
    return {
      listChannels: () => this.#list(),
      addChannel: async ({ body, by }) => {
        await page.add(body, by);
        await this.#stored.now();
      },
      changeChannel: async ({ params, body, by }) => {
        await page.change(params.name, body, by);
        await this.#stored.now();
      },
      removeChannel: ({ params, by }) => this.#remove(params.name, by),
      tryChannel: async ({ body, by }) => this.#sendTest(page.settingsOf(body), PAGE, by),
      previewTemplates: ({ body }) => previewTemplates(body, this.#deps.store, now()),
      findChats: ({ body }) => page.chats(body),
      testChannel: ({ params, by }) => this.#test(params.name, by),
      ...undeliveredHandlers(this.#deps, (channel) => this.#placesNamed(channel)),
      setRoutes: async ({ body, by }) => {
        await page.setRoutes(body.routes, body.revision, by);
        await this.#stored.now();
      },
      testRoutes: ({ body }) =>
        explainRoutes(routing.effective(), routedOf(body), {
          ...quietIn(routing.channels(), now()),
          reachedBy: routing.reachedBy,
        }),
    };
  }

  register(registry: Registry): void {
    const { store, routing } = this.#deps;
    this.#counters.register(registry, async (state) => {
      const count = async (one: PlacedChannel) => [one.name, await store.count(state, this.#placesOf(one))] as const;
      return new Map(await Promise.all(routing.channels().map(count)));
    });
  }

  async #list(): Promise<ChannelList> {
    const { routing } = this.#deps;
    const routes = [...routing.effective()];
    const channels = routing.channels().toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return {
      channels: await Promise.all(
        channels.map(async (one) => ({
          ...(await this.#statusOf(one)),
          routes: routes.filter((route) => channelsIn(route).includes(one.name)),
        }))
      ),
      routes,
      revision: revisionOf(routing.pageRoutes()),
    };
  }

  /** With what waits for it. @throws HttpProblem 404, and 409 for a channel of a file */
  async #remove(name: string, by: Actor): Promise<void> {
    const { writes, store, now } = this.#deps;
    const places = this.#placesOf(this.#page.requireOwn(name));
    await writes.submit(removePageChannel, { name, by, now: now() });
    await this.#stored.now();
    await writes.submit(discardAllUndelivered, { channels: places, by: null, now: now() });
    for (const place of places) {
      for (const state of ['waiting', 'held'] as const) {
        const oldest = () => store.oldest(place, { before: Number.MAX_SAFE_INTEGER, limit: SLICE, state });
        for (let ids = await oldest(); ids.length > 0; ids = await oldest()) {
          await writes.submit(dropOutbox, { ids });
        }
      }
    }
  }

  /** @throws HttpProblem 404, and 409 at a replica that does not lead for a channel of a file: it has no secrets */
  async #test(name: string, by: Actor): Promise<ChannelTest> {
    const one = this.senders.get(name);
    if (one !== undefined && (this.#deps.leads() || one.file === PAGE)) {
      return this.#sendTest(one.settings, one.file, by);
    }
    const stored = this.#find(name);
    if (stored === undefined) {
      throw channelNotFound(name);
    }
    if (stored.file !== PAGE) {
      throw new HttpProblem('conflict', 'Only the leader can send a test: GET /api/v1/status names it.');
    }
    throw new HttpProblem('conflict', stored.disabled ? 'The channel is disabled: enable it first.' : LOCKED);
  }

  #find(name: string): PlacedChannel | undefined {
    return this.#deps.routing.channels().find((one) => one.name === name);
  }

  readonly #names = (): Set<string> => new Set(this.#deps.routing.channels().map(({ name }) => name));

  /** Names of a channel in the outbox. */
  #placesOf({ name, type }: Pick<ChannelSettings, 'name' | 'type'>): string[] {
    return DESCRIPTORS[type].hasDevices
      ? this.#deps.routing.devices().map(({ id }) => deviceChannel(name, id))
      : [name];
  }

  /** Names in the outbox of this channel, or of all. */
  #placesNamed(channel: string | undefined): string[] {
    const channels = this.#deps.routing.channels().filter(({ name }) => channel === undefined || name === channel);
    return channels.flatMap((one) => this.#placesOf(one));
  }

  #openPage(): ChannelSettings[] {
    const { open, locked } = this.#page.settings();
    this.#locked = locked;
    return open;
  }

  #follow(events: readonly JournalEvent[], isComplete: boolean): void {
    const added = events.filter(({ type }) => type === 'outbox').map(({ data }) => data);
    const written = added.flatMap(({ channels }) => (channels as string[]).map((to) => ofDevice(to).name));
    const hasResponses = events.some(({ type, data }) => type === 'responded' && data.reader === undefined);
    this.senders.wake(isComplete ? new Set(written) : undefined, hasResponses || !isComplete);
    if (!isComplete || added.some(({ hasSteps }) => hasSteps === true)) {
      this.#escalator.wake();
    }
    if (!isComplete || events.some(({ type }) => type === 'routes')) {
      this.#stored.soon();
    }
  }

  async #read(): Promise<void> {
    await this.#deps.routing.reload();
    await this.senders.replace(PAGE, this.#openPage());
    await (this.senders.isStarted ? this.#resolveAlarms() : undefined);
  }

  #resolveAlarms(): Promise<void> {
    const withCalendar = this.#deps.routing.schedules().filter(({ ics }) => ics !== undefined);
    return resolveAlarms(this.#deps, {
      channel: this.#names(),
      calendar: new Set(withCalendar.map(({ name }) => name)),
    });
  }

  #sendTest(settings: ChannelSettings, file: string, by: Actor): Promise<ChannelTest> {
    return sendTest(settings, { ...this.#deps, network: this.senders.networkOf(file), by });
  }

  async #statusOf(one: PlacedChannel): Promise<Omit<ChannelStatus, 'routes'>> {
    const { store, routing, now, steady } = this.#deps;
    const { file, disabled = false, sealed: _sealed, place: _place, presses: _presses, ...shown } = one;
    const places = this.#placesOf(one);
    const groups = await store.heldGroups(places);
    const at = now();
    const quietUntil = groups.length === 0 ? undefined : firstQuietEnd(one, routing.devices(), at);
    return {
      ...shown,
      ...(file !== PAGE && { file }),
      disabled,
      ...(await store.statusOf(places)),
      ...(this.#locked.includes(one.name) && { state: 'failing' as const, lastFailure: LOCKED, failingSince: null }),
      waiting: await store.count('waiting', places),
      held: groups.reduce((sum, { count }) => sum + count, 0),
      holds: holdsOf(groups, { now: at, steady: steady(), quietUntil }),
      undelivered: await store.count('undelivered', places),
    };
  }
}
