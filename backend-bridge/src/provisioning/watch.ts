/** Tells when something in a few folders has changed. */
import path from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

/** What is written together comes together. Milliseconds. */
const SETTLE_MS = 200;
/** Network file systems tell of nothing, a folder may come back, and what could not be stored is tried again. Milliseconds. */
const LOOK_AGAIN_MS = 60_000;

export interface Watching {
  /** After what is under way. */
  close(): Promise<void>;
}

/**
 * Reads once, and again after each change. Folders are watched rather than files: a file that is replaced (a rename, the link
 * of a mounted ConfigMap that is turned) is a change in its folder.
 * @param reload gives absolute paths of what is to be watched: folders, not what is deeper in them, and files; undefined when
 * the folder that all begins with cannot be read
 * @returns after the first reload
 */
export async function watchFiles(
  reload: () => Promise<string[] | undefined>,
  timing: { settleMs?: number; lookAgainMs?: number } = {}
): Promise<Watching> {
  const { settleMs = SETTLE_MS, lookAgainMs = LOOK_AGAIN_MS } = timing;
  const watched = new Set<string>();
  let watcher: FSWatcher | undefined;
  let settling: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let closed = false;

  const look = (): Promise<void> => (looking = looking.then(lookNow));
  async function lookNow(): Promise<void> {
    const named = closed ? [] : await reload();
    if (named === undefined) {
      // Whatever comes back under this name is another folder.
      await watcher?.close();
      watcher = undefined;
      watched.clear();
      return;
    }
    // What is named no longer stays watched: a look for nothing is cheap.
    const added = named.flatMap((one) => [one, path.dirname(one)]).filter((one) => !watched.has(one));
    added.forEach((one) => watched.add(one));
    if (added.length > 0) {
      watcher ??= begin();
      watcher.add([...new Set(added)]);
    }
  }

  function begin(): FSWatcher {
    const begun = watch([], { depth: 0, ignoreInitial: true, atomic: false });
    // A folder that cannot be watched is looked at again in a while.
    begun.on('error', () => undefined);
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
