/** Deduplication keys of notifications. Runs in the writer thread, in the transaction of the arrival. */
import { LIMITS } from '../../../contract/limits.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { inPairs, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { ReceiptRow } from '../../platform/storage/schema.ts';
import type { Incoming, Once } from './receive.ts';

/** Scope of `Idempotency-Key`s; the sender follows after a colon. They count from the first request, the others from the last. */
const KEY_SCOPE = 'key';
/** Receipts of repeated alerts are refreshed at most so often: a write each time would cost as much as an arrival. */
const REFRESH_MS = DAY_MS;

/**
 * The receipt of an `Idempotency-Key`. Senders without a token share a scope, so that its limit covers all of them; their addresses
 * keep their keys apart.
 * @param sender its id; undefined: without a token
 * @param from its `senderKey`
 */
export const onceOfKey = (sender: string | undefined, from: string, key: string): Once =>
  sender === undefined
    ? // A key has no spaces.
      { scope: `${KEY_SCOPE}:`, key: `${from} ${key}` }
    : { scope: `${KEY_SCOPE}:${sender}`, key };

/** For how long a receipt counts, in milliseconds. */
export const receiptLifetime = (scope: string): number =>
  DAY_MS * (scope.startsWith(`${KEY_SCOPE}:`) ? LIMITS.idempotencyKeyDays.value : LIMITS.webhookReceiptDays.value);

export const onceKey = ({ scope, key }: Pick<Once, 'scope' | 'key'>): string => `${scope}\n${key}`;

/** The receipts of these names, for {@link knownReceipts}. Undefined: nothing of it has a name. */
export function selectReceipts(trx: Transacting, items: readonly Incoming[]) {
  const pairs = items.flatMap(({ once }) => (once ? [[once.scope, once.key] as const] : []));
  return pairs.length === 0
    ? undefined
    : trx
        .selectFrom('receipts')
        .selectAll()
        .where(inPairs('scope', 'key', pairs));
}

/**
 * For each item, the receipt of what has been received before. Those of alerts that go on being repeated are refreshed.
 * @param items with the bridge's own time of receipt
 * @param rows of {@link selectReceipts}
 */
export async function knownReceipts(
  trx: Transacting,
  items: readonly { item: Incoming; steady: number }[],
  rows: readonly ReceiptRow[]
): Promise<(ReceiptRow | undefined)[]> {
  const stored = new Map(rows.map((row) => [onceKey(row), row]));
  const fresh = new Map<string, ReceiptRow>();
  const known = items.map(({ item: { once }, steady }) => {
    const receipt = once && stored.get(onceKey(once));
    // Expired keys are removed later, in small steps (cleaning.ts), but no longer count.
    if (!receipt || !counts(receipt, once, steady)) {
      return undefined;
    }
    if (isStale(receipt, steady)) {
      fresh.set(onceKey(once), { ...receipt, ts: steady });
    }
    return receipt;
  });
  await insertRows(trx, 'receipts', [...fresh.values()], 'on conflict (scope, key) do update set ts = excluded.ts');
  return known;
}

const counts = ({ scope, hash, ts }: ReceiptRow, once: Once, now: number): boolean =>
  once.within === undefined ? now - ts <= receiptLifetime(scope) : now - ts < once.within && isRepeat(once, hash);

/** Whether what has a {@link Once.within} equals the last one of its key. */
export const isRepeat = (once: Once, lastHash: string | null): boolean => (once.hash ?? null) === lastHash;

const isStale = ({ scope, ts }: ReceiptRow, now: number): boolean =>
  !scope.startsWith(`${KEY_SCOPE}:`) && now - ts >= REFRESH_MS;

/** The last one of each name. */
export async function insertReceipts(trx: Transacting, arrived: readonly Arrived[]): Promise<void> {
  const receipts = arrived.flatMap(({ item: { once }, id, steady }): ReceiptRow[] =>
    once ? [{ scope: once.scope, key: once.key, hash: once.hash ?? null, notification_id: id, ts: steady }] : []
  );
  await insertRows(
    trx,
    'receipts',
    [...new Map(receipts.map((receipt) => [onceKey(receipt), receipt])).values()],
    // An expired one may still be there.
    'on conflict (scope, key) do update set hash = excluded.hash, notification_id = excluded.notification_id, ts = excluded.ts'
  );
}

interface Arrived {
  item: Incoming;
  id: number;
  steady: number;
}
