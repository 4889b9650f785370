/** Tells when something in a few folders has changed. */
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type FSWatcher, watch } from 'chokidar';

/** What is written together comes together. Milliseconds. */
const SETTLE_MS = 200;
/** What is written to all the time is not waited for longer. Milliseconds. */
const LONGEST_SETTLE_MS = 2000;
/** Network file systems tell of nothing, a folder may come back, and what could not be stored is tried again. Milliseconds. */
const LOOK_AGAIN_MS = 60_000;
/** A watcher that is not ready by then is not waited for: a folder may be very slow. Milliseconds. */
const READY_MS = 2000;
/** Beside the link of a mounted ConfigMap or Secret stands what it leads to, and is exchanged (Kubernetes, AtomicWriter). */
const MOUNTED = /^\.\./;

export interface Watching {
  /** After what is under way. */
  close(): Promise<void>;
}

/**
 * Reads once, and again after each change. Folders are watched rather than files: a file that is replaced (a rename, the link
 * of a mounted ConfigMap that is turned) is a change in its folder.
 * @param reload gives absolute paths of what is to be watched: folders, not what is deeper in them, and files
 * @returns after the first reload
 */
export async function watchFiles(
  reload: () => Promise<string[]>,
  timing: { settleMs?: number; longestSettleMs?: number; lookAgainMs?: number; readyMs?: number } = {}
): Promise<Watching> {
  const { settleMs = SETTLE_MS, longestSettleMs = LONGEST_SETTLE_MS } = timing;
  const { lookAgainMs = LOOK_AGAIN_MS, readyMs = READY_MS } = timing;
  let names: ReadonlySet<string> = new Set();
  let watched: readonly string[] = [];
  let watcher: FSWatcher | undefined;
  let looking = Promise.resolve();
  let closed = false;

  const look = (): Promise<void> =>
    (looking = looking.then(lookNow).catch(() => {
      // Nothing can be watched just now: the next look tries it anew.
      watched = [];
    }));
  const soon = createSettling(() => void look(), settleMs, longestSettleMs);
  async function lookNow(): Promise<void> {
    while (!closed) {
      names = new Set(await reload());
      // What is named is a folder or stands in one; the folder above tells when one is replaced.
      const wanted = [...new Set([...names].flatMap((one) => [one, path.dirname(one)]))].sort();
      if (isDeepStrictEqual(wanted, watched)) {
        return;
      }
      watched = wanted;
      await end(watcher);
      watcher = undefined;
      watcher = wanted.length > 0 ? await begin(wanted) : undefined;
      // What has changed before the watcher was ready was seen by nobody: look again.
    }
  }

  /** A new watcher each time: one that is told to leave a folder out leaves it out for ever. */
  async function begin(paths: readonly string[]): Promise<FSWatcher> {
    const begun = watch([...paths], { depth: 0, ignoreInitial: true, atomic: false });
    // A folder that cannot be watched is looked at again in a while.
    begun.on('error', () => undefined);
    const ready = new Promise<true>((resolve) => void begun.once('ready', () => resolve(true)));
    if ((await Promise.race([ready, wait(readyMs, false, { ref: false })])) === false) {
      // What changes until then is seen by nobody.
      begun.once('ready', () => soon.come());
    }
    begun.on('all', (_event, changed) => {
      if (isNamed(changed) || MOUNTED.test(path.basename(changed))) {
        soon.come();
      }
    });
    return begun;
  }

  /** The folder above is watched for the sake of what is named in it: what else happens there, a database say, is not for us. */
  const isNamed = (changed: string): boolean =>
    names.has(changed) || names.has(path.dirname(changed)) || watched.includes(changed);

  const again = setInterval(() => void look(), lookAgainMs);
  again.unref();
  await look();
  return {
    async close() {
      closed = true;
      clearInterval(again);
      await looking;
      soon.cancel();
      await end(watcher);
    },
  };
}

/** A watcher that cannot be closed is no reason not to begin another, nor for the bridge not to stop. */
async function end(watcher: FSWatcher | undefined): Promise<void> {
  await watcher?.close().catch(() => undefined);
}

/** Calls once after it has been quiet, or has not been quiet for too long. */
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
