/**
 * Waiting calls, in turns between their senders: a sender that floods the bridge delays its own calls, and those of another by one
 * batch at most. The calls of one sender keep their order, but for large ones, which go a slice at a time, in turns with the others.
 */
import { LIMITS } from '../../../contract/limits.ts';

/** A call that waits. */
export interface Call {
  /** The call as JSON; several slices when it is large. Slices that were taken are no longer in it. */
  slices: string[];
  bytes: number;
  /** Sender whose turn it takes. Undefined: the bridge itself, and its admins. */
  sender?: string | undefined;
}

/** A call, or a slice of it, that was taken. */
export interface Taken<C extends Call> {
  call: C;
  /** As JSON. */
  slice: string;
  /** Nothing of the call waits any more. */
  last: boolean;
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

/** Calls in turns between their senders. */
function createTurns<C extends Call>() {
  /** In the order of their turns; a sender without waiting calls is not in it. */
  const senders = new Map<string | undefined, Calls<C>>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    push(call: C): void {
      const queue = senders.get(call.sender);
      if (queue) {
        queue.calls.push(call);
      } else {
        senders.set(call.sender, { calls: [call], taken: 0 });
      }
      size += 1;
    },
    /** The call whose turn it is. */
    first(): C | undefined {
      const [first] = senders.values();
      return first?.calls[first.taken];
    },
    /** Removes the call. @param stays it keeps its place in the queue of its sender, whose turn ends */
    take(stays = false): void {
      const [first] = senders;
      if (!first) {
        return;
      }
      const [sender, queue] = first;
      size -= stays ? 0 : 1;
      const more = stays || dropFirst(queue);
      if (!more || senders.size > 1) {
        senders.delete(sender);
      }
      if (more && !senders.has(sender)) {
        senders.set(sender, queue);
      }
    },
    /** Takes a call, whoever's turn it is. */
    remove(call: C): void {
      const queue = senders.get(call.sender);
      const at = queue?.calls.indexOf(call, queue.taken) ?? -1;
      if (queue && at !== -1) {
        queue.calls.splice(at, 1);
        size -= 1;
        if (queue.taken === queue.calls.length) {
          senders.delete(call.sender);
        }
      }
    },
    takeAll(): C[] {
      const all = [...senders.values()].flatMap(({ calls, taken }) => calls.splice(0).slice(taken) as C[]);
      senders.clear();
      size = 0;
      return all;
    },
  };
}

/**
 * A queue with turns between senders.
 * @param maxBytes of one batch; a single larger call is a batch of its own
 */
export function createFairQueue<C extends Call>(maxBytes: number = LIMITS.batchBytes.value) {
  const small = createTurns<C>();
  const large = createTurns<C>();
  let wasLarge = false;

  const takeSmall = (maxCalls: number): Taken<C>[] => {
    const batch: Taken<C>[] = [];
    let bytes = 0;
    while (batch.length < maxCalls) {
      const next = small.first();
      bytes += next?.bytes ?? 0;
      if (!next || (batch.length > 0 && bytes > maxBytes)) {
        break;
      }
      small.take();
      batch.push({ call: next, slice: next.slices.pop()!, last: true });
    }
    return batch;
  };

  const takeSlice = (): Taken<C>[] => {
    const call = large.first();
    const slice = call?.slices.shift();
    if (!call || slice === undefined) {
      return [];
    }
    const last = call.slices.length === 0;
    large.take(!last);
    return [{ call, slice, last }];
  };

  return {
    /** Calls of which something waits. */
    get length() {
      return small.size + large.size;
    },
    push: (call: C): void => (call.slices.length > 1 ? large : small).push(call),
    /** The calls of the next transaction: one of each sender in turn; or the next slice of a large call, alone. */
    takeBatch(maxCalls: number): Taken<C>[] {
      wasLarge = large.size > 0 && (small.size === 0 || !wasLarge);
      return wasLarge ? takeSlice() : takeSmall(maxCalls);
    },
    /** Takes what waits of a large call. */
    remove: (call: C): void => large.remove(call),
    takeAll: (): C[] => [...small.takeAll(), ...large.takeAll()],
  };
}
