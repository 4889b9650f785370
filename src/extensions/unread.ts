/**
 * How many are unread, remembered for titles that Grafana asks for in between and seldom. A title may stand for hours, so the
 * moment at which it was true is part of it.
 */
import { store } from '@grafana/data';
import { momentLabel } from '../components/moments';
import { personKey } from './person';

export interface Remembered {
  count: number;
  /** UTC milliseconds, by the clock of this browser. */
  at: number;
}

/** After that nobody is helped by the number. */
const OLDEST_MS = 12 * 3600 * 1000;
const KEY = 'unread';

/** Keeps the count for this browser. */
export function rememberUnread(count: number, now = Date.now()): void {
  store.set(personKey(KEY), JSON.stringify({ count, at: now } satisfies Remembered));
}

/** @returns undefined when nothing is known that is worth telling */
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
