/** Hours of a busy node in minutes: the bridge's clocks run faster, and so does its load. Memory, handles and files must stay flat. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import SqliteDatabase from 'better-sqlite3';
import { HOUR_MS } from '../../backend-bridge/contract/time.ts';
import { runBridge, type RunningBridge } from '../bench/bridge.ts';
import { fastClock } from './fastClock.ts';
import { type LoadCounts, startLoad } from './hoursLoad.ts';

const ENTRY = fileURLToPath(new URL('fastBridge.ts', import.meta.url));
/** One sample for so much simulated time; shorter runs have as many samples as an hour has. */
const SAMPLE_MS = 300_000;
const MIN_SAMPLES = 12;
/** Bytes of the write-ahead log: see docs/operate.md. */
const MAX_LOG = 64 * 2 ** 20;

export interface Hours {
  hours: number;
  /** Real time. */
  minutes: number;
  /** Retention keeps so many notifications. Default: 20,000 */
  kept?: number;
  onSample?: (sample: Sample) => void;
  /** Ends it before that. */
  isOver?: () => boolean;
  /** The bridge does not get the signals of the terminal. Default: false */
  detached?: boolean;
}

/** Sizes in bytes. */
export interface Sample {
  /** Simulated. */
  hours: number;
  /** Resident set. */
  memory: number;
  /** Heap of the main thread. */
  heap: number;
  /** Open file descriptors. */
  handles: number;
  threads: number;
  /** The database file. */
  file: number;
  /** Pages of the database that are free for reuse, up to `LIMITS.freePages`, and those that are being released. */
  free: number;
  /** Deduplication keys in the database, which accumulate for a day, and those of alerts for 30: `LIMITS.receiptsPerSender` each. */
  keys: number;
  /** Rest of the database. */
  data: number;
  /** Write-ahead log, which keeps its largest size: that of the longest backup or read. */
  log: number;
  notifications: number;
  streams: number;
}

export interface HoursResult {
  samples: Sample[];
  counts: LoadCounts;
  /** Responses that the load may not get, or an end of the bridge. */
  mistakes: string[];
}

export async function proveHours({
  hours,
  minutes,
  kept = 20_000,
  onSample,
  isOver = () => false,
  detached = false,
}: Hours): Promise<HoursResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'nodebell-hours-'));
  const epoch = Date.now();
  const speed = (hours * 60) / minutes;
  const bridge = await runBridge(
    dataDir,
    { PROOF_EPOCH: String(epoch), PROOF_SPEED: String(speed), NODEBELL_LOG_LEVEL: 'warn' },
    { entry: ENTRY, detached }
  );
  try {
    const clock = fastClock(epoch, speed);
    const start = clock();
    const end = start + hours * HOUR_MS;
    const load = await startLoad({ url: bridge.url, dataDir, clock, speed, end, kept });
    const samples: Sample[] = [];
    const step = Math.min(SAMPLE_MS, Math.floor((end - start) / MIN_SAMPLES));
    for (let at = start + step; at <= end && bridge.ended === null && !isOver(); at += step) {
      await load.until(at);
      const sample = { hours: (clock() - start) / HOUR_MS, ...(await measure(bridge, dataDir)) };
      samples.push(sample);
      onSample?.(sample);
    }
    const counts = await load.end();
    const ended = bridge.ended === null ? [] : [`the bridge ended with ${bridge.ended}`];
    return { samples, counts, mistakes: [...ended, ...load.mistakes] };
  } finally {
    await bridge.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(bridge: RunningBridge, dataDir: string): Promise<Omit<Sample, 'hours'>> {
  const metrics = await (await bridge.get('/metrics')).text();
  const metric = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
  const size = (name: string): number => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0;
  return {
    memory: bridge.memory(),
    heap: metric('nodejs_heap_size_used_bytes'),
    handles: readdirSync(`/proc/${bridge.pid}/fd`).length,
    threads: Number(/^Threads:\s+(\d+)/m.exec(readFileSync(`/proc/${bridge.pid}/status`, 'utf8'))?.[1]),
    ...sizes(join(dataDir, 'nodebell.db')),
    log: size('nodebell.db-wal'),
    notifications: metric('nodebell_notifications'),
    streams: metric('nodebell_event_clients'),
  };
}

/** In bytes; a page in the log counts as if it were in the file. */
function sizes(path: string): Pick<Sample, 'file' | 'free' | 'keys' | 'data'> {
  const db = new SqliteDatabase(path, { readonly: true });
  try {
    const value = (query: string): number => Number(db.prepare(query).pluck().get());
    const page = value('pragma page_size');
    const file = page * value('pragma page_count');
    const free = page * value('pragma freelist_count');
    const keys = value(
      "select sum(pgsize) from dbstat where name in (select name from sqlite_schema where tbl_name = 'receipts')"
    );
    return { file, free, keys, data: file - free - keys };
  } finally {
    db.close();
  }
}

interface Rule {
  name: string;
  /** Whether the median of the last quarter may be that much, after that of the second one. The first quarter is warming up. */
  allowed: (before: number, after: number) => boolean;
}

export const RULES = {
  memory: { name: 'memory', allowed: (before, after) => after <= 1.15 * before },
  handles: { name: 'open files', allowed: (before, after) => Math.abs(after - before) <= 5 },
  threads: { name: 'threads', allowed: (before, after) => after <= before },
  data: { name: 'the database without free pages and keys', allowed: (before, after) => after <= 1.1 * before },
  log: { name: 'its log', allowed: (_before, after) => after <= MAX_LOG },
  notifications: { name: 'notifications', allowed: (before, after) => after <= 1.1 * before },
} satisfies Partial<Record<keyof Sample, Rule>>;

/** Medians of the second quarter and of the last one. */
export function quarters(samples: readonly Sample[], member: keyof Sample): [number, number] {
  const quarter = Math.floor(samples.length / 4);
  const median = (some: readonly Sample[]): number =>
    some.map((sample) => sample[member]).toSorted((a, b) => a - b)[Math.floor(some.length / 2)] ?? NaN;
  return [median(samples.slice(quarter, 2 * quarter)), median(samples.slice(-quarter))];
}

/** @returns what is not flat, as sentences */
export function growth(samples: readonly Sample[]): string[] {
  return Object.entries(RULES).flatMap(([member, { name, allowed }]) => {
    const [before, after] = quarters(samples, member as keyof typeof RULES);
    return allowed(before, after) ? [] : [`${name} grew from ${before} in the second quarter to ${after} in the last`];
  });
}
