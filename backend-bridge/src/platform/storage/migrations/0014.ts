/** Heartbeats of provisioning files. */
import type { Database } from '../engine.ts';
import { createTables, table, text } from '../tables.ts';

export const TABLES = { heartbeats: table({ name: text, file: text, content: text }, 'name') };

export const up = (db: Database): Promise<void> => createTables(db, TABLES);
