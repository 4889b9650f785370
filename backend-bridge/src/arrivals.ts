/** Registers what areas do with arrivals besides storing them, in the same transaction. */
import { outboxOfArrivals } from './delivery/channels/enqueue.ts';
import { suppressedArrivals } from './delivery/suppression/arrivals.ts';
import { autoResolveArrivals } from './inbox/autoResolve/arrivals.ts';
import { type ArrivalHook, registerArrivalHooks } from './inbox/notifications/arrivals.ts';
import { addArrivals, anyReader } from './inbox/readers/writes.ts';
import { responsesToArrivals } from './inbox/respond/arrivals.ts';
import { mutedEndpoints } from './monitoring/thresholds/muted.ts';

const readStates: ArrivalHook = {
  select: anyReader,
  begin: (_trx, { selected }) => ({
    store: (trx, stored) =>
      addArrivals(
        trx,
        stored.map(({ row }) => row),
        selected
      ),
  }),
};

registerArrivalHooks([
  mutedEndpoints,
  readStates,
  suppressedArrivals,
  outboxOfArrivals,
  responsesToArrivals,
  autoResolveArrivals,
]);
