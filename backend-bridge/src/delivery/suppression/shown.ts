/** Maintenance windows as responses show them. Pure. */
import type { Maintenance } from '../../../contract/suppression.ts';
import { isoTime, isoTimeOrNull } from '../../../contract/text.ts';
import type { Span } from './rules.ts';
import type { StoredWindow } from './writes.ts';

/** @param span of now @param threads that it suppresses */
export function shown({ file, updatedAt, ...window }: StoredWindow, span: Span, threads: number): Maintenance {
  const { state, from, until } = span;
  return {
    ...window,
    ...(file !== '' && { file }),
    updatedAt: isoTime(updatedAt),
    state,
    from: isoTimeOrNull(from),
    until: isoTimeOrNull(until === Infinity ? null : until),
    threads,
  };
}

const STATES = ['active', 'pending', 'expired'];
const timeOf = ({ state, from, until, endsAt = '' }: Maintenance): number =>
  state === 'expired' ? -Date.parse(endsAt) : Date.parse((state === 'active' ? until : from) ?? '9999-01-01');

/** Active ones that end first, pending ones that begin first, then expired ones that ended last. */
export const inOrder = (windows: Maintenance[]): Maintenance[] =>
  windows.sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state) || timeOf(a) - timeOf(b));
