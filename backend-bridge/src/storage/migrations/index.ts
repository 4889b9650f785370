/** Every migration, by number. One that has been released is never edited; a change is a new one. */
import type { Migration } from 'kysely/migration';
import * as initial from './0001_initial.ts';
import * as senderTokens from './0002_sender_tokens.ts';
import * as packages from './0003_packages.ts';
import * as provisioning from './0004_provisioning.ts';
import * as settings from './0005_settings.ts';
import * as chains from './0006_chains.ts';
import * as readers from './0007_readers.ts';
import * as receiptAge from './0008_receipt_age.ts';
import * as scale from './0009_scale.ts';

export const MIGRATIONS: Record<string, Migration> = {
  '0001_initial': initial,
  '0002_sender_tokens': senderTokens,
  '0003_packages': packages,
  '0004_provisioning': provisioning,
  '0005_settings': settings,
  '0006_chains': chains,
  '0007_readers': readers,
  '0008_receipt_age': receiptAge,
  '0009_scale': scale,
};
