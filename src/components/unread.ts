/**
 * The last known unread count, for titles that Grafana requests synchronously and rarely. A title may be shown for hours, so it
 * includes the time of the count.
 */
import { store } from '@grafana/data';
import { momentLabel } from './moments';
import { personKey } from './person';

export interface Remembered {
  count: number;
  /** UTC milliseconds, by the clock of this browser. */
  at: number;
}

/** Older counts are discarded. */
const OLDEST_MS = 12 * 3600 * 1000;
const KEY = 'unread';

/** Stores the count for this browser. */
export function rememberUnread(count: number, now = Date.now()): void {
  store.set(personKey(KEY), JSON.stringify({ count, at: now } satisfies Remembered));
}

/** @returns undefined when no recent count is known */
export function recallUnread(now = Date.now()): Remembered | undefined {
  try {
    const kept = JSON.parse((store.get(personKey(KEY)) as string | null) ?? 'null') as Remembered | null;
    const { count, at } = kept ?? { count: 0, at: 0 };
    return Number.isInteger(count) && count >= 0 && at <= now && now - at < OLDEST_MS ? { count, at } : undefined;
  } catch {
    return undefined; // somebody else's, or none
  }
}

/** The moment as it stands in a title. */
export const clockTime = (at: number, now = Date.now()): string => momentLabel(new Date(at).toISOString(), now);
