/** Nothing is lost between the inbox and three channels while the bridge is killed; what arrives twice is explained by a kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { type Receiver, startHook, startNtfy } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { startTelegram } from '../../backend-bridge/src/delivery/channels/telegram.testing.ts';
import { freeAddress } from './support/child.ts';

const KILLS = 50;
const SENT = 1000;
/** Sends under way at a time. */
const SENDERS = 4;
const BOT = '123456789:AAabcdefghijklmnopqrstuvwxyz0123456';
const ENTRY = fileURLToPath(new URL('../../backend-bridge/src/main.ts', import.meta.url));
const soon = () => new Promise((resolve) => setTimeout(resolve, 10));

const titleIn = ({ json }: Receiver['accepted'][number]): string =>
  /n\d+/.exec(String(json.text ?? json.title))?.[0] ?? '';
const titlesOf = (receiver: Receiver): string[] => receiver.accepted.map(titleIn);

test('every notification is delivered on every channel', async () => {
  const folder = temporaryFolder();
  const receivers = [await startHook(), await startNtfy(), await startTelegram(BOT)] as const;
  onTestFinished(async () => void (await Promise.all(receivers.map((one) => one.close()))));
  const [hook, ntfy, telegram] = receivers;
  mkdirSync(join(folder, 'provisioning'));
  writeFileSync(
    join(folder, 'provisioning', 'reach.yaml'),
    `apiVersion: 1
channels:
  - { name: hook, type: webhook, url: '${hook.url}' }
  - { name: push, type: ntfy, url: '${ntfy.url}', topic: node, perMinute: 1000000 }
  - { name: phone, type: telegram, url: '${telegram.url}', token: $BOT, chatId: 1, perMinute: 1000000 }
routes:
  - { channels: [hook, push, phone] }
`
  );
  const url = `http://${await freeAddress()}`;
  let child: ChildProcess | undefined;
  onTestFinished(() => void child?.kill('SIGKILL'));

  const start = async (): Promise<ChildProcess> => {
    const started = spawn(process.execPath, [ENTRY], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        BOT,
        NODEBELL_PORT: new URL(url).port,
        NODEBELL_DATA_DIR: join(folder, 'data'),
        NODEBELL_PROVISIONING_DIR: join(folder, 'provisioning'),
        NODEBELL_RATE_LIMIT: '0',
        NODEBELL_LOG_LEVEL: 'silent',
      },
    });
    child = started;
    for (;;) {
      if (started.exitCode !== null) {
        throw new Error(`the bridge ended with ${started.exitCode} instead of starting`);
      }
      if (
        await fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false
        )
      ) {
        return started;
      }
      await soon();
    }
  };

  let next = 0;
  /** A send whose response was lost is repeated with its key, so that the inbox has it once. */
  const sendAll = async (): Promise<void> => {
    while (next < SENT) {
      const title = `n${next}`;
      next += 1;
      const body = JSON.stringify({ title, body: 'x', dnpName: 'geth', correlationId: title, status: 'triggered' });
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': title };
      while (
        !(await fetch(`${url}/api/v1/notifications`, { method: 'POST', headers, body }).then(
          ({ ok }) => ok,
          () => false
        ))
      ) {
        await soon();
      }
    }
  };
  const accepted = (): number => receivers.reduce((sum, one) => sum + one.accepted.length, 0);

  let running = await start();
  const sending = Promise.all(Array.from({ length: SENDERS }, sendAll));
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const wanted = (kill * 3 * SENT) / (KILLS + 1);
    while (accepted() < wanted) {
      await soon();
    }
    running.kill('SIGKILL');
    await once(running, 'exit');
    running = await start();
  }
  await sending;
  const all = Array.from({ length: SENT }, (_one, index) => `n${index}`);
  const missing = (): number => receivers.reduce((sum, one) => sum + SENT - new Set(titlesOf(one)).size, 0);
  while (missing() > 0) {
    await soon();
  }
  const stopped = once(running, 'exit');
  running.kill('SIGTERM');
  await stopped;

  for (const one of receivers) {
    const titles = titlesOf(one);
    expect([...new Set(titles)].sort()).toEqual(all.toSorted());
    // A channel sends one message at a time: each kill can fall between sending and noting once.
    expect(titles.length - SENT).toBeLessThanOrEqual(KILLS);
  }
  // The service can recognise it: the key is the same, and so is the sequence id of ntfy.
  const keys = new Map<string, Set<unknown>>();
  hook.accepted.forEach((one) => {
    keys.set(titleIn(one), (keys.get(titleIn(one)) ?? new Set()).add(one.headers['idempotency-key']));
  });
  ntfy.accepted.forEach((one) => {
    const title = `ntfy ${titleIn(one)}`;
    keys.set(title, (keys.get(title) ?? new Set()).add(one.json.sequence_id));
  });
  expect([...keys.values()].filter(({ size }) => size !== 1)).toEqual([]);
});
