/**
 * `npm run soak [-- --minutes 10]`: fuzzes every operation, opens 200 event streams of which half do not read, keeps a list of 50 users in flight, and sends bursts
 * of alerts and deletions to the compiled bridge with its production heap limit, while a regular sender measures its responses.
 * This sender runs in a separate thread, so that a busy load generator does not look like a slow bridge.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { runBridge } from './bridge.ts';
import { attack, type Attack, type AttackReport } from './soakAttacks.ts';
import { percentile, table } from './table.ts';

const SAMPLE_MS = 1_000;
const SEND_EVERY_MS = 20;
const MIB = 2 ** 20;

interface Minute {
  latencies: number[];
  refused: number;
  memory: number[];
}

/** Sends notifications one after another and records the response times, until the time is up. */
async function sendHonestly(url: string, until: number, minutes: Minute[], start: number): Promise<void> {
  for (let count = 0; Date.now() < until; count += 1) {
    const minute = minuteAt(minutes, start);
    const began = performance.now();
    const response = await fetch(`${url}/api/v1/notifications`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        title: `Honest ${count}`,
        body: 'Disk usage is 91 %.',
        category: 'honest',
        dnpName: 'honest',
      }),
    });
    await response.arrayBuffer();
    minute.latencies.push(performance.now() - began);
    minute.refused += response.status === 201 ? 0 : 1;
    await wait(SEND_EVERY_MS);
  }
}

function minuteAt(minutes: Minute[], start: number): Minute {
  const index = Math.floor((Date.now() - start) / 60_000);
  return (minutes[index] ??= { latencies: [], refused: 0, memory: [] });
}

async function soak(length: number): Promise<boolean> {
  const bridge = await runBridge();
  const start = Date.now();
  const until = start + length * 60_000;
  const minutes: Minute[] = [];
  const attacks: Attack[] = ['fuzz', 'streams', 'storms', 'readers'];
  const workers = attacks.map((kind) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { kind, url: bridge.url, until } });
    return new Promise<AttackReport>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  });
  const sampling = setInterval(() => {
    if (bridge.ended === null) {
      minuteAt(minutes, start).memory.push(bridge.memory());
    }
  }, SAMPLE_MS);
  let died: string | undefined;
  await sendHonestly(bridge.url, until, minutes, start).catch((error: unknown) => {
    died = `the honest sender failed: ${String(error)}; the bridge ended with ${String(bridge.ended)}`;
  });
  const reports = died === undefined ? await Promise.all(workers) : [];
  clearInterval(sampling);
  await bridge.stop();
  print(minutes, reports);
  if (died !== undefined) {
    process.stdout.write(`\nFailed: ${died}\n`);
  }
  return died === undefined && reports.every(({ unexpected }) => unexpected.length === 0);
}

function print(minutes: Minute[], reports: AttackReport[]): void {
  const ms = (values: number[], percent: number): string => `${percentile(values, percent).toFixed(1)} ms`;
  const rows = minutes.map(({ latencies, refused, memory }, index) => [
    String(index + 1),
    String(latencies.length),
    String(refused),
    ms(latencies, 50),
    ms(latencies, 99),
    `${Math.round(percentile(memory, 50) / MIB)} MB`,
    `${Math.round(Math.max(...memory) / MIB)} MB`,
  ]);
  const all = minutes.flatMap(({ latencies }) => latencies);
  process.stdout.write(
    `${table(['Minute', 'Honest sends', 'Refused', 'p50', 'p99', 'RSS median', 'RSS maximum'], rows)}\n\n` +
      `All honest sends: p50 ${ms(all, 50)}, p99 ${ms(all, 99)}\n`
  );
  for (const { kind, counts, unexpected } of reports) {
    process.stdout.write(
      `${kind}: ${Object.entries(counts)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}\n`
    );
    unexpected.slice(0, 20).forEach((line) => process.stdout.write(`  unexpected: ${line}\n`));
  }
}

if (isMainThread) {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
  process.exitCode = (await soak(Number(values.minutes))) ? 0 : 1;
} else {
  const { kind, url, until } = workerData as { kind: Attack; url: string; until: number };
  parentPort!.postMessage(await attack(kind, url, until));
}
