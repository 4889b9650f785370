import { t } from '../../i18n/t';

/** Hours. */
export const DURATIONS = [1, 4, 24, 168] as const;

const LABELS: Record<(typeof DURATIONS)[number], () => string> = {
  1: () => t('inbox.silence.hour', 'an hour'),
  4: () => t('inbox.silence.hours', '4 hours'),
  24: () => t('inbox.silence.day', 'a day'),
  168: () => t('inbox.silence.week', 'a week'),
};

/** "4 hours", "a week". */
export const durationLabel = (hours: (typeof DURATIONS)[number]): string => LABELS[hours]();
