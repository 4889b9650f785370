/** Changes of registered packages in the writer thread, all or none per call. */
import { LIMITS } from '../../../contract/limits.ts';
import type { Actor } from '../../../contract/audit.ts';
import { audit } from '../../platform/audit/writes.ts';
import { removeSynced } from '../../monitoring/chains/writes.ts';
import { insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { JournalEvent } from '../../platform/storage/events.ts';
import type { PackageApprovalRow, PackageHistoryRow, PackageRow, Schema } from '../../platform/storage/schema.ts';
import type { Written } from '../../platform/storage/write.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type ChangeSettings, setShippedOff, storeSettings } from '../../monitoring/thresholds/writes.ts';

/** History entries kept per package. */
export const KEPT_HISTORY = LIMITS.keptPackageHistory.value;
/** Accepted disclaimers kept per package; older ones must be accepted again. */
export const KEPT_APPROVALS = LIMITS.keptApprovals.value;

export interface PackagePut {
  /** The revision that the change is based on; null if the package was not registered. */
  expected: string | null;
  /** With a new revision. */
  row: PackageRow;
  approval?: Omit<PackageApprovalRow, 'seq' | 'dnp_name'>;
  /** Absent if nothing relevant changed. */
  history?: Omit<PackageHistoryRow, 'seq' | 'dnp_name'>;
  /** Ids of the endpoints that are disabled by default. */
  off: readonly string[];
  /** UTC milliseconds. */
  now: number;
  /** Null: the bridge. */
  by: Actor | null;
  /** Settings of the same request. */
  settings?: ChangeSettings;
}

export interface PackageRemoval {
  dnpName: string;
  expected: string;
  /** Null: the bridge. */
  by: Actor | null;
  history: Omit<PackageHistoryRow, 'seq' | 'dnp_name'>;
}

export interface ChangePackages {
  puts: PackagePut[];
  removals: PackageRemoval[];
}

/** @returns the package that was changed concurrently, in which case nothing was changed */
export async function changePackages(
  trx: Transacting,
  { puts, removals }: ChangePackages
): Promise<Written<{ conflict: string | null }>> {
  const expected = [
    ...puts.map((put) => ({ name: put.row.dnp_name, revision: put.expected })),
    ...removals.map((removal) => ({ name: removal.dnpName, revision: removal.expected })),
  ];
  for (const { name, revision } of expected) {
    const row = await trx.selectFrom('packages').select('revision').where('dnp_name', '=', name).executeTakeFirst();
    if ((row?.revision ?? null) !== revision) {
      return { result: { conflict: name }, events: [] };
    }
  }
  for (const removal of removals) {
    await auditPackage(trx, removal.dnpName, undefined, { by: removal.by, now: removal.history.ts });
    await trx.deleteFrom('packages').where('dnp_name', '=', removal.dnpName).execute();
    await addHistory(trx, removal.dnpName, removal.history);
  }
  await setShippedOff(
    trx,
    removals.map(({ dnpName }) => ({ dnpName, off: [] }))
  );
  await removeSynced(
    trx,
    removals.map(({ dnpName }) => dnpName)
  );
  const events: Omit<JournalEvent, 'id'>[] = expected.map(({ name }) => ({
    type: 'packages',
    data: { dnpName: name },
  }));
  for (const put of puts) {
    await putPackage(trx, put);
    if (put.settings) {
      events.push(...(await storeSettings(trx, put.settings)));
    }
  }
  return { result: { conflict: null }, events };
}

/** Before the row is changed. Files may contain passwords, so only their fingerprint is recorded. */
async function auditPackage(
  trx: Transacting,
  name: string,
  row: PackageRow | undefined,
  { by, now, accepted = false }: { by: Actor | null; now: number; accepted?: boolean }
): Promise<void> {
  const known = await trx.selectFrom('packages').selectAll().where('dnp_name', '=', name).executeTakeFirst();
  const [before, after] = [known && auditedPackage(known), row && auditedPackage(row)];
  if (accepted || JSON.stringify(before) !== JSON.stringify(after)) {
    const action =
      after === undefined ? 'package.remove' : before === undefined ? 'package.register' : 'package.update';
    const shown = accepted ? { ...after, disclaimerAccepted: true } : after;
    await audit(trx, { by, action, object: name, before, after: shown, now });
  }
}

const auditedPackage = (row: PackageRow) => ({
  version: row.version,
  fingerprint: fingerprintOf(row),
  ...(row.origin_file !== null && { file: row.origin_file }),
  ...(row.files_dir !== null && { files: row.files_dir }),
});

async function putPackage(trx: Transacting, { row, approval, history, off, by, now }: PackagePut): Promise<void> {
  const name = row.dnp_name;
  await auditPackage(trx, name, row, { by, now, accepted: approval !== undefined });
  await setShippedOff(trx, [{ dnpName: name, off }]);
  if (history) {
    await addHistory(trx, name, history);
  }
  if (approval) {
    await addApproval(trx, row, approval);
  }
  await trx
    .insertInto('packages')
    .values(row)
    .onConflict((conflict) => conflict.column('dnp_name').doUpdateSet(row))
    .execute();
}

/** Stores an approval, unless the same text is stored already: clients that always send the flag must not fill the table. */
async function addApproval(
  trx: Transacting,
  { dnp_name: name, registered_ts: since }: PackageRow,
  approval: NonNullable<PackagePut['approval']>
): Promise<void> {
  const seq = await lastOf(trx, 'package_approvals', name);
  const last = await trx
    .selectFrom('package_approvals')
    .select('message')
    .where('dnp_name', '=', name)
    .where('seq', '=', seq)
    .where('ts', '>=', since)
    .executeTakeFirst();
  if (last?.message !== approval.message) {
    await append(trx, 'package_approvals', { dnp_name: name, seq: seq + 1, ...approval }, KEPT_APPROVALS);
  }
}

async function addHistory(
  trx: Transacting,
  name: string,
  history: Omit<PackageHistoryRow, 'seq' | 'dnp_name'>
): Promise<void> {
  const seq = (await lastOf(trx, 'package_history', name)) + 1;
  await append(trx, 'package_history', { dnp_name: name, seq, ...history }, KEPT_HISTORY);
}

/** Adds an entry of a package, and removes its oldest beyond this number. */
async function append<T extends 'package_approvals' | 'package_history'>(
  trx: Transacting,
  table: T,
  row: Schema[T],
  kept: number
): Promise<void> {
  await insertRows(trx, table, [row]);
  const old = trx.deleteFrom<'package_approvals' | 'package_history'>(table).where('dnp_name', '=', row.dnp_name);
  await old.where('seq', '<=', row.seq - kept).execute();
}

async function lastOf(trx: Transacting, table: 'package_approvals' | 'package_history', name: string): Promise<number> {
  const { last } = await trx
    .selectFrom(table)
    .select((row) => row.fn.max('seq').as('last'))
    .where('dnp_name', '=', name)
    .executeTakeFirstOrThrow();
  return Number(last ?? 0);
}
