/** Packages and endpoints of incoming notifications that are off. Runs in the writer thread. */
import { sql } from 'kysely';
import type { ArrivalHook } from '../../inbox/notifications/arrivals.ts';
import { inPairs } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import { prepared } from '../../platform/storage/prepared.ts';

const keyOf = (dnpName: string, correlationId: string): string => `${dnpName.length} ${dnpName}${correlationId}`;

/**
 * @param pairs package and correlationId of the notifications
 * @returns whether notifications with these are muted
 */
async function silencedAmong(
  trx: Transacting,
  pairs: readonly (readonly [dnpName: string, correlationId: string])[]
): Promise<(dnpName: string, correlationId: string) => boolean> {
  const packages = [...new Set(pairs.map(([dnpName]) => dnpName))].map((dnpName) => [dnpName, ''] as const);
  const switches = await trx
    .selectFrom('settings')
    .select(['dnp_name', 'correlation_id', 'value'])
    .where(inPairs('dnp_name', 'correlation_id', [...pairs, ...packages]))
    .where('member', '=', 'enabled')
    // The value of a file takes precedence over that of an admin, whose file is empty.
    .orderBy('file')
    .execute();
  const shipped = await trx
    .selectFrom('shipped_off')
    .selectAll()
    .where(inPairs('dnp_name', 'correlation_id', pairs))
    .execute();
  const isOff = new Map<string, boolean>();
  shipped.forEach((row) => isOff.set(keyOf(row.dnp_name, row.correlation_id), true));
  switches.forEach((row) => isOff.set(keyOf(row.dnp_name, row.correlation_id), row.value === 0));
  return (dnpName, correlationId) =>
    isOff.get(keyOf(dnpName, '')) === true || isOff.get(keyOf(dnpName, correlationId)) === true;
}

/** The only query while nothing is off: `any` is 0 then. */
const isAnythingOff = prepared<{ any: number }>((trx) => {
  const query = sql<{ any: number }>`select
    exists (select 1 from shipped_off) or exists (select 1 from settings where member = 'enabled') as "any"`;
  return { compile: () => query.compile(trx) };
});

/** Mutes arrivals of packages and endpoints that are off. */
export const mutedEndpoints: ArrivalHook = {
  select: isAnythingOff,
  async begin(trx, { placed, selected }) {
    return (selected[0] as { any: number } | undefined)?.any === 1
      ? {
          mutes: await silencedAmong(trx, [
            ...new Map(
              placed.map(({ dnpName, correlationId }) => [
                keyOf(dnpName, correlationId),
                [dnpName, correlationId] as const,
              ])
            ).values(),
          ]),
        }
      : {};
  },
};
