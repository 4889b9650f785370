/**
 * Waiting calls, in turns between their senders: a sender that floods the bridge delays its own calls, and those of another by one
 * batch at most. The calls of one sender keep their order.
 */
import { LIMITS } from '../../contract/limits.ts';

/** A call that waits. */
export interface Call {
  /** The call as JSON; several slices when it is large. */
  slices: string[];
  bytes: number;
  /** Sender whose turn it takes. Undefined: the bridge itself, and its admins. */
  sender?: string | undefined;
}

/** A queue with turns between senders. */
export interface FairQueue<C extends Call> {
  readonly length: number;
  push(call: C): void;
  /** The calls of the next transaction: one of each sender in turn. A large call, which is in slices, goes alone. */
  takeBatch(maxCalls: number): C[];
  takeAll(): C[];
}

/** The calls of one sender, of which the first have been taken. */
interface Calls<C> {
  calls: (C | undefined)[];
  taken: number;
}

/** @returns whether there are more */
function dropFirst<C>(queue: Calls<C>): boolean {
  // Otherwise requests would outlive their response: the list keeps them, and so do the tables that V8 discards when the map changes,
  // until a collection of the whole heap.
  queue.calls[queue.taken] = undefined;
  queue.taken += 1;
  // Taken calls are cut off now and then: `shift` of a long list would move all that follow.
  if (queue.taken >= 1024) {
    queue.calls.splice(0, queue.taken);
    queue.taken = 0;
  }
  return queue.taken < queue.calls.length;
}

/** @param maxBytes of one batch; a single larger call is a batch of its own */
export function createFairQueue<C extends Call>(maxBytes: number = LIMITS.batchBytes.value): FairQueue<C> {
  /** In the order of their turns; a sender without waiting calls is not in it. */
  const senders = new Map<string | undefined, Calls<C>>();
  let length = 0;

  const takeFirst = (sender: string | undefined, queue: Calls<C>): void => {
    length -= 1;
    const more = dropFirst(queue);
    if (!more || senders.size > 1) {
      senders.delete(sender);
    }
    if (more && !senders.has(sender)) {
      senders.set(sender, queue);
    }
  };

  return {
    get length() {
      return length;
    },
    push(call) {
      const queue = senders.get(call.sender);
      if (queue) {
        queue.calls.push(call);
      } else {
        senders.set(call.sender, { calls: [call], taken: 0 });
      }
      length += 1;
    },
    takeBatch(maxCalls) {
      const batch: C[] = [];
      let bytes = 0;
      while (batch.length < maxCalls) {
        const [first] = senders;
        const next = first?.[1].calls[first[1].taken];
        if (!first || !next) {
          break;
        }
        bytes += next.bytes;
        const large = next.slices.length > 1;
        if (batch.length > 0 && (large || bytes > maxBytes)) {
          break;
        }
        takeFirst(...first);
        batch.push(next);
        if (large) {
          break;
        }
      }
      return batch;
    },
    takeAll() {
      const all = [...senders.values()].flatMap(({ calls, taken }) => calls.splice(0).slice(taken) as C[]);
      senders.clear();
      length = 0;
      return all;
    },
  };
}
