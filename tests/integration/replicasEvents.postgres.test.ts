/** Events of two bridges on one PostgreSQL database: each page gets all of them, in one order. */
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  eventually,
  listen,
  type Replicas,
  roleOf,
  startReplicas,
  stopReplicas,
  TAKEOVER_MS,
} from './replicas.testing.ts';
import type { TestBridge } from './support.ts';

let replicas: Replicas;
let leader: TestBridge;
let follower: TestBridge;
beforeAll(async () => {
  replicas = await startReplicas();
  ({ leader, follower } = replicas);
});
afterAll(() => stopReplicas(replicas));

test('both replicas send all of them, each once and in one order', async () => {
  const [here, there] = [await listen(leader), await listen(follower)];
  const titles = Array.from({ length: 60 }, (_, index) => `event ${index}`);
  // Concurrently at both, so that commits interleave.
  await Promise.all(titles.map((title, index) => (index % 2 === 0 ? leader : follower).send({ title })));
  const [heard, other] = [await here.until(61), await there.until(61)];
  expect(heard.slice(1)).toEqual(other.slice(1));
  const ids = heard.slice(1).map(({ id }) => id);
  expect(ids).toEqual(ids.map((_, index) => ids[0]! + index));
  expect(new Set(heard.slice(1).map(({ data }) => data.notification.title))).toEqual(new Set(titles));
});

test('a page that reconnects to another replica misses nothing', async () => {
  const first = await listen(leader);
  await follower.send({ title: 'before' });
  await first.until(2);
  await first.close();
  await leader.send({ title: 'missed 1' });
  await follower.send({ title: 'missed 2' });
  const second = await listen(follower, first.lastId);
  const heard = await second.until(3);
  expect(heard.map(({ type }) => type)).toEqual(['hello', 'notification', 'notification']);
  expect(heard.slice(1).map(({ data }) => data.notification.title)).toEqual(['missed 1', 'missed 2']);
});

/** Ends the sessions that hold the lock of the leader and receive the signals, as a server does that stops. */
async function cutSessions(): Promise<void> {
  const client = new pg.Client({ connectionString: leader.databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'nodebell leader'`
  );
  await client.end();
  expect(rows).toHaveLength(2);
}

test('when the connections for signals are cut, no event is lost, and one leads again', async () => {
  const [here, there] = [await listen(leader), await listen(follower)];
  await cutSessions();
  const sent = Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? leader : follower).send({ title: `cut ${index}` }))
  );
  const [heard, other] = [await here.until(21), await there.until(21)];
  expect(heard.slice(1)).toEqual(other.slice(1));
  expect(
    heard
      .slice(1)
      .map(({ data }) => data.notification.title)
      .sort()
  ).toEqual((await sent).map(({ title }) => title).sort());
  await eventually(async () => {
    const leads = [await roleOf(leader), await roleOf(follower)].map((role) => role?.leads);
    expect(leads.filter(Boolean)).toHaveLength(1);
  }, TAKEOVER_MS);
});

test('commits are signalled to the other replicas outside the transactions of the writer', async () => {
  const client = new pg.Client({ connectionString: follower.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const signals: { processId: number; newest: number }[] = [];
  client.on('notification', ({ processId, payload }) => signals.push({ processId, newest: Number(payload) }));
  await client.query('listen nodebell');
  await Promise.all(Array.from({ length: 200 }, (_, index) => leader.send({ title: `signal ${index}` })));
  const { rows: journal } = await client.query<{ newest: string }>('select max(id) as newest from events');
  await eventually(() => expect(signals.at(-1)?.newest).toBe(Number(journal[0]?.newest)));
  const { rows: sessions } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and application_name = 'nodebell leader'"
  );
  expect(sessions.map(({ pid }) => pid)).toEqual(
    expect.arrayContaining([...new Set(signals.map(({ processId }) => processId))])
  );
  const newest = signals.map((signal) => signal.newest);
  expect(newest).toEqual([...new Set(newest)].sort((one, other) => one - other));
});
