/** The routes in effect, held in memory: every notification is compared with them. */
import type { PlacedRoute, Route } from '../../contract/channel.ts';
import type { Incoming } from '../notifications/receive.ts';
import { PAGE, type StoredChannel } from './channel.ts';
import { destinationsOf, type Destinations, routedOf } from './match.ts';
import type { ChannelFile, OutboxStore } from './store.ts';

/** A channel, and where it is configured. */
export type PlacedChannel = StoredChannel & { file: string };

export interface Routing {
  /** Where a notification goes; undefined: there are no routes. */
  of(incoming: Pick<Incoming, 'payload' | 'notThrough'>): Destinations | undefined;
  /** Where a notification goes that resolves a thread by hand. */
  byHand(): Destinations | undefined;
  routes(): readonly PlacedRoute[];
  channels(): readonly PlacedChannel[];
  /** The routes of the page, as stored. */
  pageRoutes(): readonly Route[];
  /** Reads them again. */
  reload(): Promise<void>;
}

export async function createRouting(store: Pick<OutboxStore, 'files'>): Promise<Routing> {
  let files: ChannelFile[] = [];
  let routes: PlacedRoute[] = [];
  /** The same without channels that are disabled. */
  let active: PlacedRoute[] = [];
  const reload = async (): Promise<void> => {
    const all = await store.files();
    // The page's routes come last.
    files = [...all.filter(({ file }) => file !== PAGE), ...all.filter(({ file }) => file === PAGE)];
    routes = files.flatMap(({ file, routes: some }) =>
      some.map((route, index) => ({ ...route, ...(file !== PAGE && { file }), index }))
    );
    const disabled = new Set(
      files.flatMap(({ channels }) => channels.flatMap(({ name, disabled: isOff }) => (isOff ? name : [])))
    );
    active = routes.map((route) => ({ ...route, channels: route.channels.filter((name) => !disabled.has(name)) }));
  };
  await reload();
  return {
    of({ payload, notThrough }) {
      if (routes.length === 0) {
        return undefined;
      }
      const { channels, ifAnnounced, ...rest } = destinationsOf(active, routedOf(payload));
      const isOther = (name: string): boolean => name !== notThrough;
      return { ...rest, channels: channels.filter(isOther), ifAnnounced: ifAnnounced.filter(isOther) };
    },
    byHand: () =>
      routes.length === 0
        ? undefined
        : { channels: [], ifAnnounced: [...new Set(active.flatMap(({ channels }) => channels))] },
    routes: () => routes,
    channels: () => files.flatMap(({ file, channels }) => channels.map((one) => ({ ...one, file }))),
    pageRoutes: () => files.find(({ file }) => file === PAGE)?.routes ?? [],
    reload,
  };
}
