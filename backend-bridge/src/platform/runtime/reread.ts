/** State in memory that is read from the store again when it changes. */
import { createSerial } from './serial.ts';

interface Log {
  error(fields: object, message: string): void;
}

/** Before it is read again after an error. Milliseconds. */
export const REREAD_MS = 1000;

/** Reads one time after another: what was read earlier must not replace what was read later. */
export class Reread {
  readonly #what: string;
  readonly #read: () => Promise<unknown>;
  readonly #log: Log;
  readonly #inTurn = createSerial();
  /** A read that has not begun: it serves all who ask until then. */
  #next: Promise<unknown> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #hasFailed = false;
  #isStopped = false;

  /** @param what completes the sentence "could not …" */
  constructor(what: string, read: () => Promise<unknown>, log: Log) {
    this.#what = what;
    this.#read = read;
    this.#log = log;
  }

  /** Reads after all writes that are stored. After an error it is read again each second, until that succeeds. @throws as the read */
  async now(): Promise<void> {
    clearTimeout(this.#retry);
    this.#next ??= this.#begin();
    await this.#next;
  }

  /** As `now`, without waiting. */
  soon(): void {
    // `now` has logged the error.
    this.now().catch(() => undefined);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#retry);
  }

  #begin(): Promise<void> {
    return this.#inTurn(async () => {
      this.#next = undefined;
      try {
        await this.#read();
        this.#hasFailed = false;
      } catch (error) {
        this.#fail(error);
        throw error;
      }
    });
  }

  #fail(error: unknown): void {
    if (this.#isStopped) {
      return;
    }
    if (!this.#hasFailed) {
      this.#log.error({ err: error }, `could not ${this.#what}; retrying every ${REREAD_MS / 1000} s`);
    }
    this.#hasFailed = true;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.soon(), REREAD_MS).unref();
  }
}
