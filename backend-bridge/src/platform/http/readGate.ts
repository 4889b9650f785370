/**
 * Bounds the memory of responses: a read starts when its response, at its largest, fits into the budget, and keeps of it what its client
 * has not read yet. Those that wait take turns between persons, senders and addresses.
 */
import type { ServerResponse } from 'node:http';
import { LIMITS } from '../../../contract/limits.ts';
import { type Budget, createBudget } from '../runtime/budget.ts';
import { HttpProblem } from './problem.ts';

/** Bytes and numbers as in {@link LIMITS}. */
export interface ReadGateLimits {
  readBytes: number;
  readBytesOfOne: number;
  waitingReads: number;
  waitingReadsOfOne: number;
}

/** A response is held as text and as bytes while it is made. */
const COPIES = 2;

const DEFAULTS: ReadGateLimits = {
  readBytes: LIMITS.readBytes.value,
  readBytesOfOne: LIMITS.readBytesOfOne.value,
  waitingReads: LIMITS.waitingReads.value,
  waitingReadsOfOne: LIMITS.waitingReadsOfOne.value,
};

interface Read {
  res: ServerResponse;
  bytes: number;
}

interface Waiting extends Read {
  start: () => void;
}

/** The reads of one person, sender or address. */
interface Owner {
  held: number;
  waiting: Waiting[];
}

/** Admits reads. */
export class ReadGate {
  readonly #limits: ReadGateLimits;
  readonly #budget: Budget;
  /** In the order of their turns. */
  readonly #owners = new Map<string, Owner>();
  /** Function that releases each admitted response. */
  readonly #release = new WeakMap<ServerResponse, () => void>();
  #waiting = 0;
  #scheduled = false;

  constructor(limits: Partial<ReadGateLimits> = {}) {
    this.#limits = { ...DEFAULTS, ...limits };
    this.#budget = createBudget(this.#limits.readBytes);
  }

  /**
   * Resolves when the read may start, at once if it has been admitted before; never, if the client goes away first.
   * @param name person, sender or address
   * @param largest bytes of the largest response. Default: of a list
   * @throws HttpProblem 503 when too many wait
   */
  async enter(res: ServerResponse, name: string, largest: number = LIMITS.listBytes.value): Promise<void> {
    if (this.#release.has(res)) {
      return;
    }
    const bytes = Math.min(COPIES * largest, this.#limits.readBytes);
    const owner = this.#owners.get(name) ?? { held: 0, waiting: [] };
    if (res.destroyed) {
      await new Promise(() => undefined);
    } else if (this.#waiting === 0 && this.#admits(owner, bytes)) {
      this.#owners.set(name, owner);
      this.#hold(name, owner, { res, bytes });
    } else {
      await this.#wait(name, owner, { res, bytes });
    }
  }

  /** Ends what a response holds before it has ended: an event stream has limits of its own. */
  leave(res: ServerResponse): void {
    this.#release.get(res)?.();
  }

  /** An owner that holds nothing gets one read of any size. */
  #admits({ held }: Owner, bytes: number): boolean {
    return (held === 0 || held + bytes <= this.#limits.readBytesOfOne) && this.#budget.take(bytes);
  }

  #hold(name: string, owner: Owner, { res, bytes }: Read): void {
    owner.held += bytes;
    let held = bytes;
    const shrinkTo = (rest: number): void => {
      const released = Math.max(0, held - rest);
      held -= released;
      owner.held -= released;
      this.#budget.release(released);
      this.#later();
    };
    const release = (): void => {
      shrinkTo(0);
      this.#forget(name, owner);
    };
    this.#release.set(res, release);
    // Node has written the whole response by then, and the socket holds what the client has not read.
    res.once('prefinish', () => shrinkTo(res.socket?.writableLength ?? 0));
    res.once('close', release);
  }

  #wait(name: string, owner: Owner, { res, bytes }: Read): Promise<void> {
    const { waitingReads, waitingReadsOfOne } = this.#limits;
    if (this.#waiting >= waitingReads || owner.waiting.length >= waitingReadsOfOne) {
      throw new HttpProblem('busy', 'Too many requests are waiting to be read. Try again in a second.', {
        headers: { 'Retry-After': '1' },
      });
    }
    this.#owners.set(name, owner);
    this.#waiting += 1;
    return new Promise<void>((start) => {
      const waiting: Waiting = { res, bytes, start };
      owner.waiting.push(waiting);
      res.once('close', () => {
        const index = owner.waiting.indexOf(waiting);
        if (index >= 0) {
          owner.waiting.splice(index, 1);
          this.#waiting -= 1;
          this.#forget(name, owner);
        }
      });
      this.#later();
    });
  }

  #forget(name: string, owner: Owner): void {
    if (owner.held === 0 && owner.waiting.length === 0 && this.#owners.get(name) === owner) {
      this.#owners.delete(name);
    }
  }

  /** One in a turn of the event loop, so that sends are received between two reads. */
  #later(): void {
    if (!this.#scheduled && this.#waiting > 0) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#startNext();
      });
    }
  }

  #startNext(): void {
    for (const [name, owner] of this.#owners) {
      const next = owner.waiting[0];
      if (next && this.#admits(owner, next.bytes)) {
        owner.waiting.shift();
        this.#waiting -= 1;
        // Its next turn is after those of all others.
        this.#owners.delete(name);
        this.#owners.set(name, owner);
        this.#hold(name, owner, next);
        next.start();
        this.#later();
        return;
      }
    }
  }
}
