import { may } from '../api/permissions';
import { t } from '../i18n/t';

/** Grafana names the page by its link in the navigation; without a link, by this. */
export const pageName = (): { pageNav?: { text: string } } =>
  may('push:own') ? {} : { pageNav: { text: t('channels.tab.channels', 'Channels') } };
