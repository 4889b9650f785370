/**
 * The seam between the bridge and its databases. The rooms `sqlite/` and `postgres/` have the same files and implement {@link Engine};
 * nothing else in the bridge knows which database it runs on. SQL is written once, in what both understand: `coalesce`, `case`,
 * conflict targets that are named, aliases for every subquery, flags as 0 and 1. What they do not share is a function of `bulk.ts`,
 * which either makes a fragment that the compiler of the database chooses ({@link perEngine}), or runs what {@link engineOf} finds.
 */
import {
  type CompiledQuery,
  type DefaultQueryCompiler,
  type Kysely,
  type RawBuilder,
  RawNode,
  sql,
  type Transaction,
} from 'kysely';
import type { Schema } from './schema.ts';

/** For reading. Of both engines: numbers are numbers, and a condition that is selected is 0 or 1. */
export type Database = Kysely<Schema>;
/** A transaction of the writer thread. */
export type Transacting = Transaction<Schema>;

/** A value in a list that is passed as one parameter. All values of a list, or of one column of a list of rows, are of one type. */
export type Listed = number | string;

/** Fragments of SQL. Pure: they are compiled into the statement around them. */
export interface Fragments {
  /** `column in (…)` for a list of any length. */
  inList(column: RawBuilder<unknown>, list: readonly Listed[]): RawBuilder<boolean>;
  /** `(column, …) in ((…), …)` for rows of any number. */
  inRows(columns: readonly string[], rows: readonly (readonly Listed[])[]): RawBuilder<boolean>;
  /** Rows as a table expression with its alias: the columns named, and `place`, the number of the row from 0. */
  eachRow(alias: string, columns: readonly string[], rows: readonly (readonly Listed[])[]): RawBuilder<unknown>;
  /** Ids (column `found_id`) of indexed notifications that hold every word, the last one as a prefix. As a subquery without alias. */
  textSearch(words: readonly string[]): RawBuilder<{ found_id: number }>;
  /** Whether the notification of this id is one of {@link textSearch}. */
  textMatches(idColumn: string, words: readonly string[]): RawBuilder<boolean>;
}

/** A database management system. */
export interface Engine extends Fragments {
  readonly name: 'sqlite' | 'postgres';
  /** Before the migrations. @throws when the server cannot be used */
  checkServer?(db: Database): Promise<void>;
  /** Whether the database has a table of this name. */
  hasTable(db: Database, name: string): Promise<boolean>;
  /**
   * Whether few of the newest notifications hold all these words, the last one as a prefix: then it takes less to collect and sort all that do
   * than to walk through the notifications. Absent: the search index returns the order of arrival.
   */
  isRareText?(db: Database, words: readonly string[]): Promise<boolean>;
  /** Runs queries that do not depend on each other, in this order, and in one round trip. @returns the rows of each */
  together(db: Database, queries: readonly CompiledQuery[]): Promise<unknown[][]>;
  /** Runs a query without rows before the next one that has rows, or before the commit, in the same round trip. */
  defer(trx: Transacting, query: CompiledQuery): Promise<void>;
  /**
   * Inserts rows in the order given, without a round trip of its own. All rows have the same members; a key appears once among them.
   * @param onConflict `on conflict (column, …) do …`, with `excluded` for the new row and the table's name for the stored one
   */
  insertRows<T extends keyof Schema>(trx: Transacting, table: T, rows: Schema[T][], onConflict: string): Promise<void>;
  /** Adds the notifications with `after` < id <= `until` to the search index. */
  indexText(trx: Transacting, after: number, until: number): Promise<void>;
  /** After notifications that had been indexed are back. Those that are deleted leave the index by themselves. */
  reindexText(trx: Transacting, ids: readonly number[]): Promise<void>;
  /** A step of removing from the search index what is left there of deleted notifications, where the engine does not do so itself. */
  compactText?(trx: Transacting): Promise<void>;
  /** Size of the database, in bytes. */
  databaseBytes(db: Database): Promise<number>;
  /** Space inside the database that is free for new rows, in bytes; 0 where that is not known. */
  freeBytesInside(db: Database): Promise<number>;
  /** Bytes of the store's tables with their indexes; on SQLite without what is free in the file. */
  usedBytes(db: Database): Promise<number>;
  /** Makes the server allocate some space for the database and frees it again. @throws when its disk is full; SQLite: never */
  probeSpace(trx: Transacting): Promise<void>;
  /** Gives free space back to the system: at most `count` pages. @returns how many were free before, beyond `kept` */
  releasePages(trx: Transacting, count: number, kept: number): Promise<number>;
  /** UTC milliseconds by the clock of the server, which all bridges of the database share; undefined: there is only one bridge. */
  serverTime(db: Database): Promise<number | undefined>;
  /** Moves what is in a write-ahead log into the database, so that its space is free. Best effort. */
  checkpoint(db: Database): Promise<void>;
  /** Closes connections to a server, so that what is under way fails at once; the next query opens another. */
  disconnect(db: Database): void;
  /** Opens other connections to a server for all queries from now on; those under way end on theirs. */
  reconnect(db: Database): void;
}

/** The engine of a database or transaction: a member of its adapter. */
export const engineOf = (db: Database): Engine => (db.getExecutor().adapter as unknown as { engine: Engine }).engine;

/** The column `n` of the only row of a query; 0 without a row. */
export async function numberOf(db: Database, query: RawBuilder<unknown>): Promise<number> {
  const [row] = (await query.execute(db)).rows as { n: number }[];
  return row?.n ?? 0;
}

interface ChoiceNode extends RawNode {
  readonly choose: (engine: Engine) => RawBuilder<unknown>;
}

/** SQL that is another for each engine: chosen when the statement is compiled, so that who builds it needs no database. */
export function perEngine<T>(choose: (engine: Engine) => RawBuilder<T>): RawBuilder<T> {
  const node: ChoiceNode = { ...RawNode.createWithSql(''), choose };
  return sql<T>`${{ toOperationNode: () => node }}`;
}

/** A compiler that uses the SQL of an engine where {@link perEngine} has a choice. */
export const choosing = (Compiler: new () => DefaultQueryCompiler, engine: Engine) =>
  class extends Compiler {
    protected override visitRaw(node: RawNode): void {
      if ('choose' in node) {
        this.visitNode((node as ChoiceNode).choose(engine).toOperationNode());
      } else {
        super.visitRaw(node);
      }
    }
  };
