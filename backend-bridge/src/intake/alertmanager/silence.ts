/** Silences of Alertmanager's API v2. The rules are those of its package `silence`; pure. */
import { randomUUID } from 'node:crypto';
import type { AmSilence, AmSilenceBody } from '../../../contract/alertmanager.ts';
import { compileRegex } from '../../../contract/matcherRegex.ts';
import { compileMatchers, type Matcher } from '../../../contract/matchers.ts';
import { isoTime } from '../../../contract/text.ts';

/** Times are UTC milliseconds. */
export interface StoredSilence {
  id: string;
  matchers: Matcher[];
  startsAt: number;
  endsAt: number;
  updatedAt: number;
  createdBy: string;
  comment: string;
}

export type SilenceState = AmSilence['status']['state'];

/** An expired silence is kept for this time: the default of Alertmanager's `--data.retention`. */
export const EXPIRED_KEPT_MS = 120 * 3_600_000;

export function stateOf({ startsAt, endsAt }: Pick<StoredSilence, 'startsAt' | 'endsAt'>, now: number): SilenceState {
  if (now < startsAt) {
    return 'pending';
  }
  return now < endsAt ? 'active' : 'expired';
}

/** Changes to store: a silence that replaces another ends that one. */
export interface SilenceChange {
  saved: StoredSilence;
  ended?: StoredSilence;
}

/**
 * Creates or changes a silence. One with other matchers, or an active one with another start, is replaced.
 * @param known the silence of `wanted.id`
 * @returns why it is invalid, as text
 */
export function setSilence(
  wanted: AmSilenceBody,
  known: StoredSilence | undefined,
  now: number
): SilenceChange | string {
  const startsAt = Date.parse(wanted.startsAt);
  const endsAt = Date.parse(wanted.endsAt);
  if (endsAt <= startsAt) {
    return 'endsAt must be after startsAt';
  }
  if (endsAt < now) {
    return 'endsAt must not be in the past';
  }
  const matchesEverything = wanted.matchers.every((matcher) => compileMatchers([matcher], compileRegex)({}));
  if (matchesEverything) {
    return 'at least one matcher must not match the empty text, since this silence would match any alert';
  }
  const { matchers, createdBy, comment } = wanted;
  const silence = { matchers, startsAt, endsAt, createdBy, comment, updatedAt: now };
  if (known !== undefined && isChangeable(known, silence, now)) {
    return { saved: { ...silence, id: known.id } };
  }
  const saved = { ...silence, id: randomUUID(), startsAt: Math.max(startsAt, now) };
  const ended = known && stateOf(known, now) !== 'expired' ? expire(known, now) : undefined;
  return ended ? { saved, ended } : { saved };
}

/** As Alertmanager's `canUpdate`. */
function isChangeable(known: StoredSilence, next: Omit<StoredSilence, 'id'>, now: number): boolean {
  if (JSON.stringify(known.matchers.map(plain)) !== JSON.stringify(next.matchers.map(plain))) {
    return false;
  }
  const state = stateOf(known, now);
  return (
    (state === 'active' && seconds(next.startsAt) === seconds(known.startsAt)) ||
    (state === 'pending' && next.startsAt >= now)
  );
}

const seconds = (ms: number): number => Math.floor(ms / 1000);
const plain = ({ name, value, isRegex, isEqual }: Matcher) => [name, value, isRegex, isEqual];

/** Ends it now; one that has not begun never begins. */
export const expire = (silence: StoredSilence, now: number): StoredSilence => ({
  ...silence,
  startsAt: Math.min(silence.startsAt, now),
  endsAt: now,
  updatedAt: now,
});

/** As a response shows it. */
export function shownSilence(silence: StoredSilence, now: number): AmSilence {
  const { id, matchers, startsAt, endsAt, updatedAt, createdBy, comment } = silence;
  return {
    id,
    status: { state: stateOf(silence, now) },
    updatedAt: isoTime(updatedAt),
    matchers: matchers.map(({ name, value, isRegex, isEqual }) => ({ name, value, isRegex, isEqual })),
    startsAt: isoTime(startsAt),
    endsAt: isoTime(endsAt),
    createdBy,
    comment,
  };
}

const ORDER: readonly SilenceState[] = ['active', 'pending', 'expired'];

/** Active ones that end first, pending ones that begin first, then expired ones that ended last. */
export function inOrder(silences: readonly StoredSilence[], now: number): StoredSilence[] {
  const key = (one: StoredSilence): [state: number, time: number] => {
    const state = stateOf(one, now);
    return [ORDER.indexOf(state), { active: one.endsAt, pending: one.startsAt, expired: -one.endsAt }[state]];
  };
  return [...silences].sort((a, b) => {
    const [[stateA, timeA], [stateB, timeB]] = [key(a), key(b)];
    return stateA - stateB || timeA - timeB;
  });
}

/** Whether a silence has all matchers of a filter, as Alertmanager's `CheckSilenceMatchesFilterLabels` does since 0.22. */
export function isSelected({ matchers }: Pick<StoredSilence, 'matchers'>, filter: readonly Matcher[]): boolean {
  const known = new Set(matchers.map((matcher) => JSON.stringify(plain(matcher))));
  return filter.every((matcher) => known.has(JSON.stringify(plain(matcher))));
}

/** A silence with its compiled matchers. */
export type CompiledSilence = ReturnType<typeof compileSilence>;

export const compileSilence = (silence: StoredSilence) => ({
  silence,
  covers: compileMatchers(silence.matchers, compileRegex),
});
