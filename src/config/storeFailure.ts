/** Texts for a store that cannot be written: the cause and what to do. Pure. */
import type { BridgeStatus } from '@nodebell/contract/status.ts';
import { t } from '../i18n/t';

interface StoreTexts {
  /** In a list of facts. */
  short: string;
  title: string;
  text: string;
}

export function storeTexts({ storeFailure }: BridgeStatus): StoreTexts {
  switch (storeFailure?.reason) {
    case 'disk_full':
      return {
        short: t('config.store.full', 'Disk full'),
        title: t('config.store.full-title', 'Connected, but the bridge’s disk is full'),
        text: t(
          'config.store.full-text',
          'Senders get 503. Free disk space, or delete notifications: deleting still works. The bridge recovers by itself.'
        ),
      };
    case 'corrupt':
      return {
        short: t('config.store.corrupt', 'Database damaged'),
        title: t('config.store.corrupt-title', 'Connected, but the bridge’s database is damaged'),
        text: t('config.store.corrupt-text', 'Senders get 503. Stop the bridge and restore a backup.'),
      };
    case 'database_missing':
    case 'database_replaced':
      return {
        short: t('config.store.missing', 'Database file removed or replaced'),
        title: t('config.store.missing-title', 'Connected, but the database file was removed or replaced'),
        text: t(
          'config.store.missing-text',
          'Senders get 503. Put `nodebell.db` back before you stop the bridge; if it was replaced on purpose, restart the bridge.'
        ),
      };
    default:
      return {
        short: t('config.health.store-broken', 'Cannot be written'),
        title: t('config.connected.store-title', 'Connected, but the bridge cannot store anything'),
        text: t('config.store.text', 'Senders get 503 until it can. The log of the bridge names the cause.'),
      };
  }
}
