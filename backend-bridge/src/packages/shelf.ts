/**
 * Judgements of what is registered, kept in memory so that a list of hundreds does not judge them all again. Each is kept
 * under the revision of its row, and the texts are not kept. Lost at a restart, since a newer bridge may judge otherwise.
 */
import type { Dialect } from '../../contract/finding.ts';
import type { judgePackage } from '../validation/validatePackage.ts';
import type { PackageRow } from '../storage/schema.ts';
import { fingerprintOf, shippedOf, textsOfRow } from './content.ts';
import { keepJudgement, type KeptJudgement } from './describe.ts';
import { headerOf, type PackageHeader, type PackageStore } from './store.ts';
import type { DashboardsOf, RegisteredPackage } from './types.ts';
import type { PackageWorld } from './world.ts';

export interface Shelved {
  header: PackageHeader;
  kept: KeptJudgement;
  fingerprint: string;
}

export interface Shelf {
  /** Every registered package, by name. */
  all(): Promise<Shelved[]>;
  /** @param also packages that are about to be registered, by name: their types and versions count as registered */
  world(also?: ReadonlyMap<string, { type: string; version: string }>): Promise<PackageWorld>;
}

export interface ShelfDeps {
  store: PackageStore;
  judge: typeof judgePackage;
  dashboardsOf: DashboardsOf;
  nodeVersion: string | undefined;
}

interface Kept {
  revision: string;
  /** The types that the judge was told of. */
  types: string;
  shelved: Shelved;
}

/** Rows that are read and judged before others get their turn. */
const CHUNK = 20;

export function createShelf(deps: ShelfDeps): Shelf {
  const kept = new Map<string, Kept>();
  let work: Promise<unknown> = Promise.resolve();

  const refresh = async (): Promise<Shelved[]> => {
    const headers = await deps.store.headers();
    const world = worldOf(headers, deps.nodeVersion);
    const isStale = ({ dnp_name: name, revision }: PackageHeader): boolean => {
      const known = kept.get(name);
      return known?.revision !== revision || known.types !== typesSeen(known.shelved, world);
    };
    const stale = headers.filter(isStale).map((header) => header.dnp_name);
    for (let at = 0; at < stale.length; at += CHUNK) {
      for (const row of await deps.store.rows(stale.slice(at, at + CHUNK))) {
        const shelved = shelve(row, deps, world);
        kept.set(row.dnp_name, { revision: row.revision, types: typesSeen(shelved, world), shelved });
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    const names = new Set(headers.map((header) => header.dnp_name));
    [...kept.keys()].filter((name) => !names.has(name)).forEach((name) => kept.delete(name));
    // One that was removed or changed while this was reading is told in the next list.
    return headers.flatMap((header) => {
      const known = kept.get(header.dnp_name);
      return known === undefined ? [] : [known.shelved];
    });
  };

  return {
    all() {
      // One after another: of two lists at once the second finds everything judged.
      const list = work.then(refresh, refresh);
      work = list;
      return list;
    },
    async world(also) {
      return worldOf(await deps.store.headers(), deps.nodeVersion, also);
    },
  };
}

function worldOf(
  headers: readonly PackageHeader[],
  nodeVersion: string | undefined,
  also?: ReadonlyMap<string, { type: string; version: string }>
): PackageWorld {
  const known = new Map([...headers.map((header) => [header.dnp_name, header] as const), ...(also ?? [])]);
  return {
    versionOf: (name) => known.get(name)?.version,
    typeOf: (name) => known.get(name)?.type,
    nodeVersion,
  };
}

/** A library is judged by the types of what it depends on: when these change, it is judged again. */
function typesSeen({ header, kept }: Pick<Shelved, 'header' | 'kept'>, world: PackageWorld): string {
  return header.type === 'library' ? kept.dependencies.map(({ name }) => world.typeOf(name) ?? '').join() : '';
}

function shelve(row: PackageRow, deps: Pick<ShelfDeps, 'judge' | 'dashboardsOf'>, world: PackageWorld): Shelved {
  const registered = judgeRow(row, deps.judge, world);
  return {
    header: headerOf(row),
    kept: keepJudgement(registered, factsOf(registered), deps.dashboardsOf(registered)),
    fingerprint: fingerprintOf(row),
  };
}

/** @throws when the judge cannot read what it read when it was registered */
export function factsOf({ dnpName, judged }: Pick<RegisteredPackage, 'dnpName' | 'judged'>) {
  if (judged.facts === undefined) {
    throw new Error(`The manifest of ${dnpName}, which was registered, cannot be read any more.`);
  }
  return judged.facts;
}

export function judgeRow(row: PackageRow, judge: typeof judgePackage, world: PackageWorld): RegisteredPackage {
  const texts = textsOfRow(row);
  return {
    dnpName: row.dnp_name,
    version: row.version,
    texts,
    judged: judge(texts, { dialect: row.dialect as Dialect, typeOf: world.typeOf }),
    targets: shippedOf(row.targets),
    dashboards: shippedOf(row.dashboards),
    filesDir: row.files_dir ?? undefined,
  };
}
