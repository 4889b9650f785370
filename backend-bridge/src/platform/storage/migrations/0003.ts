/** Labels of notifications: each set of labels once. Those of notifications that are stored already are not filled in. */
import { sql } from 'kysely';
import { type Database, engineOf } from '../engine.ts';
import { createIndex, createTables, integer, table, text, typeOf } from '../tables.ts';

export const TABLES = {
  label_sets: table({ id: integer, hash: { ...text, unique: true }, labels: text }, 'id'),
  labels: table({ name: text, value: text, set_id: integer }, 'name, value, set_id'),
};

/** 0: without labels. Contain only what has labels, so that notifications without pay nothing for it. */
const INDEXES = {
  notifications: ['notifications_labels', 'label_set, ts, id, muted, hidden', 'label_set > 0'],
  // Includes what is counted.
  threads: [
    'threads_labels',
    'label_set, head_ts, head_id, category, dnp_name, unseen, burst',
    'label_set > 0 and head_id is not null',
  ],
  trash: ['trash_labels', 'label_set', 'label_set > 0'],
} as const;

/** Names and values are found with the body. */
const TEXT_TRIGGER = [
  'drop trigger notifications_text_delete',
  `create trigger notifications_text_delete after delete on notifications
    when old.id <= (select last from series where name = 'indexed') begin
    insert into notifications_text (notifications_text, rowid, title, body, dnp_name)
    values ('delete', old.id, old.title,
      old.body || coalesce((select ' ' || labels from label_sets where id = old.label_set), ''), old.dnp_name);
  end`,
];

export async function up(db: Database): Promise<void> {
  await createTables(db, TABLES);
  for (const [name, [index, columns, where]] of Object.entries(INDEXES)) {
    await db.schema
      .alterTable(name)
      .addColumn('label_set', typeOf(db, integer), (column) => column.notNull().defaultTo(0))
      .execute();
    await createIndex(db, index, name, [columns, where]);
  }
  for (const statement of engineOf(db).name === 'sqlite' ? TEXT_TRIGGER : []) {
    await sql.raw(statement).execute(db);
  }
  await db.insertInto('series').values({ name: 'label set', last: 0 }).execute();
}
