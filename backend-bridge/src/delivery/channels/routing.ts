/** The routes in effect, held in memory: every notification is compared with them. */
import { LRUCache } from 'lru-cache';
import type { PlacedRoute, Route } from '../../../contract/channel.ts';
import { channelsIn, namesIn } from '../../../contract/routeNames.ts';
import { DESCRIPTORS } from '../../../contract/channelTypes/index.ts';
import type { PersonHours } from '../../../contract/hours.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { ChannelPerson, Schedules } from '../../../contract/onCall.ts';
import { isoTimeOrNull } from '../../../contract/text.ts';
import type { Destinations, Incoming } from '../../inbox/notifications/receive.ts';
import { Turns } from '../../platform/runtime/recurring.ts';
import type { PushDeviceRow } from '../../platform/storage/schema.ts';
import { type ReachedBy, reachedIn } from './escalation.ts';
import { deviceChannel, ofDevice, PAGE, type StoredChannel } from './kinds/channel.ts';
import { destinationsOf, type Routed, routedOf } from './match.ts';
import { namedShifts } from '../schedules/calendar.ts';
import type { OnCallState } from '../schedules/onCallState.ts';
import type { MergedSchedule } from '../schedules/overrideStore.ts';
import type { TimedSchedule } from '../schedules/schedule.ts';
import { type ActiveRoute, routeIds } from './routeSteps.ts';
import type { ChannelFile, OutboxStore } from './store.ts';

/** A device that receives web push. */
export interface DevicePlace extends Pick<PushDeviceRow, 'id' | 'person' | 'login'> {
  /** Quiet hours of the person. */
  quiet: PersonHours | undefined;
}

/** A schedule with its shifts, and where it is configured. */
export type PlacedSchedule = MergedSchedule &
  Pick<TimedSchedule, 'shifts'> &
  Pick<Schedules['schedules'][number], 'file' | 'calendar'> & {
    /** Overrides without effect, by people whose channels were removed since. */
    ignored?: NonNullable<MergedSchedule['overrides']>;
  };

/** A channel, and where it is configured. */
export type PlacedChannel = StoredChannel & { file: string };

export type Routing = Awaited<ReturnType<typeof createRouting>>;

/** The routes in effect; follows the events `routes` of all replicas. @param devices those that receive web push */
export async function createRouting(store: Pick<OutboxStore, 'files'>, devices: () => Promise<DevicePlace[]>) {
  let files: ChannelFile[] = [];
  let routes: PlacedRoute[] = [];
  let effective: PlacedRoute[] = [];
  /** Routes without disabled channels. */
  let active: ActiveRoute[] = [];
  let places: DevicePlace[] = [];
  let schedules: PlacedSchedule[] = [];
  /** Another bridge decides itself what waits. */
  let atOnce = new Set<string>();
  let reachedBy: ReachedBy = () => ({ to: [] });
  const usesLabels = (): boolean => active.some(({ matchers }) => matchers !== undefined);
  const cache = createCache(usesLabels, (routed, notThrough) =>
    without(destinationsOf(active, routed, atOnce), notThrough, atOnce)
  );
  const read = async (): Promise<void> => {
    const [all, known] = await Promise.all([store.files(), devices()]);
    places = known;
    // The page's routes come last.
    files = [...all.filter(({ file }) => file !== PAGE), ...all.filter(({ file }) => file === PAGE)];
    routes = files.flatMap(({ file, routes: some }) =>
      some.map((route, index) => ({ ...route, ...(file !== PAGE && { file }), index }))
    );
    effective = [...defaultsOf(files, routes), ...routes];
    const logins = new Set(files.flatMap(({ people }) => people.map(({ login }) => login)));
    schedules = files.flatMap((file) => schedulesOf(file, logins));
    ({ active, atOnce, reachedBy } = effectOf(files, { effective, places, schedules }));
    cache.clear();
  };
  await read();
  const turns = new Turns();
  return {
    /** Where a notification goes; undefined: nowhere. */
    of: ({ payload, notThrough }: Pick<Incoming, 'payload' | 'notThrough'>): Destinations | undefined =>
      effective.length === 0 ? undefined : cache.find(routedOf(payload), notThrough),
    /** Where a notification goes that resolves a thread by hand. */
    byHand: (): Destinations | undefined =>
      effective.length === 0
        ? undefined
        : {
            channels: [],
            ifAnnounced: [...new Set(active.flatMap(({ channels, reach = [] }) => [...channels, ...reach]))],
          },
    /** All configured routes. */
    routes: (): readonly PlacedRoute[] => routes,
    /** With the defaults of channels to which no route leads. */
    effective: (): readonly PlacedRoute[] => effective,
    /** Devices that receive web push. */
    devices: (): readonly DevicePlace[] => places,
    channels: (): readonly PlacedChannel[] =>
      files.flatMap(({ file, channels }) => channels.map((one) => ({ ...one, file }))),
    /** Whom a step of an escalation reaches. */
    reachedBy: ((to, at, notThrough?: string) => reachedBy(to, at, notThrough)) satisfies ReachedBy,
    /** Schedules of all files, by name. */
    schedules: (): readonly PlacedSchedule[] => schedules,
    /** The stored state of a schedule. */
    stateOf: (file: string, schedule: string): OnCallState =>
      files.find((one) => one.file === file)?.states[schedule] ?? {},
    /** People with channels, of all files. */
    people: (): readonly (ChannelPerson & { file: string })[] =>
      files.flatMap(({ file, people }) => people.map((one) => ({ ...one, file }))),
    /** The routes of the page, as stored. */
    pageRoutes: (): readonly Route[] => files.find(({ file }) => file === PAGE)?.routes ?? [],
    /** Reads them again, one time after another: what was read earlier must not replace what was read later. */
    reload: (): Promise<void> => turns.run(read),
  };
}

/** @param notThrough a channel that is left out @returns undefined: nowhere */
function without(
  { channels, ifAnnounced, holds, escalations }: Destinations,
  notThrough: string | undefined,
  atOnce: ReadonlySet<string>
): Destinations | undefined {
  const isOther = (name: string): boolean => ofDevice(name).name !== notThrough;
  const kept = { channels: channels.filter(isOther), ifAnnounced: ifAnnounced.filter(isOther) };
  if (kept.channels.length + kept.ifAnnounced.length === 0 && escalations === undefined) {
    return undefined;
  }
  const held = Object.entries(holds ?? {}).filter(([name]) => !atOnce.has(name));
  const escalating = escalations?.map((one) => ({
    ...one,
    steps: one.steps.filter(({ to }) => isOther(to)),
    reach: one.reach.filter(isOther),
    ...(one.reminder && { reminder: { ...one.reminder, to: one.reminder.to.filter(isOther) } }),
    ...(notThrough !== undefined && { notThrough }),
  }));
  return {
    ...kept,
    ...(held.length > 0 && { holds: Object.fromEntries(held) }),
    ...(escalating && { escalations: escalating }),
  };
}

/** With the last copies of their calendars. */
function schedulesOf({ file, schedules, people, states }: ChannelFile, logins: ReadonlySet<string>): PlacedSchedule[] {
  return schedules.map(({ overrides = [], ...rest }) => {
    const { calendar: copy } = states[rest.name] ?? {};
    const { valid = [], ignored = [] } = Object.groupBy(overrides, ({ person }) =>
      logins.has(person) ? 'valid' : 'ignored'
    );
    const one = { ...rest, overrides: valid, ignored };
    if (one.ics === undefined) {
      return { ...one, file };
    }
    const { shifts, unknown } = namedShifts(copy?.shifts ?? [], people);
    const calendar = { readAt: isoTimeOrNull(copy?.readAt ?? null), failure: copy?.failure ?? null, unknown };
    return { ...one, file, shifts, calendar };
  });
}

interface Effective {
  effective: readonly PlacedRoute[];
  places: readonly DevicePlace[];
  schedules: readonly PlacedSchedule[];
}

/** Routes without disabled channels, each device as a destination, and whom steps reach. */
function effectOf(files: readonly ChannelFile[], { effective, places, schedules }: Effective) {
  const disabled = namesOf(files, (one) => one.disabled === true);
  const pushed = namesOf(files, ({ type }) => DESCRIPTORS[type].hasDevices === true);
  const atOnce = namesOf(files, ({ type }) => DESCRIPTORS[type].isBridge === true);
  const placesOf = (names: readonly string[], route: Pick<Route, 'persons'>): string[] =>
    names
      .filter((name) => !disabled.has(name))
      .flatMap((name) => (pushed.has(name) ? devicesOf(name, route, places) : [name]));
  const people = new Map(files.flatMap((file) => file.people.map((one) => [one.login, one] as const)));
  const ofPeople = [...people.values()].flatMap(({ login, channels }) => placesOf(channels, { persons: [login] }));
  const ids = routeIds(effective);
  const sends = namesOf(files, ({ name }) => !atOnce.has(name));
  return {
    active: effective.map((route, index) => ({
      ...activeOf(route, (names) => placesOf(names, route), [...new Set(ofPeople)]),
      id: ids[index]!,
    })),
    atOnce,
    reachedBy: reachedIn({
      schedules: new Map(schedules.map((one) => [one.name, one])),
      people,
      placesOf: (name, login) => (sends.has(name) ? placesOf([name], { persons: [login] }) : []),
    }),
  };
}

type Find = (routed: Routed, notThrough: string | undefined) => Destinations | undefined;

/** Most notifications differ from others in what no route compares, and comparing takes longer than storing the result. */
function createCache(usesLabels: () => boolean, find: Find): { find: Find; clear(): void } {
  const known = new LRUCache<string, { to: Destinations | undefined }>({ max: LIMITS.cachedRoutings.value });
  return {
    find(routed, notThrough) {
      const { category, dnpName, priority, status, node, labels } = routed;
      const compared = usesLabels() ? ` ${JSON.stringify(labels ?? {})}` : '';
      // Categories and packages are any text; the others contain no spaces.
      const key = `${priority} ${status} ${node} ${notThrough ?? ''} ${category.length} ${category}${dnpName}${compared}`;
      let one = known.get(key);
      if (one === undefined) {
        one = { to: find(routed, notThrough) };
        known.set(key, one);
      }
      return one.to;
    },
    clear: () => known.clear(),
  };
}

const namesOf = (files: readonly ChannelFile[], is: (channel: StoredChannel) => boolean): Set<string> =>
  new Set(files.flatMap(({ channels }) => channels.filter(is).map(({ name }) => name)));

const devicesOf = (name: string, { persons }: Pick<Route, 'persons'>, places: readonly DevicePlace[]): string[] =>
  places.flatMap(({ id, login }) => (persons?.includes(login) === false ? [] : deviceChannel(name, id)));

/** @param placesOf names in the outbox @param ofPeople those of the channels of all people */
function activeOf(
  route: PlacedRoute,
  placesOf: (names: readonly string[]) => string[],
  ofPeople: readonly string[]
): Omit<ActiveRoute, 'id'> {
  const escalation = route.escalation?.map((step) => ({ ...step, channels: placesOf(step.channels ?? []) }));
  const isForPeople = route.remindAcknowledged !== undefined || namesIn(route).some(({ kind }) => kind !== 'channel');
  const reach = [...(escalation ?? []).flatMap(({ channels }) => channels), ...(isForPeople ? ofPeople : [])];
  return {
    ...route,
    channels: placesOf(route.channels),
    ...(escalation && { escalation }),
    ...(reach.length > 0 && { reach: [...new Set(reach)] }),
  };
}

/** A channel of type webpush to which no route leads takes what is important, whatever the routes decide. */
function defaultsOf(files: readonly ChannelFile[], routes: readonly PlacedRoute[]): PlacedRoute[] {
  const ofPeople = files.flatMap(({ people }) => people.flatMap(({ channels }) => channels));
  const routed = new Set([...routes.flatMap(channelsIn), ...ofPeople]);
  return files.flatMap(({ file, channels }) =>
    channels
      .filter(({ name, type }) => DESCRIPTORS[type].hasDevices && !routed.has(name))
      .map(({ name }) => ({
        channels: [name],
        priority: 'high',
        continue: true,
        ...(file !== PAGE && { file }),
        index: -1,
      }))
  );
}
