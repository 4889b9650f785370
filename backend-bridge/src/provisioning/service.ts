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
  share?: (report: ProvisioningReport) => void;
  /** The result of the replica that leads; undefined: this one applies the files. */
  followed?: () => Promise<ProvisioningReport | undefined>;
  log: Log;
}

/** The result of applying the files. */
export interface ProvisioningReport extends Pick<Provisioning, 'state' | 'detail'> {
  /** Heartbeats are known where they are monitored. */
  files: (Fate & Pick<ProvisionedFile, 'heartbeats'>)[];
}

export interface ProvisioningService {
  /** Before the first reload, and when other replicas may have applied files since the last one. */
  restart(): void;
  /**
   * Reads the files and applies changes. Never rejects: errors are in the status and in the log. Not to be called concurrently.
   * @returns absolute paths to watch
   */
  reload(): Promise<string[]>;
  status(): Promise<Provisioning>;
  /** Files that have failed, with their errors. */
  mistakes(): Promise<ReadonlyMap<string, ProvisioningFinding[]>>;
}

/** The provisioning files in a folder, by name; hidden files of editors and mounts are ignored. */
export async function listFiles(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter((name) => /^[^.].*\.ya?ml$/i.test(name)).sort();
}

export function createProvisioning(deps: ProvisioningDeps): ProvisioningService {
  const { dir, env, log } = deps;
  let ledger = createLedger(deps.now, log);
  let missing: string | undefined;
  const known: KnownFiles = new Map();

  const ownReport = (): ProvisioningReport => ({
    state: dir === undefined ? 'off' : missing === undefined ? 'watching' : 'missing',
    ...(missing !== undefined && { detail: `${missing}. The provisioned state stays in effect.` }),
    files: ledger.files().map((file) => ({ ...ledger.fate(file), heartbeats: deps.heartbeats.ofFile(file) })),
  });
  const report = async (): Promise<ProvisioningReport> => (await deps.followed?.()) ?? ownReport();

  async function reload(): Promise<string[]> {
    const paths = dir === undefined ? [] : await applyFolder(dir);
    deps.share?.(ownReport());
    return paths;
  }

  async function applyFolder(dir: string): Promise<string[]> {
    const names = await listFiles(dir).catch((error: NodeJS.ErrnoException) => {
      const why = `${dir} cannot be read (${error.code ?? error.message})`;
      if (missing !== why) {
        log.warn({ dir }, `${why}: the provisioned state stays in effect`);
      }
      missing = why;
    });
    if (names === undefined) {
      // The parent folder changes when it is back.
      return [path.dirname(dir)];
    }
    missing = undefined;
    try {
      const loaded = await Array.fromAsync(names, (name) => loadFile(dir, name, env, known));
      const gone = [...known.keys()].filter((name) => !names.includes(name));
      gone.forEach((name) => known.delete(name));
      await removeGone(deps, ledger, names);
      await applyAll(deps, ledger, loaded);
      return [dir, ...loaded.flatMap((one) => one.names)];
    } catch (error) {
      log.error({ err: error }, 'could not apply the provisioning files; retrying within a minute');
      return [dir];
    }
  }

  return {
    restart() {
      ledger = createLedger(deps.now, log);
      missing = undefined;
    },
    reload,
    async status() {
      const [{ files, ...result }, owners] = await Promise.all([report(), readOwners(deps)]);
      const fates = new Map(files.map((one) => [one.file, one]));
      const names = [...new Set([...fates.keys(), ...owners.files()])].sort();
      return {
        ...result,
        files: names.map((file) => ({
          heartbeats: [],
          ...(fates.get(file) ?? fateOf(file, undefined)),
          ...owners.of(file),
        })),
      };
    },
    async mistakes() {
      const { files } = await report();
      return new Map(
        files.flatMap(({ file, state, findings }) => {
          const errors = findings.filter(({ verdict }) => verdict === 'error');
          return state === 'failed' ? [[file, errors] as const] : [];
        })
      );
    },
  };
}

/** A deleted file no longer provisions anything. */
async function removeGone(deps: StoringDeps, ledger: Ledger, names: string[]): Promise<void> {
  const owners = await readOwners(deps);
  for (const file of new Set([...owners.files(), ...ledger.files()])) {
    if (!names.includes(file)) {
      const gone = emptyFile(file);
      const refusals = await applyFile(deps, gone);
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
      if (!(await applyOne(deps, ledger, one))) {
        still.push(one);
      }
    }
    progress = still.length < waiting.length;
    waiting = still;
  }
  const owners = await readOwners(deps);
  for (const one of waiting) {
    ledger.failed(one, [...one.findings, ...owners.clashes(one)]);
  }
}

/** @returns false if it has to wait for another file */
async function applyOne(deps: StoringDeps, ledger: Ledger, one: LoadedFile): Promise<boolean> {
  if (one.wanted === undefined) {
    ledger.failed(one, one.findings);
    return true;
  }
  const fingerprint = createHash('sha256').update(JSON.stringify(one.wanted)).digest('hex');
  if (ledger.isApplied(one.file, fingerprint)) {
    ledger.checked(one);
    return true;
  }
  if ((await readOwners(deps)).clashes(one).length > 0) {
    return false;
  }
  const refusals = await applyFile(deps, one, one.wanted);
  if (refusals.length > 0) {
    ledger.failed(one, [...one.findings, ...refusals]);
  } else {
    ledger.applied(one, fingerprint);
  }
  return true;
}

export type Log = Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;
/** Result of a file, without what it provisions. */
export type Fate = Omit<ProvisionedFile, 'packages' | 'categories' | 'senders' | 'heartbeats'>;

export interface Ledger {
  /** Whether exactly this was applied last, and nothing has failed since then. */
  isApplied(file: string, fingerprint: string): boolean;
  /** It was read again without a change. */
  checked(loaded: LoadedFile): void;
  applied(loaded: LoadedFile, fingerprint: string): void;
  failed(loaded: LoadedFile, findings: ProvisioningFinding[]): void;
  gone(file: string): void;
  files(): string[];
  /** Also for a file that has not been read yet but provisions something. */
  fate(file: string): Fate;
}

interface Entry {
  checkedTs: number;
  appliedTs: number | null;
  findings: ProvisioningFinding[];
  /** Fingerprint of the last applied version; undefined: it has failed since then. */
  fingerprint?: string;
}

const LOGGED = 20;

/** @param now the clock, UTC milliseconds */
export function createLedger(now: () => number, log: Log): Ledger {
  const entries = new Map<string, Entry>();
  return {
    isApplied: (file, fingerprint) => entries.get(file)?.fingerprint === fingerprint,
    checked({ file, findings }) {
      const entry = entries.get(file);
      if (entry !== undefined) {
        entries.set(file, { ...entry, checkedTs: now(), findings });
      }
    },
    applied({ file, findings }, fingerprint) {
      entries.set(file, { checkedTs: now(), appliedTs: now(), findings, fingerprint });
      log.info({ file }, 'provisioning file applied');
    },
    failed({ file }, findings) {
      const before = entries.get(file);
      entries.set(file, { checkedTs: now(), appliedTs: before?.appliedTs ?? null, findings });
      if (JSON.stringify(before?.findings) !== JSON.stringify(findings)) {
        const errors = findings.filter(({ verdict }) => verdict === 'error');
        for (const { file: where, line, column, detail } of errors.slice(0, LOGGED)) {
          const message = `${where}:${line}:${column} ${detail} What ${file} contained before stays in effect.`;
          log.error({ file: where, line, column }, message);
        }
      }
    },
    gone(file) {
      entries.delete(file);
      log.info({ file }, 'provisioning file removed, with everything that it provisioned');
    },
    files: () => [...entries.keys()],
    fate: (file) => fateOf(file, entries.get(file)),
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
