/** SIGKILL of a migration, of retention and of an import of archives, at random moments. NODEBELL_KILLS: how many of each. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { makeStoreAt, placeAt, contentOf } from '../../backend-bridge/src/platform/backup/transferWorld.testing.ts';
import { PostgresServer } from '../../backend-bridge/src/platform/storage/postgres/server.testing.ts';
import { notification, SAMPLE } from '../../backend-bridge/src/platform/backup/sampleRows.testing.ts';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from '../bench/bridge.ts';
import { createDatabase, until } from '../proofs/kills.ts';
import { recount, storedTitles } from '../proofs/stored.ts';

const KILLS = Number(process.env.NODEBELL_KILLS ?? 2);
const LAUNCHER = join(import.meta.dirname, '../../backend-bridge/bin/nodebell.mjs');

/** @param killAfter milliseconds @returns the exit code; null: it was killed */
async function nodebell(args: string[], env: Record<string, string>, killAfter?: number): Promise<number | null> {
  const child = spawn(process.execPath, [LAUNCHER, ...args], { env, stdio: 'ignore' });
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  return code;
}

test('a migration from SQLite to PostgreSQL is done as a whole or not at all, and can be repeated', async () => {
  const server = await PostgresServer.open();
  onTestFinished(() => server.remove());
  const [from, to] = [join(temporaryFolder(), 'nodebell.db'), await createDatabase(server)];
  const dir = join(from, '..');
  const notifications = Array.from({ length: 5000 }, (_, index) => notification(index + 1));
  await makeStoreAt(from, { ...SAMPLE, notifications });
  const [source, target] = [placeAt(from), placeAt(to)];
  const content = await contentOf(source);
  const migrate = (killAfter?: number) =>
    nodebell(['migrate', '--from', dir, '--to', '$TO'], { PATH: process.env.PATH!, TO: to }, killAfter);
  let duration = 5000;
  let killed = 0;
  for (let attempts = 0; killed < KILLS; attempts += 1) {
    expect(attempts).toBeLessThan(4 * KILLS + 4);
    const started = performance.now();
    if ((await migrate(200 + Math.random() * (duration - 200))) === null) {
      killed += 1;
      // It may have been killed after its commit.
      const isDone = await target.exists();
      expect(isDone ? await contentOf(target) : content).toEqual(content);
      expect(await contentOf(source)).toEqual(content);
    } else {
      duration = Math.min(duration, performance.now() - started);
    }
    await empty(to);
  }
  expect(await migrate()).toBe(0);
  expect([await contentOf(target), await contentOf(source)]).toEqual([content, content]);
});

async function empty(url: string): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  );
  await client.query('drop schema public cascade; create schema public');
  await client.end();
}

const COUNT = 1500;
const KEPT = 250;

async function fill(bridge: RunningBridge): Promise<void> {
  for (let first = 0; first < COUNT; first += 500) {
    const alerts = Array.from({ length: 500 }, (_, index) => ({
      status: 'resolved',
      labels: { alertname: `n${first + index}` },
      annotations: { summary: `n${first + index}` },
      startsAt: '2026-01-01T00:00:00Z',
      endsAt: '2026-01-01T00:01:00Z',
      fingerprint: `f${first + index}`,
    }));
    await post(bridge, 'POST', '/webhooks/alertmanager', { version: '4', status: 'resolved', alerts });
  }
}

async function post(bridge: RunningBridge, method: string, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${bridge.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.text()).toBeLessThan(300);
}

/** Ids of all archive files; an end that a crash left is skipped. */
function archived(dir: string): Set<number> {
  const files = readdirSync(join(dir, 'archive')).map((name) => join(dir, 'archive', name));
  return new Set(files.flatMap((file) => linesOf(file)));
}

function linesOf(file: string): number[] {
  const bytes = readFileSync(file);
  // Each part is a gzip member of its own.
  for (let end = bytes.length; end > 0; end = bytes.lastIndexOf(Buffer.from([0x1f, 0x8b, 8]), end - 1)) {
    try {
      const lines = gunzipSync(bytes.subarray(0, end)).toString().trim().split('\n');
      return lines.map((line) => (JSON.parse(line) as { id: number }).id);
    } catch {
      // Cut in this member.
    }
  }
  return [];
}

const idsOf = async (bridge: RunningBridge): Promise<Set<number>> => {
  const ids = new Set<number>();
  for (let next: string | undefined = '/api/v1/notifications?limit=1000'; next !== undefined;) {
    const response: Response = await bridge.get(next);
    ((await response.json()) as { id: number }[]).forEach(({ id }) => ids.add(id));
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  return ids;
};

test.each(['sqlite', 'postgres'] as const)(
  '%s: of retention that is killed, each notification is stored or archived; of an import, none is there twice',
  async (store) => {
    const server = store === 'postgres' ? await PostgresServer.open() : undefined;
    onTestFinished(() => server?.remove());
    const url = server && (await createDatabase(server));
    const dir = temporaryFolder();
    const clocks = join(dir, 'clocks');
    writeFileSync(clocks, '0 0');
    const run = () =>
      runBridge(
        join(dir, 'data'),
        { MOVED_CLOCKS: clocks, ...(url && { NODEBELL_DATABASE_URL: url }) },
        { entry: join(import.meta.dirname, 'movedBridge.ts') }
      );
    let bridge = await run();
    onTestFinished(() => bridge.stop());
    await fill(bridge);
    const all = await idsOf(bridge);
    expect(all.size).toBe(COUNT);
    await post(bridge, 'PUT', '/retention', { maxNotifications: KEPT, archive: true });
    for (let kill = 0; kill < KILLS; kill += 1) {
      await wait(20 + Math.random() * 400);
      await bridge.kill('SIGKILL');
      bridge = await run();
      const [stored, gone] = [await idsOf(bridge), archived(join(dir, 'data'))];
      expect([...all].filter((id) => !stored.has(id) && !gone.has(id))).toEqual([]);
    }
    await until(
      async () => (await idsOf(bridge)).size === KEPT,
      () => 'retention did not finish'
    );
    // Twice as long as a run: the import pauses retention.
    const archive = readdirSync(join(dir, 'data', 'archive')).map((name) => join(dir, 'data', 'archive', name));
    const env = { PATH: process.env.PATH!, NODEBELL_URL: bridge.url, NODEBELL_ADMIN_TOKEN: ADMIN_TOKEN };
    const importAll = (killAfter?: number) => nodebell(['archive', 'import', ...archive], env, killAfter);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const importing = importAll(kill % 2 === 0 ? 300 + Math.random() * 500 : undefined);
      if (kill % 2 === 1) {
        await wait(300 + Math.random() * 500);
        await bridge.kill('SIGKILL');
        await importing;
        bridge = await run();
        env.NODEBELL_URL = bridge.url;
      }
      await importing;
    }
    expect(await importAll()).toBe(0);
    expect(await idsOf(bridge)).toEqual(all);
    expect(new Set(await storedTitles((path) => bridge.get(path))).size).toBe(COUNT);
    await bridge.stop();
    const address = url ?? join(dir, 'data', 'nodebell.db');
    expect((await recount(address)).filter((text) => !text.includes('members'))).toEqual([]);
  }
);
