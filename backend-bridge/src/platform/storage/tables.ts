/** Creates tables and indexes by kysely's schema builder. What differs between the engines is in {@link DIALECTS}. */
import { type ColumnDataType, type ColumnDefinitionBuilder, type Expression, sql } from 'kysely';
import { type Database, type Engine, engineOf } from './engine.ts';

type ColumnType = ColumnDataType | Expression<unknown>;

interface Dialect {
  types: Record<Column['type'], ColumnType>;
  /** After the definition of a table whose key is not a number. */
  end: Expression<unknown>;
  /** Makes a column number its rows, each number once. */
  number: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
}

const DIALECTS: Record<Engine['name'], Dialect> = {
  sqlite: {
    types: { integer: 'integer', small: 'integer', real: 'real', text: 'text' },
    end: sql`without rowid`,
    number: (column) => column.autoIncrement(),
  },
  // Texts compare by code point, as in SQLite.
  postgres: {
    types: { integer: 'bigint', small: 'smallint', real: 'double precision', text: sql`text collate "C"` },
    end: sql``,
    number: (column) => column.generatedByDefaultAsIdentity(),
  },
};

/** Not null unless it is optional. */
interface Column {
  type: 'integer' | 'small' | 'real' | 'text';
  optional?: true;
  unique?: true;
  default?: string | number;
  /** The database numbers its rows. A number is given out once. */
  numbered?: true;
}

type Columns = Readonly<Record<string, Column>>;
/** The columns as in SQL, with the condition of a partial index. */
type Index = string | readonly [columns: string, where: string] | { unique: string };
type Indexes = Readonly<Record<string, Index>>;

export interface Table {
  columns: Columns;
  key: string;
  indexes: Indexes;
}

/** @param key its columns, as in SQL */
export const table = (columns: Columns, key: string, indexes: Indexes = {}): Table => ({ columns, key, indexes });

export const integer: Column = { type: 'integer' };
/** Flags and ranks. */
export const small: Column = { type: 'small' };
export const real: Column = { type: 'real' };
export const text: Column = { type: 'text' };
export const optional = (column: Column): Column => ({ ...column, optional: true });

export const unique = (columns: string): Index => ({ unique: columns });

/** The type of a column, for `alterTable`. */
export const typeOf = (db: Database, { type }: Column): ColumnType => DIALECTS[engineOf(db).name].types[type];

/** By name, in this order. */
export async function createTables(db: Database, tables: Readonly<Record<string, Table>>): Promise<void> {
  for (const [name, { columns, key, indexes }] of Object.entries(tables)) {
    await createTable(db, name, columns, key);
    for (const [index, definition] of Object.entries(indexes)) {
      await createIndex(db, index, name, definition);
    }
  }
}

const listed = (columns: string): string[] => columns.split(', ');

async function createTable(db: Database, name: string, columns: Columns, key: string): Promise<void> {
  const { end, number } = DIALECTS[engineOf(db).name];
  let built = db.schema.createTable(name);
  for (const [column, definition] of Object.entries(columns)) {
    built = built.addColumn(column, typeOf(db, definition), (plain) => {
      let more = definition.optional || column === key ? plain : plain.notNull();
      more = definition.default === undefined ? more : more.defaultTo(definition.default);
      more = definition.unique ? more.unique() : more;
      more = column === key ? more.primaryKey() : more;
      return definition.numbered ? number(more) : more;
    });
  }
  const keys = listed(key);
  built = keys.length === 1 ? built : built.addPrimaryKeyConstraint(`${name}_pkey`, keys as never[]);
  await (columns[key]?.type === 'integer' ? built : built.modifyEnd(end)).execute();
}

export async function createIndex(db: Database, name: string, on: string, definition: Index): Promise<void> {
  const built = db.schema.createIndex(name).on(on);
  if (typeof definition === 'string') {
    await built.columns(listed(definition)).execute();
  } else if ('unique' in definition) {
    await built.unique().columns(listed(definition.unique)).execute();
  } else {
    const [columns, where] = definition;
    await built.columns(listed(columns)).where(sql.raw<boolean>(where)).execute();
  }
}
