/** Applies provisioning files, and lists what each file provisions. */
import type { ProvisionedFile, ProvisioningFinding } from '../../contract/provisioning.ts';
import type { Category } from '../../contract/query.ts';
import type { Token } from '../../contract/token.ts';
import type { Senders } from '../access/service.ts';
import { hashToken } from '../access/token.ts';
import type { ChainOverrides, ProvisionedChain } from '../chains/address.ts';
import { shownChannel } from '../channels/channel.ts';
import type { Channels } from '../channels/service.ts';
import type { Heartbeats } from '../heartbeats/service.ts';
import type { ProvisionedRegistry } from '../packages/types.ts';
import type { LoadedFile, Wanted } from './types.ts';
import type { Provision } from './writes.ts';

export interface ApplyDeps {
  registry: ProvisionedRegistry;
  categories: () => Promise<Pick<Category, 'category' | 'file'>[]>;
  senders: Pick<Senders, 'list' | 'owner' | 'provision'>;
  chains: Pick<ChainOverrides, 'owner' | 'provision'>;
  channels: Pick<Channels, 'owner' | 'files' | 'provision'>;
  heartbeats: Pick<Heartbeats, 'owner' | 'files' | 'ofFile' | 'provision'>;
  /** The file that sets retention. */
  retentionFile: () => Promise<string | undefined>;
  /** Whether this is the hash of the admin token, which a sender must not have. */
  isAdminHash: (hash: string) => boolean;
  store: (provision: Provision) => Promise<void>;
  /** The clock, UTC milliseconds. */
  now: () => number;
}

/** Of a file that provisions nothing. */
export const NOTHING: Wanted = {
  packages: [],
  categories: [],
  senders: [],
  chains: [],
  channels: [],
  routes: [],
  heartbeats: [],
};

type InUse = Pick<ProvisionedFile, 'packages' | 'categories' | 'senders'>;

export interface Owners {
  /** Files that provision anything, by name. */
  files(): string[];
  of(file: string): InUse;
  /** Entries that another file provisions already. */
  clashes(loaded: LoadedFile): ProvisioningFinding[];
}

export async function readOwners({
  registry,
  categories,
  senders,
  chains,
  channels,
  heartbeats,
  retentionFile,
}: ApplyDeps): Promise<Owners> {
  const retentionOwner = await retentionFile();
  const packages = await registry.provisionedFiles();
  const switched = (await categories()).filter(({ file }) => file !== undefined);
  const good = senders.list().filter(({ file, revokedAt }) => file !== undefined && revokedAt === null);
  const packageOwners = new Map(packages.flatMap((one) => one.packages.map((name) => [name, one.file] as const)));
  const categoryOwners = new Map(switched.map(({ category, file }) => [category, file!]));
  const tokenOwner = (hash: string, file: string): string | undefined => senders.owner(hash, file)?.file;
  return {
    files: () => [
      ...new Set([
        ...packageOwners.values(),
        ...categoryOwners.values(),
        ...good.map(({ file }) => file!),
        ...channels.files(),
        ...heartbeats.files(),
      ]),
      ...(retentionOwner === undefined ? [] : [retentionOwner]),
    ],
    of: (file) => ({
      packages: [...packageOwners].flatMap(([name, owner]) => (owner === file ? name : [])).sort(),
      categories: [...categoryOwners].flatMap(([name, owner]) => (owner === file ? name : [])).sort(),
      senders: good
        .filter((one: Token) => one.file === file)
        .map(({ name }) => name)
        .sort(),
    }),
    clashes({ file, wanted = NOTHING, at }) {
      const clash = (path: PropertyKey[], what: string, owner: string | undefined): ProvisioningFinding[] =>
        owner === undefined || owner === file
          ? []
          : [
              at(path, {
                rule: 'other-file',
                verdict: 'error',
                title: 'Another file provisions this',
                detail: `${what} is provisioned by ${owner}: keep it in one of the two.`,
              }),
            ];
      return [
        ...wanted.packages.flatMap(({ name }, index) =>
          clash(['packages', index], `The package ${name}`, packageOwners.get(name))
        ),
        ...wanted.categories.flatMap(({ category }) =>
          clash(['categories', category], `The category ${JSON.stringify(category)}`, categoryOwners.get(category))
        ),
        ...wanted.senders.flatMap(({ name, hash }, index) =>
          clash(['senders', index], `The token of ${name}`, tokenOwner(hash, file))
        ),
        ...wanted.chains.flatMap(({ dnpName }) =>
          clash(['chains', dnpName], `The node of ${dnpName}`, chains.owner(dnpName))
        ),
        ...wanted.channels.flatMap(({ name }, index) =>
          clash(['channels', index, 'name'], `The channel ${name}`, channels.owner(name))
        ),
        ...wanted.heartbeats.flatMap(({ name }, index) =>
          clash(['heartbeats', index, 'name'], `The heartbeat ${name}`, heartbeats.owner(name))
        ),
        ...(wanted.retention ? clash(['retention'], 'Retention', retentionOwner) : []),
      ];
    },
  };
}

/**
 * Applies a file. The registry accepts or rejects all of its packages; then the rest is stored in one transaction, which can only fail
 * with the store.
 * @returns why nothing was applied; empty if the file was applied
 */
export async function applyFile(deps: ApplyDeps, loaded: LoadedFile, wanted: Wanted): Promise<ProvisioningFinding[]> {
  const { file, at } = loaded;
  const taken = takenTokens(deps, loaded, wanted);
  if (taken.length > 0) {
    return taken;
  }
  try {
    const result = await deps.registry.applyProvisioned(file, wanted.packages);
    if (!result.applied) {
      return result.mistakes.map(({ kind, index, message }) =>
        at(['packages', index], { rule: kind, verdict: 'error', title: 'Registration rejected', detail: message })
      );
    }
    const { categories, retention } = wanted;
    const settings = wanted.packages.flatMap((one) => one.settings);
    await deps.senders.provision(file, wanted.senders, (senders) =>
      deps.store({
        file,
        categories,
        senders,
        settings,
        retention,
        channels: wanted.channels.map(shownChannel),
        routes: wanted.routes,
        chains: wanted.chains.map(shownChain),
        heartbeats: wanted.heartbeats,
        now: deps.now(),
      })
    );
    deps.chains.provision(file, wanted.chains);
    await deps.channels.provision(file, wanted.channels);
    await deps.heartbeats.provision(file, wanted.heartbeats);
    return [];
  } catch (error) {
    const base = { rule: 'store', verdict: 'error', title: 'The file could not be applied' } as const;
    return [at([], { ...base, detail: `${(error as Error).message} It is retried within a minute.` })];
  }
}

/** Without credentials; the address of a node may contain a key in its path. */
function shownChain({ dnpName, url, interval, username }: ProvisionedChain): Provision['chains'][number] {
  const address = url === undefined ? {} : { host: new URL(url).host, addressHash: hashToken(url).slice(0, 12) };
  return { dnpName, shown: { ...address, interval, credentials: username !== undefined } };
}

/** A token identifies one sender. */
function takenTokens(
  { senders, isAdminHash }: ApplyDeps,
  { file, at }: LoadedFile,
  wanted: Wanted
): ProvisioningFinding[] {
  const base = { rule: 'token', verdict: 'error', title: 'Duplicate token' } as const;
  return wanted.senders.flatMap(({ name, hash, previousHash }, index) => {
    const hashes = previousHash === undefined ? [hash] : [hash, previousHash];
    const owner = hashes.map((one) => senders.owner(one, file)).find((one) => one !== undefined);
    const whose = hashes.some(isAdminHash) ? "the admin's" : owner && `that of the sender "${owner.name}"`;
    return whose
      ? [at(['senders', index], { ...base, detail: `The token of ${name} is ${whose}: use a separate token.` })]
      : [];
  });
}
