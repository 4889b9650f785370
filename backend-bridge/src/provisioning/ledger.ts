/** What became of each of the operator's files since the bridge started; says it in the log when it changes. */
import type { ProvisionedFile, ProvisioningFinding } from '../../contract/provisioning.ts';
import type { LoadedFile } from './types.ts';

export type Log = Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;
/** What became of a file, without what it has in use. */
export type Fate = Omit<ProvisionedFile, 'packages' | 'categories' | 'senders'>;

export interface Ledger {
  /** Whether exactly this was applied last, and nothing has failed since. */
  isApplied(file: string, fingerprint: string): boolean;
  /** It was read again and asks for the same. */
  checked(loaded: LoadedFile): void;
  applied(loaded: LoadedFile, fingerprint: string): void;
  failed(loaded: LoadedFile, findings: ProvisioningFinding[]): void;
  gone(file: string): void;
  files(): string[];
  /** Also of a file that has something in use and has not been read yet. */
  fate(file: string): Fate;
}

interface Entry {
  checkedTs: number;
  appliedTs: number | null;
  findings: ProvisioningFinding[];
  /** Of what was applied last; undefined: it failed since. */
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
      log.info({ file }, 'a provisioned file was applied');
    },
    failed({ file }, findings) {
      const before = entries.get(file);
      entries.set(file, { checkedTs: now(), appliedTs: before?.appliedTs ?? null, findings });
      if (JSON.stringify(before?.findings) !== JSON.stringify(findings)) {
        const errors = findings.filter(({ verdict }) => verdict === 'error');
        for (const { file: where, line, column, detail } of errors.slice(0, LOGGED)) {
          const message = `${where}:${line}:${column} ${detail} What ${file} said before stays in use.`;
          log.error({ file: where, line, column }, message);
        }
      }
    },
    gone(file) {
      entries.delete(file);
      log.info({ file }, 'a provisioned file is gone, and with it what it provisioned');
    },
    files: () => [...entries.keys()],
    fate: (file) => fateOf(file, entries.get(file)),
  };
}

/** A finding about a file of which nothing is known but its name. */
export function aboutFile(file: string): LoadedFile['at'] {
  return (_path, told) => ({ ...told, file, pointer: '', line: 1, column: 1, endLine: 1, endColumn: 1 });
}

function fateOf(file: string, entry: Entry | undefined): Fate {
  const iso = (ts: number | null): string | null => (ts === null ? null : new Date(ts).toISOString());
  if (entry === undefined) {
    const told = { rule: 'folder', verdict: 'error', title: 'The file has not been read since the start' } as const;
    const detail = 'The folder could not be read. What the file said when it was applied last stays in use.';
    return {
      file,
      state: 'failed',
      checkedAt: null,
      appliedAt: null,
      findings: [aboutFile(file)([], { ...told, detail })],
    };
  }
  const { checkedTs, appliedTs, findings, fingerprint } = entry;
  const state = fingerprint === undefined ? 'failed' : 'applied';
  return { file, state, checkedAt: iso(checkedTs), appliedAt: iso(appliedTs), findings };
}
