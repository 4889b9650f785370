/** Packages and endpoints of incoming notifications that are off. Runs in the writer thread. */
import { sql } from 'kysely';
import { inPairs } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import { prepared } from '../../platform/storage/prepared.ts';

/** Whether notifications with these are muted. */
export type IsSilenced = (dnpName: string, correlationId: string) => boolean;

const keyOf = (dnpName: string, correlationId: string): string => `${dnpName.length} ${dnpName}${correlationId}`;

/**
 * Only while {@link isAnythingOff}.
 * @param pairs package and correlationId of the notifications
 */
export async function silencedAmong(
  trx: Transacting,
  pairs: readonly (readonly [dnpName: string, correlationId: string])[]
): Promise<IsSilenced> {
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
export const isAnythingOff = prepared<{ any: number }>((trx) => {
  const query = sql<{ any: number }>`select
    exists (select 1 from shipped_off) or exists (select 1 from settings where member = 'enabled') as "any"`;
  return { compile: () => query.compile(trx) };
});
