import { t } from '../i18n/t';

/** "3 threads not sent". */
export const threadsNotSent = (count: number): string =>
  t('silences.row.threads', '', {
    count,
    defaultValue_one: '{{count, number}} thread not sent',
    defaultValue_other: '{{count, number}} threads not sent',
  });

/** "3 alerts silenced". */
export const alertsSilenced = (count: number): string =>
  t('silences.row.alerts', '', {
    count,
    defaultValue_one: '{{count, number}} alert silenced',
    defaultValue_other: '{{count, number}} alerts silenced',
  });
