/** Reads of a server run in a thread, whose connections follow the state of the store. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../folder.testing.ts';
import { readUnseen } from '../../../inbox/notifications/reads.ts';
import { READS } from '../../../reads.ts';
import { WRITES } from '../../../writes.ts';
import { openStore, type Store } from '../../store.ts';
import { PostgresServer } from './server.testing.ts';

let server: PostgresServer;
/** A transaction sees the activity of its beginning, so locks are held by another connection. */
let admin: pg.Client;
let holder: pg.Client;
let store: Store;
beforeAll(async () => {
  server = await PostgresServer.open();
});
afterAll(() => server.remove());

beforeEach(async () => {
  [admin, holder] = [1, 2].map(() => new pg.Client({ connectionString: server.url('postgres') })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([admin.connect(), holder.connect()]);
  const log = { info: () => undefined, error: () => undefined };
  store = await openStore({
    ...{ dataDir: temporaryFolder(), databaseUrl: server.url('postgres') },
    ...{ writes: WRITES, reads: READS, now: () => 0, log, onLost: () => undefined, checkEveryMs: 200 },
  });
});
afterEach(async () => {
  await store.close();
  await Promise.all([admin.end(), holder.end()]);
});

const read = () => store.reads.run(readUnseen, { reader: undefined });
/** Only against hanging. */
const WAIT = { timeout: 30_000, interval: 50 };

async function connections(): Promise<number[]> {
  const { rows } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'nodebell'`
  );
  return rows.map(({ pid }) => pid);
}

it('a read waits for the server, and fails at once when the server is given up', async () => {
  await holder.query('begin; lock table counts');
  const reading = read();
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock'`;
  await vi.waitFor(async () => expect((await admin.query(waiting)).rowCount).toBe(1), WAIT);
  store.disconnect(new Error('no response'));
  await expect(reading).rejects.toMatchObject({ code: '08006' });
  await holder.query('rollback');
  await vi.waitFor(() => expect(store.state.failure).toBeUndefined(), WAIT);
  await expect(read()).resolves.toHaveProperty('body');
});

it('reads use other connections after the server could not be reached', async () => {
  const before = await connections();
  await read();
  const used = (await connections()).filter((pid) => !before.includes(pid));
  expect(used).toHaveLength(1);
  store.state.set('unreachable', 'no route');
  store.state.clear('unreachable');
  await read();
  await vi.waitFor(async () => expect(await connections()).not.toContain(used[0]), WAIT);
});
