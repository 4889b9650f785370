/** Resolves notices of a new version once the package is registered with it: DAppNode sends no resolve (DNP_DAPPMANAGER#2323). */
import semver from 'semver';
import type { Gone } from '../inbox/autoResolve/writes.ts';
import type { Core } from '../platform/core/area.ts';
import { repeat } from '../platform/runtime/repeat.ts';

const CHECK_MS = 60_000;
const LIMIT = 1000;
/** Its threads differ by package. */
export const UPDATE_NOTICE = 'dappmanager-update-pkg';
/** As in "current version 0.1.3, new version 0.1.4". */
const NEW_VERSION = /\bnew version:?\s+v?(\d+\.\d+\.\d+[^\s,;)]*)/i;

/** The version that a notice offers; undefined: it names none. */
export function offeredVersion(text: string): string | undefined {
  const [, version = ''] = NEW_VERSION.exec(text) ?? [];
  return semver.valid(version.replace(/\.$/, '')) ?? undefined;
}

/** @returns stops it */
export function resolveUpdateNotices(
  { db, log }: Pick<Core, 'db' | 'log'>,
  resolve: (gone: readonly Gone[]) => Promise<void>,
  everyMs = CHECK_MS
): () => void {
  const check = async (): Promise<void> => {
    const rows = await db
      .selectFrom('threads as t')
      .innerJoin('notifications as n', 'n.id', 't.head_id')
      .innerJoin('packages as p', 'p.dnp_name', 'n.dnp_name')
      .select(['n.id', 'n.title', 'n.body', 'p.version'])
      .where('t.state', '=', 'open')
      .where('n.correlation_id', '=', UPDATE_NOTICE)
      // Notices from another node are about the packages there.
      .where('n.node', '=', '')
      .limit(LIMIT)
      .execute();
    const gone = rows.flatMap(({ id, title, body, version }) => {
      const offered = offeredVersion(`${title}\n${body}`);
      const isDone = offered !== undefined && semver.valid(version) !== null && semver.gte(version, offered);
      return isDone ? [{ id, reason: `Resolved automatically: the package has version ${version}.` }] : [];
    });
    await resolve(gone);
  };
  return repeat('compare update notices with packages', everyMs, check, log);
}
