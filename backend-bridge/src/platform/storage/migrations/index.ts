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

export const FIRST = '0001_release_0.1.0';

export const MIGRATIONS: Record<string, Migration & { TABLES?: Readonly<Record<string, Table>> }> = {
  [FIRST]: first,
  '0002_alertmanager': alertmanager,
  '0003_labels': labels,
  '0004_suppression': suppression,
  '0005_auto_resolve': autoResolve,
  '0006_message_actions': messageActions,
  '0007_on_call': onCall,
  '0008_mappings': mappings,
  '0009_overrides': overrides,
  '0010_on_call_state': onCallState,
  '0011_inhibitors': inhibitors,
};

/** All tables with content; of a table that a migration removes, the name stays. The text index is rebuilt from the notifications. */
export const TABLES: ReadonlySet<string> = new Set(
  Object.values(MIGRATIONS).flatMap(({ TABLES: added = {} }) => Object.keys(added))
);
