/** Every migration of both engines, by name. One that has been released is never edited; a change is a new one. */
import type { Migration } from 'kysely/migration';
import { TABLES as TABLES_0001, up } from './0001/index.ts';
import { TABLES as TABLES_0002, up as up0002 } from './0002.ts';
import { TABLES as TABLES_0003, up as up0003 } from './0003.ts';
import { TABLES as TABLES_0004, up as up0004 } from './0004.ts';
import { TABLES as TABLES_0005, up as up0005 } from './0005.ts';
import { TABLES as TABLES_0006, up as up0006 } from './0006.ts';
import { up as up0007 } from './0007.ts';
import { TABLES as TABLES_0008, up as up0008 } from './0008.ts';
import { TABLES as TABLES_0009, up as up0009 } from './0009.ts';
import { up as up0010 } from './0010.ts';
import { up as up0011 } from './0011.ts';
import { up as up0012 } from './0012.ts';

export const FIRST = '0001_release_0.1.0';

export const MIGRATIONS: Record<string, Migration> = {
  [FIRST]: { up },
  '0002_alertmanager': { up: up0002 },
  '0003_labels': { up: up0003 },
  '0004_suppression': { up: up0004 },
  '0005_auto_resolve': { up: up0005 },
  '0006_message_actions': { up: up0006 },
  '0007_on_call': { up: up0007 },
  '0008_mappings': { up: up0008 },
  '0009_overrides': { up: up0009 },
  '0010_on_call_state': { up: up0010 },
  '0011_inhibitors': { up: up0011 },
  '0012_suppressed_key': { up: up0012 },
};

/** All tables with content; of a table that a migration removes, the name stays. The text index is rebuilt from the notifications. */
export const TABLES: ReadonlySet<string> = new Set(
  Object.keys({
    ...TABLES_0001,
    ...TABLES_0002,
    ...TABLES_0003,
    ...TABLES_0004,
    ...TABLES_0005,
    ...TABLES_0006,
    ...TABLES_0008,
    ...TABLES_0009,
  })
);
