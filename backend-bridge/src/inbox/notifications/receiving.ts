/** The one way in, for senders and monitors alike. */
import { foldCategory } from '../../../contract/notification.ts';
import { mapInTurns } from '../../platform/runtime/steps.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import type { AdmitNames } from './names.ts';
import type { Destinations, Incoming, Receive, Received, Suppression } from './receive.ts';
import { receive, type ReceivedRow } from './receiveRows.ts';
import { asStored } from './rows.ts';
import type { NotificationStore } from './store.ts';

/** Where notifications go besides the inbox. Undefined: nowhere. */
export interface Routes {
  of(incoming: Pick<Incoming, 'payload' | 'notThrough'>): Destinations | undefined;
  /** Destinations of a resolve by an admin. */
  byHand(): Destinations | undefined;
}

export type Suppress = (incoming: Pick<Incoming, 'payload'>) => Suppression | undefined;

export interface ReceivingDeps {
  writes: WriteQueue;
  store: Pick<NotificationStore, 'byIds'>;
  /** The clock, UTC milliseconds. */
  now: () => number;
  /** The bridge's own clock, by which ages are measured. */
  steady?: () => number;
  /** Limits new categories and packages. Default: no limit. */
  admitNames?: AdmitNames;
  /** Where notifications go besides the inbox. Default: nowhere. */
  routes?: Routes;
  /** `resolveAfter` of alerts of senders without one. Default: none. */
  resolveAfter?: string | undefined;
  /** Silences, maintenance windows and inhibition rules of a notification. Default: none. */
  suppress?: Suppress;
}

const admitAll: AdmitNames = (incoming) => Promise.resolve(incoming.map((item) => ({ item })));

export function createReceive({
  writes,
  store,
  now,
  steady = now,
  admitNames = admitAll,
  routes,
  suppress,
  resolveAfter,
}: ReceivingDeps): Receive {
  const present = async (incoming: Incoming[], ts: number, rows: ReceivedRow[]): Promise<Received[]> => {
    const earlier = rows.filter(({ placed }) => placed === undefined).map(({ id }) => id);
    const known = new Map((earlier.length > 0 ? await store.byIds(earlier) : []).map((one) => [one.id, one]));
    return mapInTurns(rows, ({ id, outcome, placed }, index): Received => {
      const notification = placed ? asStored(incoming[index]!, id, ts, placed) : known.get(id);
      if (outcome === 'conflict') {
        return { outcome, id, notification };
      }
      return notification ? { outcome, id, notification } : { outcome: 'gone', id, notification: undefined };
    });
  };

  return async (incoming) => {
    if (incoming.length === 0) {
      return [];
    }
    const ts = now();
    const admitted = await admitNames(
      incoming.map((item) => withResolveAfter(withFoldedCategory(item), resolveAfter)),
      ts
    );
    const items = await mapInTurns(admitted, ({ item }) => {
      const [destinations, suppression] = [item.destinations ?? routes?.of(item), suppress?.(item)];
      return (destinations ?? suppression) ? { ...item, destinations, suppression } : item;
    });
    const received = await present(
      items,
      ts,
      await writes.submit(receive, { incoming: items, now: ts, steady: steady() }, items[0]?.sender)
    );
    return received.map((one, index) => (one.outcome === 'stored' ? { ...one, note: admitted[index]?.note } : one));
  };
}

function withFoldedCategory(item: Incoming): Incoming {
  const { category } = item.payload;
  const folded = category && foldCategory(category);
  return folded === category ? item : { ...item, payload: { ...item.payload, category: folded } };
}

/** Alerts of webhooks are resolved by their monitor; those of another bridge, by that bridge. */
function withResolveAfter(item: Incoming, resolveAfter: string | undefined): Incoming {
  const { payload, source, via } = item;
  const isDefault = payload.resolveAfter === undefined && payload.status === 'triggered';
  return resolveAfter !== undefined && isDefault && source === 'api' && via === undefined
    ? { ...item, payload: { ...payload, resolveAfter } }
    : item;
}
