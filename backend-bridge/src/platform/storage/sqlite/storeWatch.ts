/** Watches the files of an open store from time to time, so that no probe has to and nothing is acknowledged in vain. */
import { statSync } from 'node:fs';
import { type Database, engineOf } from '../engine.ts';
import { watchDatabaseFile } from './databaseFile.ts';
import { checkIntegrity, type IntegrityCheck } from './integrity.ts';
import { FULL_BELOW, type Reserve } from './reserve.ts';
import { failureReason } from '../storeError.ts';
import type { StoreLog } from '../storeParts.ts';
import type { StoreState } from '../storeState.ts';
import type { WriteQueue } from '../writeQueue.ts';
import { touch } from '../series.ts';

/** Without a commit for so long, a small write shows whether the store can still be written. Milliseconds. */
const IDLE_MS = 30_000;
/** Free bytes in the file above which sends are accepted again while the disk stays full. */
const ROOM_INSIDE = 4 * 1024 * 1024;
/** Up to this size the pages are checked at the start: less than a second of one core. */
const CHECKED_AT_START = 256 * 1024 * 1024;

/** Gives back the space of the log. Only where there is room for all of it: half of it would use up the reserve for nothing. */
export function tidyLog(path: string, writes: WriteQueue, reserve: Reserve): void {
  const size = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0 && size < reserve.freeBytes()) {
    writes.checkpoint();
  }
}

/** Records failures of the database file in the state of the store. */
export type Guard = ReturnType<typeof createGuard>;

export function createGuard(path: string, state: StoreState, reserve: Reserve) {
  let file: ReturnType<typeof watchDatabaseFile> | undefined;
  return {
    opened: (): void => void (file = watchDatabaseFile(path)),
    /** Whether the database is still the file that was opened; records it when not. */
    verify(): void {
      const found = file?.check() ?? 'ok';
      if (found === 'ok') {
        // Moved back into its place.
        state.clear('database_missing', 'database_replaced');
      } else {
        state.set(found, `${path}: ${found === 'corrupt' ? 'the file is empty' : 'not the file that was opened'}`);
      }
    },
    hasShrunk: (): boolean => file?.hasShrunk() ?? false,
    reasonOf: (code: unknown): ReturnType<typeof failureReason> => {
      const reason = failureReason(code);
      return reason === 'io_error' && reserve.freeBytes() < FULL_BELOW ? 'disk_full' : reason;
    },
  };
}

interface Watched {
  path: string;
  db: Database;
  writes: WriteQueue;
  state: StoreState;
  reserve: Reserve;
  guard: Guard;
  log: StoreLog;
  everyMs: number;
}

/** Looks at the files from time to time, so that no probe has to. */
export class StoreWatch {
  readonly #watched: Watched;
  readonly #timer: NodeJS.Timeout;
  #integrity: IntegrityCheck | undefined;
  #isFirst = true;
  /** The check in progress. */
  #running: Promise<void> | undefined;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#timer = setInterval(() => {
      this.#running ??= this.#check()
        .catch((error: unknown) => watched.log.error({ err: error }, 'could not check the store'))
        .finally(() => (this.#running = undefined));
    }, watched.everyMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#integrity?.stop();
    await this.#running;
  }

  async #check(): Promise<void> {
    const { guard, path } = this.#watched;
    guard.verify();
    if (guard.hasShrunk()) {
      await this.#checkPages();
    }
    await this.#makeRoom();
    await this.#tryWrite();
    if (this.#isFirst && statSync(path).size <= CHECKED_AT_START) {
      await this.#checkPages();
    }
    this.#isFirst = false;
  }

  async #checkPages(): Promise<void> {
    const { path, state, log } = this.#watched;
    this.#integrity = checkIntegrity(path);
    try {
      const damage = await this.#integrity.result;
      if (damage !== undefined) {
        state.set('corrupt', damage);
      }
    } catch (error) {
      log.error({ err: error }, 'could not check the pages of the database');
    } finally {
      this.#integrity = undefined;
    }
  }

  async #makeRoom(): Promise<void> {
    const { path, db, writes, state, reserve } = this.#watched;
    if (reserve.freeBytes() < FULL_BELOW) {
      state.set('disk_full', `${reserve.freeBytes()} bytes free`);
    }
    await reserve.make();
    if (state.has('disk_full')) {
      const hasRoom =
        reserve.held ||
        (reserve.freeBytes() >= 4 * FULL_BELOW && (await engineOf(db).freeBytesInside(db)) >= ROOM_INSIDE);
      if (hasRoom) {
        state.clear('disk_full');
      } else {
        tidyLog(path, writes, reserve);
      }
    }
  }

  /** Writes a probe only while no other write runs, or to find out whether a failure has ended. */
  async #tryWrite(): Promise<void> {
    const { writes, state } = this.#watched;
    const idle = performance.now() - writes.committedAt >= IDLE_MS;
    if (writes.waiting === 0 && (idle || state.failure !== undefined) && !state.has('disk_full')) {
      // The state has the outcome.
      await writes.submit(touch, null).catch(() => undefined);
    }
  }
}
