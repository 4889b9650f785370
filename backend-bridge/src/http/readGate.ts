/**
 * Bounds the memory of responses: a read starts when its response, at its largest, fits into the budget, and keeps of it what its client
 * has not read yet. Those that wait take turns between persons, senders and addresses.
 */
import type { ServerResponse } from 'node:http';
import { LIMITS } from '../../contract/limits.ts';
import { createBudget } from '../limits/budget.ts';
import { HttpProblem } from './problem.ts';

/** Admits reads. */
export interface ReadGate {
  /**
   * Resolves when the read may start, at once if it has been admitted before; never, if the client goes away first.
   * @param owner person, sender or address
   * @param bytes of the largest response. Default: of a list
   * @throws HttpProblem 503 when too many wait
   */
  enter(res: ServerResponse, owner: string, bytes?: number): Promise<void>;
  /** Ends what a response holds before it has ended: an event stream has limits of its own. */
  leave(res: ServerResponse): void;
}

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

interface Waiting {
  res: ServerResponse;
  bytes: number;
  start: () => void;
}

/** The reads of one person, sender or address. */
interface Owner {
  held: number;
  waiting: Waiting[];
}

export function createReadGate(options: Partial<ReadGateLimits> = {}): ReadGate {
  const limits = { ...DEFAULTS, ...options };
  const budget = createBudget(limits.readBytes);
  /** In the order of their turns. */
  const owners = new Map<string, Owner>();
  const holders = new WeakMap<ServerResponse, () => void>();
  let waitingReads = 0;
  let scheduled = false;

  /** An owner that holds nothing gets one read of any size. */
  const admits = ({ held }: Owner, bytes: number): boolean =>
    (held === 0 || held + bytes <= limits.readBytesOfOne) && budget.take(bytes);

  const shrink = (owner: Owner, bytes: number): void => {
    owner.held -= bytes;
    budget.release(bytes);
    later();
  };

  const forget = (name: string, owner: Owner): void => {
    if (owner.held === 0 && owner.waiting.length === 0 && owners.get(name) === owner) {
      owners.delete(name);
    }
  };

  const hold = (name: string, owner: Owner, res: ServerResponse, bytes: number): void => {
    owner.held += bytes;
    let held = bytes;
    const shrinkTo = (rest: number): void => {
      const released = Math.max(0, held - rest);
      held -= released;
      shrink(owner, released);
    };
    const release = (): void => {
      shrinkTo(0);
      forget(name, owner);
    };
    holders.set(res, release);
    // Node has written the whole response by then, and the socket holds what the client has not read.
    res.once('prefinish', () => shrinkTo(res.socket?.writableLength ?? 0));
    res.once('close', release);
  };

  const startNext = (): void => {
    for (const [name, owner] of owners) {
      const next = owner.waiting[0];
      if (next && admits(owner, next.bytes)) {
        owner.waiting.shift();
        waitingReads -= 1;
        // Its next turn is after those of all others.
        owners.delete(name);
        owners.set(name, owner);
        hold(name, owner, next.res, next.bytes);
        next.start();
        later();
        return;
      }
    }
  };

  /** One in a turn of the event loop, so that sends are received between two reads. */
  const later = (): void => {
    if (!scheduled && waitingReads > 0) {
      scheduled = true;
      setImmediate(() => {
        scheduled = false;
        startNext();
      });
    }
  };

  return {
    async enter(res, name, largest = LIMITS.listBytes.value) {
      if (holders.has(res)) {
        // Several routers with the same guard.
        return;
      }
      if (res.destroyed) {
        await new Promise(() => undefined);
      }
      const bytes = Math.min(COPIES * largest, limits.readBytes);
      const owner = owners.get(name) ?? { held: 0, waiting: [] };
      if (waitingReads === 0 && admits(owner, bytes)) {
        owners.set(name, owner);
        hold(name, owner, res, bytes);
        return;
      }
      if (waitingReads >= limits.waitingReads || owner.waiting.length >= limits.waitingReadsOfOne) {
        throw new HttpProblem('busy', 'Too many requests are waiting to be read. Try again in a second.', {
          headers: { 'Retry-After': '1' },
        });
      }
      owners.set(name, owner);
      waitingReads += 1;
      await new Promise<void>((start) => {
        const waiting: Waiting = { res, bytes, start };
        owner.waiting.push(waiting);
        res.once('close', () => {
          const index = owner.waiting.indexOf(waiting);
          if (index >= 0) {
            owner.waiting.splice(index, 1);
            waitingReads -= 1;
            forget(name, owner);
          }
        });
        later();
      });
    },
    leave: (res) => holders.get(res)?.(),
  };
}
