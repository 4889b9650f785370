/** What happens besides storing when notifications arrive, in the same transaction. */
import { outboxOfArrivals } from './channels/writes.ts';
import { type ArrivalHook, registerArrivalHooks } from './notifications/arrivals.ts';
import { addArrivals, anyReader } from './readers/writes.ts';
import { responsesToArrivals } from './respond/arrivals.ts';
import { mutedEndpoints } from './thresholds/muted.ts';

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

registerArrivalHooks([mutedEndpoints, readStates, outboxOfArrivals, responsesToArrivals]);
