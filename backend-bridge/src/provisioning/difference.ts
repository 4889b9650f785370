/** The changes that provisioning files would make to a bridge. */
import { KINDS, RANKED_KINDS, wantedOf } from './kinds/index.ts';
import type { Change, DryRun, Get, InUse, Kind } from './kinds/kind.ts';
import { packages, type Registered } from './kinds/package.ts';
import type { LoadedFile } from './loadFile.ts';
import type { LoadedFolder } from './loadFolder.ts';

/** The state of a bridge, by kind and key. Kinds that are not compared are absent. */
export type BridgeState = ReadonlyMap<Kind, ReadonlyMap<string, InUse<unknown>>>;

export async function readState(get: Get): Promise<BridgeState> {
  const state = new Map<Kind, Map<string, InUse<unknown>>>();
  for (const kind of KINDS.filter(isCompared)) {
    const inUse = await kind.dryRun.inUse(get);
    state.set(kind, new Map(inUse.map((one) => [one.key, one])));
  }
  return state;
}

/** @returns undefined: the package is not registered */
export const registeredType = (state: BridgeState, dnpName: string): string | undefined =>
  (state.get(packages)?.get(dnpName) as InUse<Registered> | undefined)?.value.type;

type Compared = Kind & { dryRun: DryRun<unknown, unknown> };
const isCompared = (kind: Kind): kind is Compared => kind.dryRun !== undefined;

export interface Difference extends Change {
  /** The file that provisions it, or no longer does. */
  file: string;
  /** The name of the kind. */
  kind: string;
  name: string;
}

/** By file, in the order of the kinds. Not compared: conflicts between files, chains, and secrets of channels. Pure. */
export function differencesOf(folder: LoadedFolder, state: BridgeState): Difference[] {
  const { files } = folder;
  const owners = [...state.values()].flatMap((inUse) => [...inUse.values()].flatMap(({ file }) => file ?? []));
  const gone = [...new Set(owners)].filter((owner) => !files.some(({ file }) => file === owner)).sort();
  return [
    ...files.flatMap((one) => [...changes(one, folder, state), ...removals(one.file, files, state)]),
    ...gone.flatMap((file) => removals(file, files, state)),
  ];
}

function changes({ file, wanted }: LoadedFile, folder: LoadedFolder, state: BridgeState): Difference[] {
  return KINDS.filter(isCompared).flatMap((kind) =>
    wantedOf(wanted, kind).flatMap((entry) => {
      const { dryRun, name } = kind;
      const key = dryRun.key(entry, file);
      const change = dryRun.difference(entry, state.get(kind)?.get(key), { file, packages: folder.packages });
      return change ? [{ file, kind: name, name: dryRun.nameOf?.(entry) ?? key, ...change }] : [];
    })
  );
}

/** Entries that the file provisioned and no file provisions any more. */
function removals(file: string, files: readonly LoadedFile[], state: BridgeState): Difference[] {
  const all = files.flatMap(({ wanted }) => wanted ?? []);
  return RANKED_KINDS.filter(isCompared).flatMap((kind) => {
    const { dryRun, name } = kind;
    const before = [...(state.get(kind)?.values() ?? [])].filter((one) => one.file === file);
    const wanted = before.length === 0 ? [] : files;
    const kept = new Set(
      wanted.flatMap((one) => wantedOf(one.wanted, kind).map((entry) => dryRun.key(entry, one.file)))
    );
    return before.flatMap((one): Difference[] => {
      const detail = kept.has(one.key) ? undefined : dryRun.removal(one, all);
      return detail === undefined ? [] : [{ file, kind: name, name: one.name ?? one.key, action: 'remove', detail }];
    });
  });
}
