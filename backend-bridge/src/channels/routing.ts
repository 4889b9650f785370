/** The routes in effect, held in memory: every notification is compared with them. */
import type { PlacedRoute } from '../../contract/channel.ts';
import type { Incoming } from '../notifications/receive.ts';
import type { ShownChannel } from './channel.ts';
import { destinationsOf, type Destinations, routedOf } from './match.ts';
import type { ChannelFile, OutboxStore } from './store.ts';

export interface Routing {
  /** Where a notification goes; undefined: there are no routes. */
  of(incoming: Pick<Incoming, 'payload' | 'notThrough'>): Destinations | undefined;
  /** Where a notification goes that resolves a thread by hand. */
  byHand(): Destinations | undefined;
  routes(): readonly PlacedRoute[];
  /** Names of this bridge at others. */
  ownNames(): string[];
  channels(): readonly (ShownChannel & { file: string })[];
  /** Reads them again. */
  reload(): Promise<void>;
}

export async function createRouting(store: Pick<OutboxStore, 'files'>): Promise<Routing> {
  let files: ChannelFile[] = [];
  let routes: PlacedRoute[] = [];
  const reload = async (): Promise<void> => {
    files = await store.files();
    routes = files.flatMap(({ file, routes: some }) => some.map((route, index) => ({ ...route, file, index })));
  };
  await reload();
  return {
    of({ payload, notThrough }) {
      if (routes.length === 0) {
        return undefined;
      }
      const { channels, ifAnnounced } = destinationsOf(routes, routedOf(payload));
      const isOther = (name: string): boolean => name !== notThrough;
      return { channels: channels.filter(isOther), ifAnnounced: ifAnnounced.filter(isOther) };
    },
    byHand: () =>
      routes.length === 0
        ? undefined
        : { channels: [], ifAnnounced: [...new Set(routes.flatMap(({ channels }) => channels))] },
    routes: () => routes,
    ownNames: () => files.flatMap(({ channels }) => channels.flatMap(({ node }) => node ?? [])),
    channels: () => files.flatMap(({ file, channels }) => channels.map((one) => ({ ...one, file }))),
    reload,
  };
}
