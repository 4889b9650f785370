/**
 * The portable form of a store: lines of JSON. A header, then each table as a line with its columns and a line for each row, then a
 * trailer with counts and checksums. Backups are such lines in a file; a migration passes them from store to store.
 */
import { createHash, hash } from 'node:crypto';
import { z } from 'zod';
import { damaged, type TransferError } from './errors.ts';
import { linesOf } from './lines.ts';
import type { Snapshot, TableShape, Value } from './snapshot.ts';

const FORMAT = 'nodebell-store';
const FORMAT_VERSION = 1;

/** Characters that are written at once. */
const CHUNK = 256 * 1024;

const headerSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(FORMAT_VERSION),
  engine: z.enum(['sqlite', 'postgres']),
  /** Version of the program that wrote it. */
  bridge: z.string(),
  /** Time of the snapshot, which contains everything committed before. */
  createdAt: z.iso.datetime(),
  /** Names of the migrations that the store had, in order. */
  migrations: z.array(z.string()).min(1),
  /** The last id that was given to a notification; 0: none. */
  lastNotification: z.int().nonnegative(),
});
export type Header = z.output<typeof headerSchema>;

const tableSchema = z.strictObject({ table: z.string(), columns: z.array(z.string()).min(1) });

const tableSumSchema = z.strictObject({
  rows: z.int().nonnegative(),
  /** The sum of the SHA-256 of each row's line modulo 2^256, in hexadecimal: it does not depend on the order of rows. */
  sum: z.string(),
});
export type TableSum = z.output<typeof tableSumSchema>;

const trailerSchema = z.strictObject({
  tables: z.record(z.string(), tableSumSchema),
  /** The last number given out by each table that numbers its rows itself. */
  counters: z.record(z.string(), z.int()),
  /** SHA-256 of all lines before this one. */
  sha256: z.string(),
});
export type Trailer = z.output<typeof trailerSchema>;

export type Part =
  | { type: 'header'; header: Header }
  | { type: 'table'; table: TableShape }
  | { type: 'rows'; table: TableShape; rows: Value[][] }
  | { type: 'end'; trailer: Trailer };

/** Adds up the checksums of rows. */
export class Sum {
  #rows = 0;
  readonly #words = new Uint32Array(8);

  add(line: string): void {
    this.#rows += 1;
    const digest = hash('sha256', line, 'buffer');
    let carry = 0;
    for (let at = 7; at >= 0; at -= 1) {
      const word = this.#words[at]! + digest.readUInt32BE(at * 4) + carry;
      carry = word > 0xffffffff ? 1 : 0;
      this.#words[at] = word;
    }
  }

  total(): TableSum {
    return { rows: this.#rows, sum: [...this.#words].map((word) => word.toString(16).padStart(8, '0')).join('') };
  }
}

export interface Origin {
  bridge: string;
  createdAt: string;
}

/** Writes a snapshot. Yields some lines at a time. */
export async function* encode(snapshot: Snapshot, origin: Origin): AsyncGenerator<string, Trailer> {
  const whole = createHash('sha256');
  const tables: Trailer['tables'] = {};
  const header: Header = {
    format: FORMAT,
    version: FORMAT_VERSION,
    engine: snapshot.engine,
    ...origin,
    migrations: snapshot.migrations,
    lastNotification: snapshot.lastNotification,
  };
  let lines = `${JSON.stringify(header)}\n`;
  for (const table of snapshot.tables) {
    const sum = new Sum();
    lines += `${JSON.stringify({ table: table.name, columns: table.columns })}\n`;
    for await (const rows of snapshot.rows(table)) {
      for (const row of rows) {
        const line = JSON.stringify(row);
        sum.add(line);
        lines += `${line}\n`;
        if (lines.length > CHUNK) {
          whole.update(lines);
          yield lines;
          lines = '';
        }
      }
    }
    tables[table.name] = sum.total();
  }
  whole.update(lines);
  const trailer = { tables, counters: snapshot.counters, sha256: whole.digest('hex') };
  yield `${lines}${JSON.stringify(trailer)}\n`;
  return trailer;
}

/** Counts and checksums of a snapshot, without writing it. */
export async function sumsOf(snapshot: Snapshot): Promise<Trailer['tables']> {
  const lines = encode(snapshot, { bridge: '', createdAt: '' });
  for (;;) {
    const next = await lines.next();
    if (next.done) {
      return next.value.tables;
    }
  }
}

/**
 * Reads what {@link encode} wrote, and verifies it. The part `end` comes only when everything before it is whole.
 * @param maxRows of all tables
 * @throws TransferError when it is damaged, or has more rows
 */
export async function* decode(source: AsyncIterable<Buffer | string>, maxRows = Infinity): AsyncGenerator<Part> {
  const decoder = new Decoder(maxRows);
  for await (const line of linesOf(source)) {
    yield* decoder.take(line);
  }
  decoder.expectEnd();
}

class Decoder {
  readonly #whole = createHash('sha256');
  readonly #tables: Trailer['tables'] = {};
  #table: TableShape | undefined;
  #sum = new Sum();
  #rows: Value[][] = [];
  /** Characters of the rows. */
  #size = 0;
  #line = 0;
  #ended = false;
  #rowsLeft: number;

  constructor(maxRows: number) {
    this.#rowsLeft = maxRows;
  }

  *take(line: string): Generator<Part> {
    this.#line += 1;
    if (this.#ended) {
      throw this.#damaged('the backup continues after its end.');
    }
    const content = parse(line, this.#line);
    if (this.#line === 1) {
      yield { type: 'header', header: readHeader(content) };
    } else if (Array.isArray(content)) {
      yield* this.#row(line, content);
    } else {
      yield* this.#flush();
      yield this.#tableOrEnd(content);
    }
    this.#whole.update(`${line}\n`);
  }

  expectEnd(): void {
    if (!this.#ended) {
      throw damaged(`The backup is truncated after line ${this.#line}.`);
    }
  }

  *#row(line: string, row: unknown[]): Generator<Part> {
    if (row.length !== this.#table?.columns.length || !row.every(isValue)) {
      throw this.#damaged('a row that does not have the columns of its table.');
    }
    if (this.#rowsLeft === 0) {
      throw this.#damaged('more rows than a file of this size can hold.');
    }
    this.#rowsLeft -= 1;
    this.#rows.push(row);
    this.#sum.add(line);
    this.#size += line.length;
    if (this.#size > CHUNK) {
      yield* this.#flush();
    }
  }

  *#flush(): Generator<Part> {
    if (this.#table && this.#rows.length > 0) {
      yield { type: 'rows', table: this.#table, rows: this.#rows };
      this.#rows = [];
      this.#size = 0;
    }
  }

  #tableOrEnd(content: unknown): Part {
    if (this.#table) {
      this.#tables[this.#table.name] = this.#sum.total();
    }
    const shape = tableSchema.safeParse(content);
    if (!shape.success) {
      return this.#end(content);
    }
    this.#table = { name: shape.data.table, columns: shape.data.columns };
    this.#sum = new Sum();
    if (Object.hasOwn(this.#tables, this.#table.name)) {
      throw this.#damaged(`the table ${this.#table.name} occurs twice.`);
    }
    return { type: 'table', table: this.#table };
  }

  #end(content: unknown): Part {
    const trailer = trailerSchema.safeParse(content);
    if (!trailer.success) {
      throw this.#damaged('expected a table, a row or the end.');
    }
    const difference = differenceOfAll(trailer.data.tables, this.#tables);
    if (difference !== undefined) {
      throw damaged(difference);
    }
    if (trailer.data.sha256 !== this.#whole.copy().digest('hex')) {
      throw damaged('The checksum of the whole does not match.');
    }
    this.#ended = true;
    return { type: 'end', trailer: trailer.data };
  }

  #damaged(text: string): TransferError {
    return damaged(`Line ${this.#line}: ${text}`);
  }
}

const isValue = (value: unknown): value is Value =>
  value === null || typeof value === 'string' || typeof value === 'number';

function readHeader(content: unknown): Header {
  const { format, version } = (content ?? {}) as { format?: unknown; version?: unknown };
  if (format !== FORMAT) {
    throw damaged('It is not a backup of Nodebell.');
  }
  if (version !== FORMAT_VERSION) {
    throw damaged(
      `Its format is version ${JSON.stringify(version)}; this program reads ${FORMAT_VERSION}. Use the version of Nodebell that made it.`
    );
  }
  const header = headerSchema.safeParse(content);
  if (!header.success) {
    throw damaged(`Line 1: the header is invalid: ${z.prettifyError(header.error)}`);
  }
  return header.data;
}

function parse(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw damaged(number === 1 ? 'It is not a backup of Nodebell.' : `Line ${number} is not JSON.`);
  }
}

/** The first table that differs, and how; undefined if none does. */
export function differenceOfAll(expected: Trailer['tables'], found: Trailer['tables']): string | undefined {
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...names].map((name) => differenceOf(name, expected[name], found[name])).find((text) => text !== undefined);
}

function differenceOf(name: string, expected?: TableSum, found?: TableSum): string | undefined {
  if (expected?.rows !== found?.rows) {
    return `The table ${name} has ${found?.rows ?? 'no'} rows; expected are ${expected?.rows ?? 'none'}.`;
  }
  return expected?.sum === found?.sum ? undefined : `The checksum of the table ${name} does not match.`;
}
