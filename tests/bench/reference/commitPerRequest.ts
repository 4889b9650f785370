/** The simplest durable implementation: one transaction, and so one disk flush, per request. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import express from 'express';
import pg from 'pg';

const [port, url] = process.argv.slice(2);
const TABLE = 'create table notifications (id integer primary key';

/** @returns the id of the new row */
type Store = (ts: number, payload: string) => Promise<number> | number;

function sqlite(): Store {
  const db = new Database(join(mkdtempSync(join(tmpdir(), 'nodebell-reference-')), 'reference.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(`${TABLE}, ts integer, payload text)`);
  const insert = db.prepare('insert into notifications (ts, payload) values (?, ?)');
  return (ts, payload) => Number(insert.run(ts, payload).lastInsertRowid);
}

async function postgres(connectionString: string): Promise<Store> {
  const pool = new pg.Pool({ connectionString, max: 16 });
  await pool.query(`${TABLE} generated always as identity, ts bigint, payload text)`);
  const text = 'insert into notifications (ts, payload) values ($1, $2) returning id';
  return async (ts, payload) => {
    const { rows } = await pool.query<{ id: number }>({ name: 'insert', text, values: [ts, payload] });
    return rows[0]!.id;
  };
}

const store = url === undefined ? sqlite() : await postgres(url);
const app = express();
app.post('/api/v1/notifications', express.json(), async (req, res) => {
  const id = await store(Date.now(), JSON.stringify(req.body));
  res.status(201).json({ id, ...(req.body as object) });
});
app.listen(Number(port), '127.0.0.1', () => console.log('ready'));
