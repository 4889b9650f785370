/** The routes in effect, held in memory: every notification is compared with them. */
import type { PlacedRoute } from '../../contract/channel.ts';
import type { Incoming } from '../notifications/receive.ts';
import type { DevicePlace } from '../push/store.ts';
import { deviceChannel, type ShownChannel } from './channel.ts';
import { destinationsOf, type Destinations, routedOf } from './match.ts';
import type { ChannelFile, OutboxStore } from './store.ts';

export interface Routing {
  /** Where a notification goes; undefined: there are no routes. */
  of(incoming: Pick<Incoming, 'payload' | 'notThrough'>): Destinations | undefined;
  /** Where a notification goes that resolves a thread by hand. */
  byHand(): Destinations | undefined;
  /** As configured. */
  routes(): readonly PlacedRoute[];
  /** With the defaults of channels to which no route leads. */
  effective(): readonly PlacedRoute[];
  devices(): readonly DevicePlace[];
  channels(): readonly (ShownChannel & { file: string })[];
  /** Reads them again. */
  reload(): Promise<void>;
}

/** @param devices those that receive web push */
export async function createRouting(
  store: Pick<OutboxStore, 'files'>,
  devices: () => Promise<DevicePlace[]>
): Promise<Routing> {
  let files: ChannelFile[] = [];
  let routes: PlacedRoute[] = [];
  let effective: PlacedRoute[] = [];
  let places: DevicePlace[] = [];
  let pushed = new Set<string>();
  const reload = async (): Promise<void> => {
    [files, places] = await Promise.all([store.files(), devices()]);
    routes = files.flatMap(({ file, routes: some }) => some.map((route, index) => ({ ...route, file, index })));
    effective = [...defaultsOf(files, routes), ...routes];
    pushed = new Set(
      files.flatMap(({ channels }) => channels.flatMap((one) => (one.type === 'webpush' ? [one.name] : [])))
    );
  };
  await reload();
  /** Each device is a destination. */
  const expanded = (names: readonly string[]): string[] =>
    names.flatMap((name) => (pushed.has(name) ? places.map(({ id }) => deviceChannel(name, id)) : [name]));

  return {
    of({ payload, notThrough }) {
      if (effective.length === 0) {
        return undefined;
      }
      const { channels, ifAnnounced } = destinationsOf(effective, routedOf(payload));
      const isOther = (name: string): boolean => name !== notThrough;
      return { channels: expanded(channels.filter(isOther)), ifAnnounced: expanded(ifAnnounced.filter(isOther)) };
    },
    byHand: () =>
      effective.length === 0
        ? undefined
        : { channels: [], ifAnnounced: expanded([...new Set(effective.flatMap(({ channels }) => channels))]) },
    routes: () => routes,
    effective: () => effective,
    channels: () => files.flatMap(({ file, channels }) => channels.map((one) => ({ ...one, file }))),
    devices: () => places,
    reload,
  };
}

/** A channel of type webpush to which no route leads takes what is important, whatever the routes decide. */
function defaultsOf(files: readonly ChannelFile[], routes: readonly PlacedRoute[]): PlacedRoute[] {
  const routed = new Set(routes.flatMap(({ channels }) => channels));
  return files.flatMap(({ file, channels }) =>
    channels
      .filter(({ name, type }) => type === 'webpush' && !routed.has(name))
      .map(({ name }) => ({ channels: [name], priority: 'high', continue: true, file, index: -1 }))
  );
}
