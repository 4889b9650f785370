/** The store on a server: while the server cannot be reached, a probe finds out when it is back. */
import { engineOf } from '../engine.ts';
import { openPostgres } from './database.ts';
import type { OpenedStore, StoreParts } from '../storeParts.ts';
import { ReadPool } from '../readPool.ts';
import { touch } from '../series.ts';
import { failureReason } from '../storeError.ts';
import type { StoreState } from '../storeState.ts';
import { WriteQueue } from '../writeQueue.ts';

/** Without a commit for so long, a small write shows whether the store can still be written. Milliseconds. */
const IDLE_MS = 30_000;
/** Waits between probes while a failure lasts: each twice as long as the one before. Milliseconds. */
const FIRST_RETRY_MS = 250;
/** Reads of the reading thread at a time: each has a connection, and most of its time is the server's. */
const CONCURRENT_READS = 5;

/** @throws when the server cannot be reached, or the database cannot be used */
export async function openServer(url: string, parts: StoreParts): Promise<OpenedStore> {
  const { now, state, log } = parts;
  const writes = await WriteQueue.open({ path: url, writes: parts.writes, state, onLost: parts.onLost });
  const onError = reportTo(state);
  const db = openPostgres(url, { readonly: true, onError });
  const reads = new ReadPool({
    ...{ path: url, reads: parts.reads, now, onError, readsOfThread: CONCURRENT_READS },
    onDeath: (cause) => log.error({ err: cause }, 'a reading thread ended; the next read starts another'),
  });
  const watch = startProbes(writes, parts);
  state.onChange((reason, failure) => {
    if (!failure && (reason === 'read_only' || reason === 'unreachable')) {
      // The address may belong to another server now, which the writer has reached: the one before may still respond, and is out of date.
      engineOf(db).reconnect(db);
      reads.tell('reconnect');
    }
  });
  return {
    ...{ db, reads, writes, watch },
    disconnect() {
      engineOf(db).disconnect(db);
      reads.tell('disconnect');
    },
  };
}

/** Finds out whether the store can be written: regularly, and more often while a failure lasts. */
function startProbes(
  writes: WriteQueue,
  { state, log, checkEveryMs }: Pick<StoreParts, 'state' | 'log' | 'checkEveryMs'>
): OpenedStore['watch'] {
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
  state.onChange((_reason, failure) => {
    if (failure) {
      later();
    }
  });
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Reports errors of readers to the state. */
const reportTo =
  (state: StoreState) =>
  (error: unknown): void => {
    const { code, message } = error as Error & { code?: string };
    const reason = failureReason(code);
    if (reason === 'corrupt' || reason === 'unreachable') {
      state.set(reason, `${code}: ${message}`);
    }
  };
