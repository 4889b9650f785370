/** Admission to the write queue: waiting and running calls are bounded by number and bytes, in total and per sender. */
import type { StoreFailureReason } from '../../../contract/status.ts';
import { createBudget } from '../runtime/budget.ts';
import { StoreUnavailable, unavailable, WriteTooLarge } from './storeError.ts';
import type { StoreState } from './storeState.ts';
import type { WriteKind } from './write.ts';

/** While one of these lasts, nothing is written. */
export const BLOCKING = ['database_missing', 'database_replaced', 'corrupt', 'writer_stopped'] as const;

/** A write that is in the queue or in the writer. */
interface Held {
  bytes: number;
  /** Undefined: the bridge itself, and its admins, who have no share. */
  sender?: string | undefined;
}

export interface AdmissionLimits {
  /** Calls that may wait. */
  maxWaiting: number;
  maxBytes: number;
  maxSenderCalls: number;
  maxSenderBytes: number;
}

/** Admits or rejects writes. */
export type Admission = ReturnType<typeof createAdmission>;

/** Counts bytes of all writes, and calls and bytes of each sender, until they are released. */
export function createAdmission(state: StoreState, limits: AdmissionLimits) {
  const { maxWaiting, maxBytes } = limits;
  const budget = createBudget(maxBytes);
  const shares = createShares(limits.maxSenderCalls, limits.maxSenderBytes);
  return {
    /** Bytes of what was admitted and not released. */
    get bytes() {
      return budget.used;
    },
    /**
     * @param waiting calls that wait
     * @throws StoreUnavailable when the queue or the sender's share of it is full, or the store cannot write
     * @throws WriteTooLarge when it can never fit into the queue
     */
    admit(call: Held, { kind, waiting }: { kind: Pick<WriteKind, 'grows' | 'probe'>; waiting: number }): void {
      const blocked = state.failure && blockedBy(state, kind);
      if (blocked) {
        throw unavailable(blocked, state.failure?.cause ?? blocked, 'nothing');
      }
      if (call.bytes > maxBytes) {
        throw new WriteTooLarge(call.bytes, maxBytes);
      }
      if (!shares.hasRoom(call)) {
        throw new StoreUnavailable(
          'Too many writes of this sender are waiting; nothing of this request was stored. Try again.'
        );
      }
      if (waiting >= maxWaiting || !budget.take(call.bytes)) {
        const found = waiting >= maxWaiting ? `${waiting} writes` : `${budget.used} bytes of writes`;
        throw new StoreUnavailable(
          `${found} are waiting, which is the limit; nothing of this request was stored. Try again.`
        );
      }
      shares.take(call);
    },
    release(call: Held): void {
      budget.release(call.bytes);
      shares.release(call);
    },
  };
}

/** Why a write is rejected before it is tried. */
function blockedBy(
  state: StoreState,
  { grows, probe }: Pick<WriteKind, 'grows' | 'probe'>
): StoreFailureReason | undefined {
  const blocked = BLOCKING.find((reason) => state.has(reason));
  if (blocked === undefined && !probe && state.has('unreachable')) {
    return 'unreachable';
  }
  return blocked ?? (grows && state.has('disk_full') ? 'disk_full' : undefined);
}

/** Usage of the queue and the writer by sender: at most a share of the limits, so that others are still accepted. */
function createShares(maxCalls: number, maxBytes: number) {
  const held = new Map<string, { calls: number; bytes: number }>();
  return {
    /**
     * Whether the sender may have this call as well. The first one always, whatever its size; the bridge and its admins always.
     */
    hasRoom({ sender, bytes }: Held): boolean {
      const own = sender === undefined ? undefined : held.get(sender);
      return own === undefined || (own.calls < maxCalls && own.bytes + bytes <= maxBytes);
    },
    take({ sender, bytes }: Held): void {
      if (sender !== undefined) {
        const own = held.get(sender) ?? { calls: 0, bytes: 0 };
        own.calls += 1;
        own.bytes += bytes;
        held.set(sender, own);
      }
    },
    release({ sender, bytes }: Held): void {
      const own = sender === undefined ? undefined : held.get(sender);
      if (own) {
        own.calls -= 1;
        own.bytes -= bytes;
        if (own.calls === 0) {
          held.delete(sender!);
        }
      }
    },
  };
}
