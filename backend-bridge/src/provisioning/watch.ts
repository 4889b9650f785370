/** Watches files and folders for changes. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type FSWatcher, watch } from 'chokidar';
import { createSerial } from '../platform/runtime/serial.ts';

/** Changes within this time are one change. Milliseconds. */
const SETTLE_MS = 200;
/** Longest wait while changes continue. Milliseconds. */
const LONGEST_SETTLE_MS = 2000;
/** Polling interval, for network file systems without change events, folders that come back, and failed writes. Milliseconds. */
const LOOK_AGAIN_MS = 60_000;
/** Longest wait for a watcher to be ready: a folder may be very slow. Milliseconds. */
const READY_MS = 2000;
/** Next to the link of a mounted ConfigMap or Secret is its target, which is exchanged (Kubernetes, AtomicWriter). */
const MOUNTED = /^\.\./;

/**
 * Reads once, and again after each change. Folders are watched rather than files: a file that is replaced (a rename, the link
 * of a mounted ConfigMap that is turned) is a change in its folder.
 * @param reload returns absolute paths to watch: folders, not recursively, and files
 * @returns after the first reload
 */
export async function watchFiles(
  reload: () => Promise<string[]>,
  timing: { settleMs?: number; longestSettleMs?: number; lookAgainMs?: number; readyMs?: number } = {}
) {
  const { settleMs = SETTLE_MS, longestSettleMs = LONGEST_SETTLE_MS } = timing;
  const { lookAgainMs = LOOK_AGAIN_MS, readyMs = READY_MS } = timing;
  let names: ReadonlySet<string> = new Set();
  let watched: readonly string[] = [];
  /** Which of them existed: chokidar does not notice that another one is created. */
  let present: readonly boolean[] = [];
  let watcher: FSWatcher | undefined;
  const inTurn = createSerial();
  let closed = false;

  const look = (): Promise<void> =>
    inTurn(lookNow).catch(() => {
      // Retried by the next poll.
      watched = [];
    });
  const soon = createSettling(() => void look(), settleMs, longestSettleMs);
  async function lookNow(): Promise<void> {
    while (!closed) {
      names = new Set(await reload());
      // Parent folders as well, to notice that a file or folder is replaced.
      const wanted = [...new Set([...names].flatMap((one) => [one, path.dirname(one)]))].sort();
      const existing = await Promise.all(wanted.map(exists));
      if (isDeepStrictEqual([wanted, existing], [watched, present])) {
        return;
      }
      [watched, present] = [wanted, existing];
      await end(watcher);
      watcher = undefined;
      watcher = wanted.length > 0 ? await begin(wanted) : undefined;
      // Changes before the watcher was ready went unnoticed: reload again.
    }
  }

  /** A new watcher each time: chokidar ignores a folder forever once it was unwatched. */
  async function begin(paths: readonly string[]): Promise<FSWatcher> {
    const begun = watch([...paths], { depth: 0, ignoreInitial: true, atomic: false });
    // A folder that cannot be watched is polled.
    begun.on('error', () => undefined);
    const ready = new Promise<true>((resolve) => void begun.once('ready', () => resolve(true)));
    if ((await Promise.race([ready, wait(readyMs, false, { ref: false })])) === false) {
      // Changes until then go unnoticed.
      begun.once('ready', () => soon.come());
    }
    begun.on('all', (_event, changed) => {
      if (isNamed(changed) || MOUNTED.test(path.basename(changed))) {
        soon.come();
      }
    });
    return begun;
  }

  /** Other changes in a watched parent folder, such as those of a database, are ignored. */
  const isNamed = (changed: string): boolean =>
    names.has(changed) || names.has(path.dirname(changed)) || watched.includes(changed);

  const again = setInterval(() => void look(), lookAgainMs);
  again.unref();
  await look();
  return {
    /** Waits for a reload in progress. */
    async close(): Promise<void> {
      closed = true;
      clearInterval(again);
      await inTurn(() => undefined);
      soon.cancel();
      await end(watcher);
    },
  };
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false
  );

/** Ignores errors: they must not prevent a new watcher, nor the bridge from stopping. */
async function end(watcher: FSWatcher | undefined): Promise<void> {
  const closed = watcher?.close();
  // It removes its listeners first; an error after that would end the process.
  watcher?.on('error', () => undefined);
  await closed?.catch(() => undefined);
}

/** Debounces, with a maximum wait. */
function createSettling(settled: () => void, quietMs: number, longestMs: number) {
  let timer: NodeJS.Timeout | undefined;
  let since: number | undefined;
  const cancel = (): void => {
    clearTimeout(timer);
    since = undefined;
  };
  return {
    come() {
      since ??= performance.now();
      clearTimeout(timer);
      const left = since + longestMs - performance.now();
      timer = setTimeout(() => (cancel(), settled()), Math.max(0, Math.min(quietMs, left)));
    },
    cancel,
  };
}
