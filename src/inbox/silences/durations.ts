import { t } from '../../i18n/t';

/** Hours. */
export const DURATIONS = [1, 4, 24, 168] as const;

/** "4 hours", "a week". */
export function durationLabel(hours: number): string {
  switch (hours) {
    case 1:
      return t('inbox.silence.hour', 'an hour');
    case 4:
      return t('inbox.silence.hours', '4 hours');
    case 24:
      return t('inbox.silence.day', 'a day');
    default:
      return t('inbox.silence.week', 'a week');
  }
}
