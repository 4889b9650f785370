/** One registration as the writer makes it, from what was judged and decided. Pure. */
import { randomUUID } from 'node:crypto';
import type { Dialect } from '../../contract/finding.ts';
import type { PackageTexts } from '../validation/validatePackage.ts';
import type { ManifestFacts } from '../validation/manifest/validateManifest.ts';
import type { PackageChange } from '../../contract/package.ts';
import type { PackageRow } from '../storage/schema.ts';
import type { ChangeSettings } from '../thresholds/writes.ts';
import type { PackagePut, PackageRemoval } from './writes.ts';

export interface Registering {
  /** What is registered now. */
  row: PackageRow | undefined;
  texts: PackageTexts;
  facts: ManifestFacts;
  dialect: Dialect;
  change: PackageChange;
  by: string | undefined;
  now: number;
  /** The disclaimer that was approved with this request. */
  approved: string | undefined;
  /** Ids of the endpoints that it ships switched off. */
  off: readonly string[];
  /** What is set with this request. */
  settings?: ChangeSettings | undefined;
  /** What only the operator's files say. */
  provisioned?: Pick<PackageRow, 'targets' | 'dashboards' | 'files_dir' | 'origin_file'>;
}

const OF_NO_FILE = { targets: null, dashboards: null, files_dir: null, origin_file: null };

export function putOf(registering: Registering): PackagePut {
  const { row, texts, facts, change, now } = registering;
  const { dnpName, version, type } = facts.summary;
  const by = registering.by ?? null;
  const isNews = change.kind !== 'same';
  const { revision, registered_ts, registered_by, updated_ts } = row ?? {
    revision: null,
    registered_ts: now,
    registered_by: by,
    updated_ts: now,
  };
  return {
    expected: revision,
    row: {
      dnp_name: dnpName,
      revision: randomUUID(),
      version,
      type,
      dialect: registering.dialect,
      manifest: texts.manifest,
      notifications: texts.notifications ?? null,
      compose: texts.compose ?? null,
      ...OF_NO_FILE,
      ...registering.provisioned,
      registered_ts,
      registered_by,
      updated_ts: isNews ? now : updated_ts,
    },
    ...(registering.approved !== undefined && {
      approval: { ts: now, version, message: registering.approved, approved_by: by },
    }),
    off: registering.off,
    ...(registering.settings && { settings: registering.settings }),
    ...(isNews && {
      history: {
        ts: now,
        action: row === undefined ? 'registered' : 'updated',
        version,
        from_version: row?.version ?? null,
        done_by: by,
      },
    }),
  };
}

export function removalOf(
  row: Pick<PackageRow, 'dnp_name' | 'revision' | 'version'>,
  by: string | undefined,
  now: number
): PackageRemoval {
  const { dnp_name: dnpName, revision, version } = row;
  return {
    dnpName,
    expected: revision,
    history: { ts: now, action: 'removed', version, from_version: null, done_by: by ?? null },
  };
}
