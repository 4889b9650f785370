/**
 * Applies the provisioning files and keeps the bridge in sync with them. A file is applied completely or not at all; while it has
 * errors, or the folder cannot be read, the last applied version stays in effect.
 */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ProvisionedFile, Provisioning, ProvisioningFinding } from '../../contract/provisioning.ts';
import { isoTimeOrNull } from '../../contract/text.ts';
import { applyFile, readOwners, type StoringDeps } from './apply.ts';
import { aboutFile, emptyFile, type LoadedFile, loadFile } from './loadFile.ts';
import type { KnownFiles } from './readFile.ts';

export interface ProvisioningDeps extends StoringDeps {
  /** An absolute path; undefined: nothing is provisioned, and what was provisioned before stays in effect. */
  dir: string | undefined;
  /** Environment variables for the files. */
  env: Record<string, string | undefined>;
  /** Shares the result with the other replicas. */
  share?: (report: () => Promise<ProvisioningReport>) => Promise<void>;
  /** The result of the replica that leads; undefined: this one applies the files. */
  followed?: () => Promise<ProvisioningReport | undefined>;
  log: Log;
}

/** The result of applying the files. */
export interface ProvisioningReport extends Pick<Provisioning, 'state' | 'detail'> {
  /** Heartbeats are known where they are monitored. */
  files: (Fate & Pick<ProvisionedFile, 'heartbeats'>)[];
}

/** The provisioning files in a folder, by name; hidden files of editors and mounts are ignored. */
export async function listFiles(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter((name) => /^[^.].*\.ya?ml$/i.test(name)).sort();
}

/** Applies the files of the folder, and reports the result. */
export class ProvisioningService {
  readonly #deps: ProvisioningDeps;
  readonly #known: KnownFiles = new Map();
  #ledger: Ledger;
  #missing: string | undefined;

  constructor(deps: ProvisioningDeps) {
    this.#deps = deps;
    this.#ledger = createLedger(deps.now, deps.log);
  }

  /** Before the first reload, and when other replicas may have applied files since the last one. */
  restart(): void {
    this.#ledger = createLedger(this.#deps.now, this.#deps.log);
    this.#missing = undefined;
  }

  /**
   * Reads the files and applies changes. Their errors are in the status and in the log. Not to be called concurrently.
   * @returns absolute paths to watch
   * @throws if the store cannot be read
   */
  async reload(): Promise<string[]> {
    const { dir, share } = this.#deps;
    const paths = dir === undefined ? [] : await this.#applyFolder(dir);
    await share?.(() => this.#ownReport());
    return paths;
  }

  async status(): Promise<Provisioning> {
    const [{ files, ...result }, owners] = await Promise.all([this.#report(), readOwners(this.#deps)]);
    return { ...result, files: files.map((one) => ({ ...one, ...owners.of(one.file) })) };
  }

  /** Files whose previous version is in effect, with their errors. */
  async mistakes(): Promise<ReadonlyMap<string, ProvisioningFinding[]>> {
    const { files } = await this.#report();
    return new Map(
      files
        .filter(({ state }) => state === 'failed')
        .map(({ file, findings }) => [
          file,
          findings.filter(({ verdict, rule }) => verdict === 'error' && rule !== 'store'),
        ])
    );
  }

  /** Whether all files have been applied since the last restart. */
  isComplete(): boolean {
    const ledger = this.#ledger;
    return this.#missing === undefined && ledger.files().every((file) => ledger.fate(file).appliedAt !== null);
  }

  async #ownReport(): Promise<ProvisioningReport> {
    const { dir, heartbeats } = this.#deps;
    const owners = await readOwners(this.#deps);
    const names = [...new Set([...this.#ledger.files(), ...owners.files()])].sort();
    const missing = this.#missing;
    return {
      state: dir === undefined ? 'off' : missing === undefined ? 'watching' : 'missing',
      ...(missing !== undefined && { detail: `${missing}. The provisioned state stays in effect.` }),
      files: names.map((file) => ({ ...this.#ledger.fate(file), heartbeats: heartbeats.ofFile(file) })),
    };
  }

  async #report(): Promise<ProvisioningReport> {
    return (await this.#deps.followed?.()) ?? (await this.#ownReport());
  }

  async #applyFolder(dir: string): Promise<string[]> {
    const { env, log } = this.#deps;
    const names = await listFiles(dir).catch((error: NodeJS.ErrnoException) => {
      const why = `${dir} cannot be read (${error.code ?? error.message})`;
      if (this.#missing !== why) {
        log.warn({ dir }, `${why}: the provisioned state stays in effect`);
      }
      this.#missing = why;
    });
    if (names === undefined) {
      // The parent folder changes when it is back.
      return [path.dirname(dir)];
    }
    this.#missing = undefined;
    try {
      const loaded = await Array.fromAsync(names, (name) => loadFile(dir, name, env, this.#known));
      const gone = [...this.#known.keys()].filter((name) => !names.includes(name));
      gone.forEach((name) => this.#known.delete(name));
      await removeGone(this.#deps, this.#ledger, loaded);
      await applyAll(this.#deps, this.#ledger, loaded);
      return [dir, ...loaded.flatMap((one) => one.names)];
    } catch (error) {
      log.error({ err: error }, 'could not apply the provisioning files; retrying within a minute');
      return [dir];
    }
  }
}

/** A deleted file no longer provisions anything. */
async function removeGone(deps: StoringDeps, ledger: Ledger, loaded: LoadedFile[]): Promise<void> {
  const owners = await readOwners(deps);
  for (const file of new Set([...owners.files(), ...ledger.files()])) {
    if (!loaded.some((one) => one.file === file)) {
      const gone = emptyFile(file);
      const refusals = await applyFile(deps, gone, owners.moving(gone, loaded));
      if (refusals.length > 0) {
        ledger.failed(gone, refusals);
      } else {
        ledger.gone(file);
      }
    }
  }
}

/** An entry may move from one file to another: a file that has to wait for that is retried after the others. */
async function applyAll(deps: StoringDeps, ledger: Ledger, loaded: LoadedFile[]): Promise<void> {
  let waiting = loaded;
  for (let progress = true; progress && waiting.length > 0;) {
    const still: LoadedFile[] = [];
    for (const one of waiting) {
      if (!(await applyOne(deps, ledger, one, loaded))) {
        still.push(one);
      }
    }
    progress = still.length < waiting.length || (await releaseSwaps(deps, still, loaded));
    waiting = still;
  }
  const owners = await readOwners(deps);
  for (const one of waiting) {
    ledger.failed(one, [...one.findings, ...owners.clashes(one, loaded)]);
  }
}

/** @returns whether any file has released what another one waits for */
async function releaseSwaps(deps: StoringDeps, waiting: LoadedFile[], folder: LoadedFile[]): Promise<boolean> {
  const owners = await readOwners(deps);
  const swaps = owners.swaps(waiting, folder);
  const refusals = await Array.fromAsync(swaps, (one) => applyFile(deps, one, owners.moving(one, folder)));
  return swaps.length > 0 && refusals.flat().length === 0;
}

/** @returns false if it has to wait for another file */
async function applyOne(deps: StoringDeps, ledger: Ledger, one: LoadedFile, folder: LoadedFile[]): Promise<boolean> {
  if (one.wanted === undefined) {
    ledger.failed(one, one.findings);
    return true;
  }
  const fingerprint = createHash('sha256').update(JSON.stringify(one.wanted)).digest('hex');
  if (ledger.isApplied(one.file, fingerprint)) {
    ledger.checked(one);
    return true;
  }
  const owners = await readOwners(deps);
  if (owners.clashes(one, folder).length > 0) {
    return false;
  }
  const moving = owners.moving(one, folder);
  const refusals = await applyFile(deps, one, moving);
  if (refusals.length > 0) {
    ledger.failed(one, [...one.findings, ...refusals]);
  } else {
    // Applied again later, in case the other file does not take what moves.
    ledger.applied(one, moving.length > 0 ? '' : fingerprint);
  }
  return true;
}

export type Log = Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;
/** Result of a file, without what it provisions. */
export type Fate = Omit<ProvisionedFile, 'packages' | 'categories' | 'senders' | 'heartbeats' | 'mappings'>;

interface Entry {
  checkedTs: number;
  appliedTs: number | null;
  findings: ProvisioningFinding[];
  /** Fingerprint of the last applied version; undefined: it has failed since then. */
  fingerprint?: string;
}

const LOGGED = 20;

export type Ledger = ReturnType<typeof createLedger>;

/** @param now the clock, UTC milliseconds */
export function createLedger(now: () => number, log: Log) {
  const entries = new Map<string, Entry>();
  return {
    /** Whether exactly this was applied last, and nothing has failed since then. */
    isApplied: (file: string, fingerprint: string): boolean => entries.get(file)?.fingerprint === fingerprint,
    /** It was read again without a change. */
    checked({ file, findings }: LoadedFile): void {
      const entry = entries.get(file);
      if (entry !== undefined) {
        entries.set(file, { ...entry, checkedTs: now(), findings });
      }
    },
    applied({ file, findings }: LoadedFile, fingerprint: string): void {
      entries.set(file, { checkedTs: now(), appliedTs: now(), findings, fingerprint });
      log.info({ file }, 'provisioning file applied');
    },
    failed({ file }: LoadedFile, findings: ProvisioningFinding[]): void {
      const before = entries.get(file);
      entries.set(file, { checkedTs: now(), appliedTs: before?.appliedTs ?? null, findings });
      if (JSON.stringify(before?.findings) !== JSON.stringify(findings)) {
        const errors = findings.filter(({ verdict }) => verdict === 'error');
        for (const { file: where, line, column, rule, detail } of errors.slice(0, LOGGED)) {
          const kept = rule === 'store' ? '' : ` What ${file} contained before stays in effect.`;
          log.error({ file: where, line, column }, `${where}:${line}:${column} ${detail}${kept}`);
        }
      }
    },
    gone(file: string): void {
      entries.delete(file);
      log.info({ file }, 'provisioning file removed, with everything that it provisioned');
    },
    files: (): string[] => [...entries.keys()],
    /** Also for a file that has not been read yet but provisions something. */
    fate: (file: string): Fate => fateOf(file, entries.get(file)),
  };
}

function fateOf(file: string, entry: Entry | undefined): Fate {
  if (entry === undefined) {
    const base = { rule: 'folder', verdict: 'error', title: 'The file has not been read since startup' } as const;
    const detail = 'The folder could not be read. The last applied version of the file stays in effect.';
    return {
      file,
      state: 'failed',
      checkedAt: null,
      appliedAt: null,
      findings: [aboutFile(file)([], { ...base, detail })],
    };
  }
  const { checkedTs, appliedTs, findings, fingerprint } = entry;
  const state = fingerprint === undefined ? 'failed' : 'applied';
  return { file, state, checkedAt: isoTimeOrNull(checkedTs), appliedAt: isoTimeOrNull(appliedTs), findings };
}
