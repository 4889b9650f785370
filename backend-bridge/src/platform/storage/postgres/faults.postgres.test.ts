/** The server stops, stalls or refuses: nothing acknowledged is lost or doubled, readiness reports it, and it recovers automatically. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../folder.testing.ts';
import { receive, receiveRows } from '../../../inbox/notifications/receiveRows.ts';
import { READS } from '../../../reads.ts';
import { WRITES } from '../../../writes.ts';
import { migrate, openDatabase } from '../../database.ts';
import type { StoreUnavailable } from '../storeError.ts';
import { openStore, type Store } from '../../store.ts';
import { OutcomeUnknown } from '../storeError.ts';
import { openPostgres } from './database.ts';
import { PostgresServer } from './server.testing.ts';

let server: PostgresServer;
let directory: string;
let store: Store;
let number = 0;
const log: string[] = [];
beforeAll(async () => {
  server = await PostgresServer.open();
});
afterAll(() => server.remove());

async function run(statement: string, name = 'postgres'): Promise<void> {
  const client = new pg.Client({ connectionString: server.url(name) });
  await client.connect();
  await client.query(statement);
  await client.end();
}

const note = (fields: object, message: string) => void log.push(`${JSON.stringify(fields)} ${message}`);
beforeEach(async () => {
  directory = temporaryFolder();
  number += 1;
  await run(`create database faults${number}`);
  store = await openStore({
    dataDir: directory,
    databaseUrl: server.url(`faults${number}`),
    writes: WRITES,
    reads: READS,
    now: () => 0,
    log: { info: note, error: note },
    onLost: () => undefined,
    checkEveryMs: 200,
  });
});
afterEach(async () => {
  await store.close();
});

const send = (key: string) =>
  store.writes.submit(receive, {
    incoming: [{ payload: { title: key, body: 'B' }, source: 'api' as const, once: { scope: 'key:s', key } }],
    now: 1,
  });
const titles = async () =>
  (await store.db.selectFrom('notifications').select('title').orderBy('id').execute()).map(({ title }) => title);
/** Only against hanging. */
const WAIT = { timeout: 30_000 };
const writable = () => vi.waitFor(() => expect(store.state.failure).toBeUndefined(), { timeout: 30_000, interval: 50 });

it('a server that is killed and comes back', async () => {
  await send('before');
  await server.kill();
  await expect(send('during')).rejects.toMatchObject({ reason: 'unreachable' });
  expect(store.state.failure).toMatchObject({ reason: 'unreachable' });
  // At once, without an attempt.
  await expect(send('during')).rejects.toThrow(
    'The database server cannot be reached. Nothing of this request was stored.'
  );
  await expect(titles()).rejects.toThrow();
  await server.start();
  await writable();
  await send('after');
  expect(await titles()).toEqual(['before', 'after']);
  expect(log.join('\n')).toContain('the store is writable again');
});

it('a server that is killed under load: what was acknowledged is there once, and a repeat with the key adds nothing', async () => {
  const acknowledged: string[] = [];
  const all = Array.from({ length: 400 }, (_, index) => `key ${index}`);
  const sending = all.map(async (key, index) => {
    await new Promise((resolve) => setTimeout(resolve, index));
    await send(key).then(
      () => acknowledged.push(key),
      () => undefined
    );
  });
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(50), { timeout: 30_000, interval: 1 });
  await server.kill();
  await Promise.all(sending);
  await server.start();
  await writable();
  const stored = await titles();
  expect(stored.filter((title) => acknowledged.includes(title)).sort()).toEqual(acknowledged.toSorted());
  for (const key of all) {
    await send(key);
  }
  expect((await titles()).toSorted()).toEqual(all.toSorted());
});

it('a session that the server ends in the middle of a transaction', async () => {
  await send('before');
  await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'faults${number}'`);
  await send('first').catch((error: StoreUnavailable) => expect(error).toMatchObject({ reason: 'unreachable' }));
  await writable();
  await send('after');
  expect(await titles()).toEqual(expect.arrayContaining(['before', 'after']));
});

it('a database that is read-only, and no longer', async () => {
  await run(`alter database faults${number} set default_transaction_read_only = on`);
  await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'faults${number}'`);
  await vi.waitFor(() => expect(send('during')).rejects.toMatchObject({ reason: 'read_only' }), { timeout: 60_000 });
  expect(store.state.failure).toMatchObject({ reason: 'read_only' });
  await expect(send('during')).rejects.toMatchObject({ reason: 'read_only' });
  await run(`alter database faults${number} reset default_transaction_read_only`);
  await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'faults${number}'`);
  await writable();
  await send('after');
  expect(await titles()).toEqual(['after']);
});

it('a new connection that is lost while it is prepared is given back', async () => {
  let lost = 0;
  const proxy = createServer((client) => {
    const upstream = connect(server.port, '127.0.0.1');
    upstream.on('data', (data) => client.write(data)).on('close', () => client.destroy());
    client.on('data', (data) => {
      if (lost === 0 && data.includes('set jit')) {
        lost += 1;
        client.destroy();
      }
      upstream.write(data);
    });
    client.on('close', () => upstream.destroy());
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  const db = openPostgres(server.url('postgres').replace(String(server.port), String(port)));
  await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ code: '08006' });
  expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  expect(lost).toBe(1);
  await db.destroy();
  proxy.close();
});

it('a server that stalls: a statement is given up, and the connection with it', async () => {
  const db = openPostgres(server.url(`faults${number}`), { timeouts: { response: 2000, connect: 10_000 } });
  await sql`select 1`.execute(db);
  await run('select pg_sleep(0)');
  await expect(sql`select pg_sleep(6)`.execute(db)).rejects.toMatchObject({ code: '08006' });
  expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await db.destroy();
});

it('a commit without a response may have happened', async () => {
  const db = openPostgres(server.url(`faults${number}`), { timeouts: { response: 500 } });
  await migrate(db);
  // Deferred: it runs, and waits, when the transaction commits.
  await run(
    `create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(2); return null; end $$;
     create constraint trigger wait after insert on notifications deferrable initially deferred for each row execute function wait()`,
    `faults${number}`
  );
  const incoming = [{ payload: { title: 'T', body: 'B' }, source: 'api' as const }];
  await expect(db.transaction().execute((trx) => receiveRows(trx, [{ now: 1, incoming }]))).rejects.toBeInstanceOf(
    OutcomeUnknown
  );
  await db.destroy();
});

it('two bridges write one after the other: ids are in the order of commits', async () => {
  const url = server.url(`faults${number}`);
  const [one, two] = [openPostgres(url), openPostgres(url)];
  const order: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const first = one.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx);
    order.push('one begins');
    await held;
    order.push('one ends');
  });
  await vi.waitFor(() => expect(order).toEqual(['one begins']), WAIT);
  const second = two.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx);
    order.push('two begins');
  });
  await vi.waitFor(async () => {
    const { rows } = await sql<{
      n: number;
    }>`select count(*) as n from pg_locks where locktype = 'advisory' and not granted`.execute(store.db);
    expect(rows[0]?.n).toBe(1);
  }, WAIT);
  release();
  await Promise.all([first, second]);
  expect(order).toEqual(['one begins', 'one ends', 'two begins']);
  await one.destroy();
  await two.destroy();
});

it('a column that a newer bridge adds: prepared statements are prepared again', async () => {
  await send('before');
  await run('alter table threads add column of_a_newer_version bigint', `faults${number}`);
  await send('after');
  expect(await titles()).toEqual(['before', 'after']);
  expect(store.state.failure).toBeUndefined();
});

it('refuses an encoding that cannot hold every text', async () => {
  await run(`create database latin encoding 'LATIN1' template template0`);
  const db = openDatabase(server.url('latin'));
  await expect(migrate(db)).rejects.toThrow('The encoding of the database is LATIN1');
  await db.destroy();
});

it('a commit is on the disk of the server, whatever the default of the database is', async () => {
  await run(`alter database faults${number} set synchronous_commit = off`);
  const db = openPostgres(server.url(`faults${number}`));
  const { rows } = await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(db);
  expect(rows).toEqual([{ synchronous_commit: 'on' }]);
  await db.destroy();
});

it('errors and logs hold no password', async () => {
  const url = server.url('absent').replace('nodebell@', 'nodebell:very-secret@');
  const failed = openStore({
    dataDir: path.join(directory, 'other'),
    databaseUrl: url,
    writes: WRITES,
    reads: READS,
    now: () => 0,
    log: { info: note, error: note },
    onLost: () => undefined,
  });
  await expect(failed).rejects.toThrow(/database "absent" does not exist/);
  await expect(failed).rejects.not.toThrow(/very-secret/);
  expect(log.join('\n')).not.toContain('very-secret');
});

it.each([true, false])('no statement is compiled by the server (readonly: %s)', async (readonly) => {
  await run(`alter database faults${number} set jit = on`);
  const db = openPostgres(server.url(`faults${number}`), { readonly });
  const { rows } = await sql<{ jit: string }>`show jit`.execute(db);
  expect(rows).toEqual([{ jit: 'off' }]);
  await db.destroy();
});
