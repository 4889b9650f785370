/** Messages for a database that is not writable: cause and fix. Pure. */
import type { BridgeStatus } from '@nodebell/contract/status.ts';
import { t } from '../i18n/t';

type Reason = NonNullable<BridgeStatus['storeFailure']>['reason'];

interface StoreMessages {
  /** For the health section. */
  short: string;
  title: string;
  text: string;
}

const missing = (): StoreMessages => ({
  short: t('config.store.missing', 'File removed or replaced'),
  title: t('config.store.missing-title', 'Connected, but the database file was removed or replaced'),
  text: t(
    'config.store.missing-text',
    'Requests from senders fail with status 503. Restore `nodebell.db` before you stop the bridge. If you replaced it on purpose, restart the bridge.'
  ),
});

const MESSAGES: Partial<Record<Reason, () => StoreMessages>> = {
  disk_full: () => ({
    short: t('config.store.full', 'Disk full'),
    title: t('config.store.full-title', 'Connected, but the bridge’s disk is full'),
    text: t(
      'config.store.full-text',
      'Requests from senders fail with status 503. Free up disk space or delete notifications; deleting still works. The bridge then recovers automatically.'
    ),
  }),
  corrupt: () => ({
    short: t('config.store.corrupt', 'Corrupt'),
    title: t('config.store.corrupt-title', 'Connected, but the bridge’s database is corrupt'),
    text: t(
      'config.store.corrupt-text',
      'Requests from senders fail with status 503. Stop the bridge and restore a backup.'
    ),
  }),
  database_missing: missing,
  database_replaced: missing,
};

const notWritable = (): StoreMessages => ({
  short: t('config.health.store-broken', 'Not writable'),
  title: t('config.connected.store-title', 'Connected, but the bridge cannot write to its database'),
  text: t('config.store.text', 'Requests from senders fail with status 503. Check the bridge log for the cause.'),
});

export const storeMessages = ({ storeFailure }: BridgeStatus): StoreMessages =>
  ((storeFailure && MESSAGES[storeFailure.reason]) ?? notWritable)();
