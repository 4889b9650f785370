/**
 * Durable sends over HTTP, compared with an Express 5 route that only parses and returns the same body, several times in turn:
 * the ratio depends less on the machine than the rate. The load generator shares the machine's cores.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, runBridge } from './bridge.ts';
import { median, table } from './table.ts';

const ROUNDS = 5;
const SECONDS = 6;
const CONNECTIONS = 128;
const PATH = '/api/v1/notifications';
const HERE = dirname(fileURLToPath(import.meta.url));

const BODY = JSON.stringify({
  title: 'Test Notification with some more words in it',
  body: 'This is a test notification sent by the load generator. '.repeat(6),
  category: 'other',
  dnpName: 'test.dnp.dappnode.eth',
  priority: 'low',
  status: 'triggered',
  callToAction: { title: 'Hello World', url: 'http://dappmanager.dappnode' },
  isBanner: false,
});

/** Requests per second, measured by wrk (Debian package `wrk`). */
async function load(url: string, seconds: number, script: string): Promise<number> {
  const wrk = spawn('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}`, '-s', script, url]);
  let output = '';
  wrk.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await Promise.race([once(wrk, 'close'), once(wrk, 'error').then(([error]) => Promise.reject(error as Error))]);
  if (/Non-2xx/.test(output)) {
    throw new Error(`some sends were refused:\n${output}`);
  }
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
  if (Number.isNaN(rate)) {
    throw new Error(`wrk did not tell a rate:\n${output}`);
  }
  return rate;
}

async function runReference(name: string): Promise<{ url: string; stop(): void }> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(HERE, `reference/${name}.ts`), String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill('SIGKILL') };
}

export async function ingest(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'nodebell-wrk-'));
  const script = join(dir, 'post.lua');
  writeFileSync(
    script,
    `wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\nwrk.body = [==[${BODY}]==]\n`
  );
  const [bridge, parseOnly, onePerRequest] = [
    await runBridge(),
    await runReference('parseOnly'),
    await runReference('commitPerRequest'),
  ];
  const targets: [string, string][] = [
    ['Express 5 route that only parses the body and answers it', parseOnly.url],
    ['the bridge: checked, durable before it is acknowledged', bridge.url],
    ['one transaction for each request, WAL, synchronous FULL', onePerRequest.url],
  ];
  const rates = new Map<string, number[]>(targets.map(([name]) => [name, []]));
  for (const [, url] of targets) {
    await load(`${url}${PATH}`, 3, script);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, url] of targets) {
      rates.get(name)!.push(await load(`${url}${PATH}`, SECONDS, script));
      // Waits for the text index of the bridge, so that it does not slow down the next measurement.
      await new Promise((resolve) => setTimeout(resolve, 3000));
    }
  }
  await bridge.stop();
  parseOnly.stop();
  onePerRequest.stop();
  rmSync(dir, { recursive: true, force: true });
  const reference = rates.get(targets[0]![0])!;
  console.log(
    `\n## Receiving (${BODY.length}-byte bodies, wrk with ${CONNECTIONS} connections on the same cores, ${ROUNDS} rounds in turn)\n`
  );
  console.log(
    table(
      ['server', 'requests/s (median)', 'ratio, round by round (median)'],
      targets.map(([name]) => {
        const own = rates.get(name)!;
        return [name, median(own).toFixed(0), median(own.map((rate, round) => rate / reference[round]!)).toFixed(2)];
      })
    )
  );
}
