/** A change of a registered package: compares its files with the stored ones and builds the write. */
import { type Actor, nameOfActor } from '../../../contract/audit.ts';
import { randomUUID } from 'node:crypto';
import type { Dialect } from '../../../contract/finding.ts';
import type { PackageBody, PackageChange } from '../../../contract/package.ts';
import type { PackageRow } from '../../platform/storage/schema.ts';
import type { ChangeSettings } from '../../monitoring/thresholds/writes.ts';
import type { ManifestFacts } from '../../validation/manifest/validateManifest.ts';
import { decideChange } from '../../validation/updateDecision.ts';
import type { PackageTexts } from '../../validation/package/validatePackage.ts';
import type { PackageStore } from './store.ts';
import type { ShippedFile } from './types.ts';
import type { PackagePut, PackageRemoval } from './writes.ts';

/** Objects are formatted as in a file, so that findings have lines. */
export function textsOfBody({ manifest, notifications, compose }: PackageBody): PackageTexts {
  const text = (file: string | Record<string, unknown>): string =>
    typeof file === 'string' ? file : JSON.stringify(file, null, 2);
  return {
    manifest: text(manifest),
    ...(notifications !== undefined && { notifications: text(notifications) }),
    ...(compose !== undefined && { compose: text(compose) }),
  };
}

export function textsOfRow({ manifest, notifications, compose }: PackageRow): PackageTexts {
  return {
    manifest,
    ...(notifications !== null && { notifications }),
    ...(compose !== null && { compose }),
  };
}

/** Equal if all files are byte-equal. */
export function contentOf({ manifest, notifications, compose }: PackageTexts): string {
  return JSON.stringify([manifest, notifications ?? null, compose ?? null]);
}

export function shippedOf(json: string | null): ShippedFile[] {
  return json === null ? [] : (JSON.parse(json) as ShippedFile[]);
}

/** @returns the stored form; null for no files */
export function jsonOfShipped(files: readonly ShippedFile[] | undefined): string | null {
  return files === undefined || files.length === 0
    ? null
    : JSON.stringify(files.map(({ path, text }) => ({ path, text })));
}

/** @param version a semantic version, or one that matches the regular expression of the specification */
export function changeOf(row: PackageRow | undefined, version: string, texts: PackageTexts): PackageChange {
  return decideChange(row && { version: row.version, content: contentOf(textsOfRow(row)) }, {
    version,
    content: contentOf(texts),
  });
}

/** Whether this text has been accepted since the package was registered; after a reinstallation it must be accepted again. */
export async function isApproved(store: PackageStore, row: PackageRow | undefined, text: string): Promise<boolean> {
  return row !== undefined && (await store.approval(row.dnp_name, row.registered_ts, text)) !== undefined;
}

export interface Registering {
  /** The registered package. */
  row: PackageRow | undefined;
  texts: PackageTexts;
  facts: ManifestFacts;
  dialect: Dialect;
  change: PackageChange;
  by: Actor | undefined;
  now: number;
  /** The disclaimer that was accepted with this request. */
  approved: string | undefined;
  /** Ids of the endpoints that are disabled by default. */
  off: readonly string[];
  /** Settings of this request. */
  settings?: ChangeSettings | undefined;
  /** Set by provisioning files only. */
  provisioned?: Pick<PackageRow, 'targets' | 'dashboards' | 'files_dir' | 'origin_file'>;
}

/** Registrant of packages that are removed once DAppNode's manager no longer has them: nobody else is stored by this name. */
export const MANAGER = 'DAppNode';

const registrantOf = (by: Actor | undefined): string | null => {
  const name = nameOfActor(by);
  return name === MANAGER && by?.kind !== 'bridge' ? null : name;
};

const OF_NO_FILE = { targets: null, dashboards: null, files_dir: null, origin_file: null };

export function putOf(registering: Registering): PackagePut {
  const { row, texts, facts, change, now } = registering;
  const { dnpName, version, type } = facts.summary;
  const by = nameOfActor(registering.by);
  const isNews = change.kind !== 'same';
  const { revision, registered_ts, registered_by, updated_ts } = row ?? {
    revision: null,
    registered_ts: now,
    registered_by: registrantOf(registering.by),
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
    by: registering.by ?? null,
    now,
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
  by: Actor | undefined,
  now: number
): PackageRemoval {
  const { dnp_name: dnpName, revision, version } = row;
  return {
    dnpName,
    expected: revision,
    by: by ?? null,
    history: { ts: now, action: 'removed', version, from_version: null, done_by: nameOfActor(by) },
  };
}
