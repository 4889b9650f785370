/** Applies provisioning files, and lists what each file provisions. */
import type { ProvisionedFile, ProvisioningFinding } from '../../contract/provisioning.ts';
import { KINDS, type Wanted, wantedOf } from './kinds/index.ts';
import type { ApplyDeps, Kind, Owners } from './kinds/kind.ts';
import { clashes, type FileClaim, type LoadedFile } from './loadFile.ts';
import type { Provision } from './writes.ts';

export interface StoringDeps extends ApplyDeps {
  store: (provision: Provision) => Promise<void>;
  /** The clock, UTC milliseconds. */
  now: () => number;
}

type InUse = Pick<ProvisionedFile, 'packages' | 'categories' | 'senders' | 'mappings'>;

const has = ({ claims }: LoadedFile, { kind, key }: FileClaim): boolean =>
  claims.some((one) => one.kind === kind && one.key === key);

/** Whether the file has the entry no longer. A file with an error keeps what it has provisioned. */
function hasReleased(folder: readonly LoadedFile[], file: string | undefined, claim: FileClaim): boolean {
  const loaded = folder.find((one) => one.file === file);
  return loaded === undefined || (loaded.wanted !== undefined && !has(loaded, claim));
}

function without(loaded: LoadedFile, claims: readonly FileClaim[]): LoadedFile {
  const isLeft = (kind: Kind) => (entry: unknown) =>
    !claims.some((claim) => claim.kind === kind && claim.key === kind.claim?.(entry).key);
  const wanted: Record<string, unknown[]> = Object.fromEntries(
    KINDS.map((kind) => [kind.member, wantedOf(loaded.wanted, kind).filter(isLeft(kind))])
  );
  return { ...loaded, wanted: wanted as Wanted };
}

export async function readOwners(deps: ApplyDeps) {
  const owners = new Map<Kind, Owners | undefined>();
  for (const kind of KINDS) {
    owners.set(kind, await kind.owners?.(deps));
  }
  /** The other file that an entry of a file has to wait for. */
  const blockerOf = (claim: FileClaim, file: string, folder: readonly LoadedFile[]): string | undefined => {
    const owner = owners.get(claim.kind)?.of(claim.key, file);
    return owner === file || (claim.kind.movable && hasReleased(folder, owner, claim)) ? undefined : owner;
  };
  return {
    /** Files that provision anything, by name. */
    files: () => [...new Set([...owners.values()].flatMap((one) => one?.files ?? []))],
    of: (file: string) =>
      Object.fromEntries(
        [...owners].flatMap(([{ member }, one]) => (one?.names ? [[member, one.names(file)]] : []))
      ) as InUse,
    /** Entries that another file provisions already. @param folder all files */
    clashes: (loaded: LoadedFile, folder: readonly LoadedFile[]): ProvisioningFinding[] =>
      clashes(loaded, (claim) => blockerOf(claim, loaded.file, folder)),
    /** Files that only wait for each other to release entries, without the entries that they wait for. */
    swaps(waiting: readonly LoadedFile[], folder: readonly LoadedFile[]): LoadedFile[] {
      const isBlocked =
        ({ file }: LoadedFile) =>
        (claim: FileClaim) =>
          blockerOf(claim, file, folder) !== undefined;
      let swapping = waiting;
      for (let count = -1; count !== swapping.length;) {
        const all = swapping;
        count = all.length;
        swapping = all.filter((loaded) =>
          loaded.claims.filter(isBlocked(loaded)).every((claim) => {
            const blocker = blockerOf(claim, loaded.file, folder);
            return all.some(({ file }) => file === blocker) && hasReleased(folder, blocker, claim);
          })
        );
      }
      return swapping.map((loaded) => without(loaded, loaded.claims.filter(isBlocked(loaded))));
    },
    /** Movable entries of the file that another one has now. */
    moving: (loaded: LoadedFile, folder: readonly LoadedFile[]): FileClaim[] =>
      folder
        .flatMap(({ claims }) => claims)
        .filter(
          (claim) =>
            claim.kind.movable && owners.get(claim.kind)?.of(claim.key, '') === loaded.file && !has(loaded, claim)
        ),
  };
}

/**
 * Applies a file. The registry accepts or rejects all of its packages; then the rest is stored in one transaction, which can only fail
 * with the store.
 * @param moving entries that stay until another file is applied
 * @returns why nothing was applied; empty if the file was applied
 */
export async function applyFile(
  deps: StoringDeps,
  loaded: LoadedFile,
  moving: readonly FileClaim[]
): Promise<ProvisioningFinding[]> {
  const { file, at, wanted } = loaded;
  const movingOf = (kind: Kind) => moving.flatMap((one) => (one.kind === kind ? one.key : []));
  const all = KINDS.map((kind) => [kind, wantedOf(wanted, kind)] as const);
  const refusals = all.flatMap(([kind, entries]) => kind.refuse?.(deps, loaded, entries) ?? []);
  if (refusals.length > 0) {
    return refusals;
  }
  let rest = 'It';
  try {
    for (const [kind, entries] of all) {
      const findings = (await kind.register?.(deps, loaded, entries, movingOf(kind))) ?? [];
      if (findings.length > 0) {
        return findings;
      }
      rest = kind.register && entries.length > 0 ? 'Its packages are applied, the rest' : rest;
    }
    const stored = all.flatMap(([kind, entries]) => (kind.stored ? [[kind.member, kind.stored(entries)]] : []));
    await deps.store({ ...(Object.fromEntries(stored) as Omit<Provision, 'file' | 'now'>), file, now: deps.now() });
    for (const [kind, entries] of all) {
      await kind.applied?.(deps, file, entries, movingOf(kind));
    }
    return [];
  } catch (error) {
    const base = { rule: 'store', verdict: 'error', title: 'The file could not be applied' } as const;
    return [at([], { ...base, detail: `${(error as Error).message} ${rest} is retried within a minute.` })];
  }
}
