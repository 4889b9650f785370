/**
 * In-memory cache of what lists and other rooms need of each registered package, so that a list of hundreds does not parse and
 * validate every file again. Entries are keyed by the revision of the row and do not hold the files. The cache is not persisted:
 * another version of the bridge may validate differently.
 */
import type { Dialect } from '../../../contract/finding.ts';
import { createSerial } from '../../platform/runtime/serial.ts';
import type { PackageRow } from '../../platform/storage/schema.ts';
import type { validatePackage } from '../../validation/package/validatePackage.ts';
import { shippedOf, textsOfRow } from './change.ts';
import { fingerprintOf } from './fingerprint.ts';
import { extractOf, type PackageExtract } from './describe.ts';
import { headerOf, type PackageHeader, type PackageStore } from './store.ts';
import type { DashboardsOf, PackageWorld, RegisteredPackage } from './types.ts';

export interface CachedPackage {
  header: PackageHeader;
  extract: PackageExtract;
  fingerprint: string;
}

export interface PackageCacheDeps {
  store: PackageStore;
  validate: typeof validatePackage;
  dashboardsOf: DashboardsOf;
  nodeVersion: string | undefined;
}

interface Entry {
  revision: string;
  /** The types of its dependencies at validation. */
  types: string;
  cached: CachedPackage;
}

/** Rows that are read and validated before the event loop gets a turn. */
const CHUNK = 20;

export type PackageCache = ReturnType<typeof createPackageCache>;

export function createPackageCache(deps: PackageCacheDeps) {
  const entries = new Map<string, Entry>();
  const inTurn = createSerial();

  const refresh = async (): Promise<CachedPackage[]> => {
    const headers = await deps.store.headers();
    const world = worldOf(headers, deps.nodeVersion);
    const isStale = ({ dnp_name: name, revision }: PackageHeader): boolean => {
      const entry = entries.get(name);
      return entry?.revision !== revision || entry.types !== dependencyTypes(entry.cached, world);
    };
    const stale = headers.filter(isStale).map((header) => header.dnp_name);
    for (let at = 0; at < stale.length; at += CHUNK) {
      for (const row of await deps.store.rows(stale.slice(at, at + CHUNK))) {
        const cached = toCached(row, deps, world);
        entries.set(row.dnp_name, { revision: row.revision, types: dependencyTypes(cached, world), cached });
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    const names = new Set(headers.map((header) => header.dnp_name));
    [...entries.keys()].filter((name) => !names.has(name)).forEach((name) => entries.delete(name));
    // A package that was removed or changed during this refresh is in the next list.
    return headers.flatMap((header) => entries.get(header.dnp_name)?.cached ?? []);
  };

  return {
    /** Every registered package, by name. The second of two concurrent lists finds everything cached. */
    all: () => inTurn(refresh),
    /** @param pending packages that are about to be registered, by name: they count as registered */
    async world(pending?: ReadonlyMap<string, { type: string; version: string }>): Promise<PackageWorld> {
      return worldOf(await deps.store.headers(), deps.nodeVersion, pending);
    },
  };
}

function worldOf(
  headers: readonly PackageHeader[],
  nodeVersion: string | undefined,
  pending?: ReadonlyMap<string, { type: string; version: string }>
): PackageWorld {
  const known = new Map([...headers.map((header) => [header.dnp_name, header] as const), ...(pending ?? [])]);
  return {
    versionOf: (name) => known.get(name)?.version,
    typeOf: (name) => known.get(name)?.type,
    nodeVersion,
  };
}

/** The findings of a library depend on the types of its dependencies: it is validated again when they change. */
function dependencyTypes({ header, extract }: Pick<CachedPackage, 'header' | 'extract'>, world: PackageWorld): string {
  return header.type === 'library' ? extract.dependencies.map(({ name }) => world.typeOf(name) ?? '').join() : '';
}

function toCached(
  row: PackageRow,
  deps: Pick<PackageCacheDeps, 'validate' | 'dashboardsOf'>,
  world: PackageWorld
): CachedPackage {
  const registered = validateRow(row, deps.validate, world);
  return {
    header: headerOf(row),
    extract: extractOf(registered, factsOf(registered), deps.dashboardsOf(registered)),
    fingerprint: fingerprintOf(row),
  };
}

/** @throws when a registered manifest can no longer be parsed */
export function factsOf({ dnpName, validated }: Pick<RegisteredPackage, 'dnpName' | 'validated'>) {
  if (validated.facts === undefined) {
    throw new Error(`The registered manifest of ${dnpName} can no longer be parsed.`);
  }
  return validated.facts;
}

export function validateRow(row: PackageRow, validate: typeof validatePackage, world: PackageWorld): RegisteredPackage {
  const texts = textsOfRow(row);
  return {
    dnpName: row.dnp_name,
    version: row.version,
    texts,
    validated: validate(texts, { dialect: row.dialect as Dialect, typeOf: world.typeOf }),
    targets: shippedOf(row.targets),
    dashboards: shippedOf(row.dashboards),
    filesDir: row.files_dir ?? undefined,
  };
}
