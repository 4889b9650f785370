/** The store on a server: while the server cannot be reached, a probe finds out when it is back. */
import { type Database, engineOf } from '../engine.ts';
import { openPostgres } from './database.ts';
import type { OpenedStore, StoreParts } from '../storeParts.ts';
import { readsInProcess } from '../read.ts';
import { touch } from '../series.ts';
import { failureReason } from '../storeError.ts';
import type { StoreState } from '../storeState.ts';
import { WriteQueue } from '../writeQueue.ts';

/** Without a commit for so long, a small write shows whether the store can still be written. Milliseconds. */
const IDLE_MS = 30_000;
/** Waits between probes while a failure lasts: each twice as long as the one before. Milliseconds. */
const FIRST_RETRY_MS = 250;

/** @throws when the server cannot be reached, or the database cannot be used */
export async function openServer(
  url: string,
  { writes: table, now, state, log, onLost, checkEveryMs }: StoreParts
): Promise<OpenedStore> {
  const writes = await WriteQueue.open({ path: url, writes: table, state, onLost });
  const db = openReaders(url, state);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let retry = FIRST_RETRY_MS;
  let stopped = false;

  const check = async (): Promise<void> => {
    const idle = performance.now() - writes.committedAt >= IDLE_MS;
    if (writes.waiting === 0 && (idle || state.failure !== undefined)) {
      // The state has the outcome; a successful probe ends failures that can end by themselves.
      await writes.submit(touch, state.has('disk_full') ? 'space' : null).then(
        () => state.clear('disk_full'),
        () => undefined
      );
    }
  };
  const later = (): void => {
    clearTimeout(timer);
    if (stopped) {
      return;
    }
    retry = state.failure === undefined ? FIRST_RETRY_MS : Math.min(2 * retry, checkEveryMs);
    timer = setTimeout(
      () => {
        running = check()
          .catch((error: unknown) => log.error({ err: error }, 'could not check the store'))
          .finally(later);
      },
      state.failure === undefined ? checkEveryMs : retry
    );
    timer.unref();
  };
  later();
  state.onChange((reason, failure) => {
    if (failure) {
      later();
    } else if (reason === 'read_only' || reason === 'unreachable') {
      // The address may belong to another server now, which the writer has reached: the one before may still respond, and is out of date.
      engineOf(db).reconnect(db);
    }
  });
  return {
    db,
    reads: readsInProcess(db, now),
    writes,
    watch: {
      async stop() {
        stopped = true;
        clearTimeout(timer);
        await running;
      },
    },
  };
}

/** Readers that report their failures to the state. */
function openReaders(url: string, state: StoreState): Database {
  return openPostgres(url, {
    readonly: true,
    onError: (error) => {
      const { code, message } = error as Error & { code?: string };
      const reason = failureReason(code);
      if (reason === 'corrupt' || reason === 'unreachable') {
        state.set(reason, `${code}: ${message}`);
      }
    },
  });
}
