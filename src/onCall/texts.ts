import { momentIn } from '../components/moments';
import { t } from '../i18n/t';
import type { Piece } from './timeline';

/** The time that is shown, UTC milliseconds. Shifts begin before and end after it. */
export interface Window {
  start: number;
  end: number;
}

export const untilText = (to: number, zone: string): string =>
  t('on-call.timeline.until', 'until {{time}}', { time: momentIn(to, zone) });

/** "Mon 30 Nov, 09:00 – Mon 7 Dec, 09:00"; of a shift that has begun, only when it ends. */
export function spanText({ from, to }: Pick<Piece, 'from' | 'to'>, { start, end }: Window, zone: string): string {
  if (from <= start) {
    return to < end ? untilText(to, zone) : t('on-call.timeline.always', 'the next two weeks');
  }
  return to < end
    ? `${momentIn(from, zone)} – ${momentIn(to, zone)}`
    : t('on-call.timeline.from', 'from {{time}}', { time: momentIn(from, zone) });
}

export const namesOf = (people: readonly string[]): string =>
  people.length === 0 ? t('on-call.nobody', 'Nobody on call') : people.join(', ');
