/** Every migration of both engines, by name. One that has been released is never edited; a change is a new one. */
import type { Migration } from 'kysely/migration';
import type { Table } from '../tables.ts';
import * as first from './0001/index.ts';
import * as alertmanager from './0002.ts';
import * as labels from './0003.ts';
import * as suppression from './0004.ts';
import * as autoResolve from './0005.ts';
import * as messageActions from './0006.ts';
import * as onCall from './0007.ts';
import * as mappings from './0008.ts';
import * as overrides from './0009.ts';
import * as onCallState from './0010.ts';
import * as inhibitors from './0011.ts';
import * as suppressedKey from './0012.ts';
import * as syncedAddress from './0013.ts';
import * as heartbeats from './0014.ts';

export const FIRST = '0001_release_0.1.0';

export const MIGRATIONS: Record<string, Migration & { TABLES?: Readonly<Record<string, Table>> }> = {
  [FIRST]: { up: first.up, TABLES: first.TABLES },
  '0002_alertmanager': { up: alertmanager.up, TABLES: alertmanager.TABLES },
  '0003_labels': { up: labels.up, TABLES: labels.TABLES },
  '0004_suppression': { up: suppression.up, TABLES: suppression.TABLES },
  '0005_auto_resolve': { up: autoResolve.up, TABLES: autoResolve.TABLES },
  '0006_message_actions': { up: messageActions.up, TABLES: messageActions.TABLES },
  '0007_on_call': { up: onCall.up },
  '0008_mappings': { up: mappings.up, TABLES: mappings.TABLES },
  '0009_overrides': { up: overrides.up, TABLES: overrides.TABLES },
  '0010_on_call_state': { up: onCallState.up },
  '0011_inhibitors': { up: inhibitors.up },
  '0012_suppressed_key': { up: suppressedKey.up },
  '0013_synced_address': { up: syncedAddress.up },
  '0014_heartbeats': { up: heartbeats.up, TABLES: heartbeats.TABLES },
};

/** All tables with content; of a table that a migration removes, the name stays. The text index is rebuilt from the notifications. */
export const TABLES: ReadonlySet<string> = new Set(
  Object.values(MIGRATIONS).flatMap(({ TABLES: added = {} }) => Object.keys(added))
);
