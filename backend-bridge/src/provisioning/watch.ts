/** Tells when something in a few folders has changed. */
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type FSWatcher, watch } from 'chokidar';

/** What is written together comes together. Milliseconds. */
const SETTLE_MS = 200;
/** Network file systems tell of nothing, a folder may come back, and what could not be stored is tried again. Milliseconds. */
const LOOK_AGAIN_MS = 60_000;
/** A watcher that is not ready by then is not waited for: a folder may be very slow. Milliseconds. */
const READY_MS = 2000;

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
  timing: { settleMs?: number; lookAgainMs?: number } = {}
): Promise<Watching> {
  const { settleMs = SETTLE_MS, lookAgainMs = LOOK_AGAIN_MS } = timing;
  let watched: readonly string[] = [];
  let watcher: FSWatcher | undefined;
  let settling: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let closed = false;

  const look = (): Promise<void> => (looking = looking.then(lookNow));
  async function lookNow(): Promise<void> {
    while (!closed) {
      const named = await reload();
      // What is named is a folder or stands in one; the folder above tells when one is replaced.
      const wanted = [...new Set(named.flatMap((one) => [one, path.dirname(one)]))].sort();
      if (isDeepStrictEqual(wanted, watched)) {
        return;
      }
      watched = wanted;
      await watcher?.close();
      watcher = wanted.length > 0 ? await begin(wanted) : undefined;
      // What has changed before the watcher was ready was seen by nobody: look again.
    }
  }

  /** A new watcher each time: one that is told to leave a folder out leaves it out for ever. */
  async function begin(paths: readonly string[]): Promise<FSWatcher> {
    const begun = watch([...paths], { depth: 0, ignoreInitial: true, atomic: false });
    // A folder that cannot be watched is looked at again in a while.
    begun.on('error', () => undefined);
    const ready = new Promise<void>((resolve) => void begun.once('ready', resolve));
    await Promise.race([ready, wait(READY_MS, undefined, { ref: false })]);
    begun.on('all', () => {
      clearTimeout(settling);
      settling = setTimeout(() => void look(), settleMs);
    });
    return begun;
  }

  const again = setInterval(() => void look(), lookAgainMs);
  again.unref();
  await look();
  return {
    async close() {
      closed = true;
      clearTimeout(settling);
      clearInterval(again);
      await looking;
      await watcher?.close();
    },
  };
}
