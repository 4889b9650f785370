/**
 * `npm run bench:decisions [memory|body|text|counts …] [--count N]`: the figures in docs/decisions/. They compare the
 * implementation with its alternatives.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { EVER, NOTIFICATIONS } from '../../backend-bridge/src/inbox/notifications/counts.ts';
import { receiveRows } from '../../backend-bridge/src/inbox/notifications/receiveRows.ts';
import type { Database } from '../../backend-bridge/src/platform/storage/engine.ts';
import { databasePath } from '../../backend-bridge/src/platform/storage/sqlite/database.ts';
import { migrate, openDatabase } from '../../backend-bridge/src/platform/database.ts';
import { indexText } from '../../backend-bridge/src/platform/storage/textIndex.ts';
import { freePort } from './bridge.ts';
import { filledDataDir } from './data.ts';
import { median, percentile, table } from './table.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '1000000' } },
});
const COUNT = Number(values.count);
const folder = mkdtempSync(join(tmpdir(), 'nodebell-decisions-'));

const ms = (times: readonly number[]): string[] => [median(times).toFixed(2), percentile(times, 99).toFixed(2)];

async function timed(samples: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times;
}

async function stopped(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

/** The resident memory of a bridge after startup, from TypeScript sources and compiled. */
async function memory(): Promise<void> {
  const rows = [];
  for (const file of ['src/main.ts', 'dist/src/main.js']) {
    const sizes = [];
    for (let round = 0; round < 3; round += 1) {
      const dir = mkdtempSync(join(folder, 'data-'));
      const env = {
        ...process.env,
        NODEBELL_PORT: String(await freePort()),
        NODEBELL_DATA_DIR: dir,
        NODEBELL_LOG_LEVEL: 'silent',
      };
      const child = spawn(process.execPath, [join(ROOT, 'backend-bridge', file)], { env, stdio: 'inherit' });
      await new Promise((resolve) => setTimeout(resolve, 4000));
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      sizes.push(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024);
      await stopped(child);
    }
    rows.push([file, median(sizes).toFixed(0)]);
  }
  console.log(`\n## An idle bridge, from source and built (MiB resident, median of 3)\n`);
  console.log(table(['file', 'MiB'], rows));
}

/** Requests per second of an Express route with each body reader, in turn. */
async function body(): Promise<void> {
  const script = join(folder, 'post.lua');
  const sent = JSON.stringify({ title: 'Test Notification', body: 'x'.repeat(500), category: 'other' });
  writeFileSync(
    script,
    `wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\nwrk.body = '${sent}'\n`
  );
  const servers = [];
  for (const reader of ['express.json()', 'jsonBody()']) {
    const port = await freePort();
    const file = join(import.meta.dirname, 'reference', 'bodyReader.ts');
    const child = spawn(process.execPath, [file, reader, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    servers.push({ reader, child, url: `http://127.0.0.1:${port}/`, rates: [] as number[] });
  }
  for (let round = -1; round < 6; round += 1) {
    for (const { url, rates } of servers) {
      const wrk = spawn('wrk', ['-t1', '-c64', '-d4', '-s', script, url]);
      let output = '';
      wrk.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await once(wrk, 'close');
      if (round >= 0) {
        rates.push(Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]));
      }
    }
  }
  const reference = servers[0]!.rates;
  console.log(
    `\n## Readers of bodies (${sent.length} bytes, wrk with 64 connections on the same cores, 6 rounds in turn)\n`
  );
  console.log(
    table(
      ['reader', 'requests/s (median)', 'ratio, round by round (median)'],
      servers.map(({ reader, rates }) => [
        reader,
        median(rates).toFixed(0),
        median(rates.map((rate, round) => rate / reference[round]!)).toFixed(2),
      ])
    )
  );
  await Promise.all(servers.map(({ child }) => stopped(child)));
}

/** The cost of full-text indexing for a transaction that stores 64 notifications, and of ranking for a search. */
async function text(): Promise<void> {
  const store = async (name: string, indexed: boolean) => {
    const db = openDatabase(databasePath(join(folder, name)));
    await migrate(db);
    const write = () =>
      db.transaction().execute(async (trx) => {
        await receiveRows(trx, [{ now: Date.now(), incoming: Array.from({ length: 64 }, something) }]);
        if (indexed) {
          await indexText(trx, null);
        }
      });
    return { name, db, write, times: [] as number[] };
  };
  const stores = [await store('in the same transaction', true), await store('later', false)];
  for (let round = -50; round < 300; round += 1) {
    for (const { write, times } of stores) {
      const [time] = await timed(1, write);
      times.push(...(round < 0 ? [] : [time!]));
    }
  }
  await Promise.all(stores.map(({ db }) => db.destroy()));
  console.log('\n## 64 notifications in a transaction, in turn (milliseconds)\n');
  console.log(
    table(
      ['full-text index', 'p50', 'p99'],
      stores.map(({ name, times }) => [name, ...ms(times)])
    )
  );

  const filled = await openFilled();
  const search = (order: string) => () =>
    sql`select rowid from notifications_text where notifications_text match 'disk' order by ${sql.raw(order)} limit 50`.execute(
      filled
    );
  const rows = [];
  for (const [order, samples] of [
    ['rowid desc', 200],
    ['rank', 5],
  ] as const) {
    await timed(2, search(order));
    rows.push([order, ...ms(await timed(samples, search(order)))]);
  }
  await filled.destroy();
  console.log(`\n## A word that all of ${COUNT} notifications hold, first 50 (milliseconds)\n`);
  console.log(table(['order by', 'p50', 'p99'], rows));
}

/** About 400 bytes of words, of which there are a thousand. */
function something() {
  const words = (count: number) =>
    Array.from({ length: count }, () => `word${Math.floor(Math.random() * 1000)}`).join(' ');
  return { source: 'api' as const, payload: { title: words(5), body: words(50) } };
}

/** All and unseen by category: from the counts, and counted. */
async function counts(): Promise<void> {
  const db = await openFilled();
  const kept = () =>
    sql`select category, sum(n), sum(case when seen = 0 then n else 0 end) from counts
      where scope = ${NOTIFICATIONS} and span = ${EVER} and hidden = 0 and muted = 0 group by category`.execute(db);
  const counted = () =>
    sql`select category, count(*), sum(1 - seen) from notifications where hidden = 0 and muted = 0 group by category`.execute(
      db
    );
  await kept();
  await counted();
  const rows = [
    ['from the table of counts', ...ms(await timed(200, kept))],
    ['with count(*)', ...ms(await timed(5, counted))],
  ];
  await db.destroy();
  console.log(`\n## All and unseen by category among ${COUNT} notifications (milliseconds)\n`);
  console.log(table(['how', 'p50', 'p99'], rows));
}

let filledDir: string | undefined;
async function openFilled(): Promise<Database> {
  filledDir ??= await filledDataDir(COUNT);
  return openDatabase(databasePath(filledDir), { readonly: true, cacheMb: 32 });
}

try {
  for (const [name, measure] of Object.entries({ memory, body, text, counts })) {
    if (positionals.length === 0 || positionals.includes(name)) {
      await measure();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
