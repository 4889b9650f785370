/** The simplest durable implementation: one transaction, and so one disk flush, per request. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import express from 'express';

const db = new Database(join(mkdtempSync(join(tmpdir(), 'nodebell-reference-')), 'reference.db'));
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec('create table notifications (id integer primary key, ts integer, payload text)');
const insert = db.prepare('insert into notifications (ts, payload) values (?, ?)');

const app = express();
app.post('/api/v1/notifications', express.json(), (req, res) => {
  const { lastInsertRowid } = insert.run(Date.now(), JSON.stringify(req.body));
  res.status(201).json({ id: Number(lastInsertRowid), ...(req.body as object) });
});
app.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
