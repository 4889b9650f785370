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
          'Requests from senders fail with status 503. Free up disk space or delete notifications; deleting still works. The bridge then recovers automatically.'
        ),
      };
    case 'corrupt':
      return {
        short: t('config.store.corrupt', 'Corrupt'),
        title: t('config.store.corrupt-title', 'Connected, but the bridge’s database is corrupt'),
        text: t(
          'config.store.corrupt-text',
          'Requests from senders fail with status 503. Stop the bridge and restore a backup.'
        ),
      };
    case 'database_missing':
    case 'database_replaced':
      return {
        short: t('config.store.missing', 'File removed or replaced'),
        title: t('config.store.missing-title', 'Connected, but the database file was removed or replaced'),
        text: t(
          'config.store.missing-text',
          'Requests from senders fail with status 503. Restore `nodebell.db` before you stop the bridge. If you replaced it on purpose, restart the bridge.'
        ),
      };
    default:
      return {
        short: t('config.health.store-broken', 'Not writable'),
        title: t('config.connected.store-title', 'Connected, but the bridge cannot write to its database'),
        text: t('config.store.text', 'Requests from senders fail with status 503. Check the bridge log for the cause.'),
      };
  }
}
