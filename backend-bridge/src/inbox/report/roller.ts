/** Counts what has arrived for the report, in small steps between other writes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/storage/engine.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { repeat } from '../../platform/runtime/repeat.ts';
import { behindBy } from './store.ts';
import { countForReport } from './writes.ts';

/** Interval of looking for arrivals. Milliseconds. */
const EVERY_MS = 30_000;
/** A read counts so many by itself, so that it shows what has just arrived. */
const AT_READING = 2000;
/** Time for which other writes may delay a step, and interval of looking at the queue. Milliseconds. */
const WAIT_MS = 250;
const LOOK_MS = 10;
/** A step is followed by a pause of so many times its duration. */
const PAUSE_FACTOR = 2;

interface RollerDeps {
  db: Database;
  writes: Pick<WriteQueue, 'submit' | 'waiting'>;
}

/** Counts the few that are not counted yet. Any replica may: each step begins where the one before ended. */
export async function catchUp({ db, writes }: RollerDeps): Promise<void> {
  const behind = await behindBy(db);
  for (let more = behind > 0 && behind <= AT_READING; more;) {
    ({ more } = await writes.submit(countForReport, {}));
  }
}

interface BackgroundDeps extends RollerDeps {
  /** Milliseconds. */
  everyMs?: number;
  log: Record<'warn', (fields: object, message: string) => void>;
}

/** Looks for arrivals regularly. @returns stops it, and resolves when no step is under way */
export function startReport({ db, writes, log, everyMs = EVERY_MS }: BackgroundDeps): () => Promise<void> {
  let stopped = false;
  let work: Promise<void> = Promise.resolve();

  const steps = async (): Promise<void> => {
    for (let more = (await behindBy(db)) > 0; more && !stopped;) {
      for (let waited = 0; writes.waiting > 0 && waited < WAIT_MS; waited += LOOK_MS) {
        await sleep(LOOK_MS);
      }
      const startedAt = performance.now();
      ({ more } = await writes.submit(countForReport, {}));
      await sleep(PAUSE_FACTOR * (performance.now() - startedAt));
    }
  };
  const stop = repeat(
    'count notifications for the report',
    everyMs,
    () => {
      work = steps();
      return work;
    },
    log
  );
  return async () => {
    stopped = true;
    stop();
    await work.catch(() => undefined);
  };
}
