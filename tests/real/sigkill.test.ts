/** No acknowledged notification is lost: the bridge is killed fifty times during concurrent sends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import { freeAddress } from './support/child.ts';

const KILLS = 50;
const SENDERS = 16;
const ADMIN_TOKEN = 'sigkill-admin-token-0123456789';
const ENTRY = fileURLToPath(new URL('../../backend-bridge/src/main.ts', import.meta.url));

let dataDir: string;
let url: string;
let child: ChildProcess | undefined;

async function start(): Promise<ChildProcess> {
  const started = spawn(process.execPath, [ENTRY], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODEBELL_PORT: new URL(url).port,
      NODEBELL_DATA_DIR: dataDir,
      NODEBELL_ADMIN_TOKEN: ADMIN_TOKEN,
      NODEBELL_RATE_LIMIT: '0',
      NODEBELL_LOG_LEVEL: 'error',
    },
  });
  child = started;
  for (;;) {
    if (started.exitCode !== null) {
      throw new Error(`the bridge ended with ${started.exitCode} instead of starting`);
    }
    const ready = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false
    );
    if (ready) {
      return started;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Sends notifications until the bridge is gone; collects the titles with a 201 response. */
async function sendUntilGone(round: number, sender: number, acknowledged: string[]): Promise<void> {
  for (let count = 0; ; count += 1) {
    const title = `${round}/${sender}/${count}`;
    const body = JSON.stringify({
      title,
      body: 'x'.repeat(400),
      dnpName: `round-${round}`,
      correlationId: `thread-${count % 7}`,
    });
    try {
      const answer = await fetch(`${url}/api/v1/notifications`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      if (answer.status === 201) {
        acknowledged.push(title);
      }
    } catch {
      return;
    }
  }
}

async function storedTitles(dnpName?: string): Promise<string[]> {
  const titles: string[] = [];
  let next: string | undefined =
    `/api/v1/notifications?limit=1000${dnpName === undefined ? '' : `&dnpName=${dnpName}`}`;
  while (next !== undefined) {
    const answer: Response = await fetch(`${url}${next}`, { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
    expect(answer.status).toBe(200);
    titles.push(...((await answer.json()) as Notification[]).map(({ title }) => title));
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1];
  }
  return titles;
}

function expectOnce(stored: string[], acknowledged: string[]): void {
  const times = new Map<string, number>();
  stored.forEach((title) => times.set(title, (times.get(title) ?? 0) + 1));
  expect(acknowledged.filter((title) => times.get(title) !== 1)).toEqual([]);
  // Others may be stored or not, but never twice.
  expect([...times].filter(([, count]) => count > 1)).toEqual([]);
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'nodebell-sigkill-'));
  url = `http://${await freeAddress()}`;
});

afterAll(() => {
  child?.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

test(`after ${KILLS} kills, every notification with a 201 response is stored once`, async () => {
  const all: string[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    const bridge = await start();
    if (round > 0) {
      expectOnce(
        await storedTitles(`round-${round - 1}`),
        all.filter((title) => title.startsWith(`${round - 1}/`))
      );
    }
    const acknowledged: string[] = [];
    const sending = Array.from({ length: SENDERS }, (_, sender) => sendUntilGone(round, sender, acknowledged));
    // Once it receives, however long the start takes, and then after a different delay each time.
    while (acknowledged.length < SENDERS && bridge.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await new Promise((resolve) => setTimeout(resolve, (round * 37) % 250));
    const gone = once(bridge, 'exit');
    bridge.kill('SIGKILL');
    await gone;
    await Promise.all(sending);
    all.push(...acknowledged);
  }
  await start();
  expect(all.length).toBeGreaterThanOrEqual(KILLS * SENDERS);
  expectOnce(await storedTitles(), all);
  const facets = (await (
    await fetch(`${url}/api/v1/notifications/facets`, { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } })
  ).json()) as { total: number };
  // Counts are written with the rows, so they match whenever it was killed.
  expect(facets.total).toBe((await storedTitles()).length);
}, 900_000);
