/**
 * Several statements in one round trip, and several such batches under way, which `pg` cannot send by itself. A batch ends with a Sync: the
 * server skips what follows a failure in it (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
 */
import pg from 'pg';

/** A parameter of a statement; lists are arrays of PostgreSQL. */
export type Value = number | string | boolean | null | undefined | readonly Value[];

/** A statement of a batch. */
export interface BatchStatement {
  text: string;
  values: readonly Value[];
  /** It is prepared under this name; undefined: it is planned for this run. */
  name: string | undefined;
  /** Whether its rows are ignored. */
  silent: boolean;
  /** Input of `copy … from stdin`, see {@link copyLines}; undefined: another statement. */
  copied: string | undefined;
}

/** Members that the types of `pg` omit. */
interface Connection extends pg.Connection {
  readonly parsedStatements: Record<string, string>;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}
interface Result extends pg.QueryResult<Record<string, unknown>> {
  addFields(fields: unknown): void;
  parseRow(fields: unknown): Record<string, unknown>;
  addCommandComplete(message: unknown): void;
}
const { Result: PgResult } = pg as unknown as { Result: new (mode: undefined, types: pg.CustomTypesConfig) => Result };

/**
 * Sends batches over one connection in the order of the calls, without waiting for the responses to those before. Nothing else may use the
 * connection.
 */
export class Pipeline {
  readonly #client: pg.ClientBase;
  readonly #types: pg.CustomTypesConfig;
  /** Without a response so far. The client has the first one, as it passes all messages of the server to its only query. */
  readonly #batches: Batch[] = [];
  /** Names that the server is parsing. */
  readonly #parsing = new Set<string>();

  constructor(client: pg.ClientBase, types: pg.CustomTypesConfig) {
    this.#client = client;
    this.#types = types;
  }

  /** @returns the result of each statement; rejects with the first error */
  run(statements: readonly BatchStatement[]): Promise<pg.QueryResult[]> {
    return new Promise((resolve, reject) => {
      const last = this.#batches.at(-1);
      const batch = new Batch(statements, this.#types, this.#parsing, (error, results) => {
        if (this.#batches[0] === batch) {
          this.#batches.shift();
          this.#submitNext();
        }
        return error ? reject(error) : resolve(results!);
      });
      this.#batches.push(batch);
      if (last === undefined) {
        this.#submitNext();
      } else if (last.sent) {
        batch.send((this.#client as unknown as { connection: Connection }).connection);
      }
    });
  }

  #submitNext(): void {
    const [next] = this.#batches;
    if (next) {
      this.#client.query(next);
    }
  }
}

/** For `client.query`, whose client calls the methods with the messages of the server. */
class Batch implements pg.Submittable {
  callback: (error: Error | null, results?: pg.QueryResult[]) => void;
  readonly #statements: readonly BatchStatement[];
  readonly #types: pg.CustomTypesConfig;
  readonly #results: Result[] = [];
  /** Statements that the server has to parse for this batch. */
  readonly #parsed: BatchStatement[] = [];
  readonly #parsing: Set<string>;
  #sent = false;
  #current: Result;
  #end: () => void = () => undefined;

  /**
   * @param parsing names that the server is parsing, also for batches before this one
   * @param callback with the result of each statement, or the first error
   */
  constructor(
    statements: readonly BatchStatement[],
    types: pg.CustomTypesConfig,
    parsing: Set<string>,
    callback: Batch['callback']
  ) {
    this.#statements = statements;
    this.#types = types;
    this.#parsing = parsing;
    this.callback = callback;
    this.#current = new PgResult(undefined, types);
  }

  get sent(): boolean {
    return this.#sent;
  }

  /** Before its turn, when all batches before this one have been sent. */
  send(connection: Connection): void {
    const { stream, parsedStatements } = connection;
    this.#sent = true;
    stream.cork();
    for (const statement of this.#statements) {
      const { text, values, name = '', silent, copied } = statement;
      if (name === '' || (parsedStatements[name] === undefined && !this.#parsing.has(name))) {
        this.#parsed.push(statement);
        if (name !== '') {
          this.#parsing.add(name);
        }
        connection.parse({ text, name, types: [] }, true);
      }
      connection.bind({ portal: '', statement: name, values: values.map(literal) }, true);
      if (!silent) {
        connection.describe({ type: 'P', name: '' }, true);
      }
      connection.execute({ portal: '' }, true);
      if (copied !== undefined) {
        // At once: after a failure the server skips it, like everything until the Sync.
        connection.sendCopyFromChunk(Buffer.from(copied));
        connection.endCopyFrom();
      }
    }
    connection.sync();
    stream.uncork();
  }

  submit(submittedTo: pg.Connection): void {
    const connection = submittedTo as Connection;
    if (!this.#sent) {
      this.send(connection);
    }
    if (this.#parsed.length > 0) {
      const onParsed = (): void => {
        const { name, text } = this.#parsed.shift() ?? {};
        if (name !== undefined && text !== undefined) {
          connection.parsedStatements[name] = text;
          this.#parsing.delete(name);
        }
      };
      connection.on('parseComplete', onParsed);
      this.#end = () => {
        connection.off('parseComplete', onParsed);
        this.#parsed.forEach(({ name = '' }) => this.#parsing.delete(name));
      };
    }
  }

  handleRowDescription({ fields }: { fields: unknown }): void {
    this.#current.addFields(fields);
  }
  handleDataRow({ fields }: { fields: unknown }): void {
    if (!this.#statements[this.#results.length]?.silent) {
      this.#current.rows.push(this.#current.parseRow(fields));
    }
  }
  handleCommandComplete(message: unknown): void {
    this.#current.addCommandComplete(message);
    this.#results.push(this.#current);
    this.#current = new PgResult(undefined, this.#types);
  }
  /** The rows have been sent already. */
  handleCopyInResponse(): void {}
  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleError(error: Error): void {
    this.#end();
    this.callback(error);
  }
  handleReadyForQuery(): void {
    this.#end();
    this.callback(null, this.#results);
  }
}

/** A value as the server reads it. Text in PostgreSQL cannot hold the character NUL. */
export function literal(value: Value): string | null {
  if (value === null || value === undefined) {
    return null;
  }
  if (typeof value === 'object') {
    return `{${value.map(element).join(',')}}`;
  }
  const text = String(value);
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}

function element(value: Value): string {
  if (typeof value === 'number') {
    return String(value);
  }
  const text = literal(value);
  return text === null ? 'NULL' : `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, String.raw`\$&`) : text}"`;
}

const ESCAPED: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
};

/** Rows as `copy … from stdin` reads them: https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS */
export const copyLines = (rows: readonly (readonly Value[])[]): string =>
  rows.map((row) => `${row.map(field).join('\t')}\n`).join('');

function field(value: Value): string {
  if (typeof value === 'number') {
    return String(value);
  }
  const text = literal(value);
  return text === null
    ? String.raw`\N`
    : /[\\\t\n\r]/.test(text)
      ? text.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPED[character]!)
      : text;
}
