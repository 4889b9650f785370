/** Attacks on the tokens of messages: none acts. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../backend-bridge/src/cli/cliWorld.testing.ts';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import {
  type Received,
  type Reply,
  startNtfy,
  startReceiver,
} from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { startTelegram } from '../../backend-bridge/src/delivery/channels/telegram.testing.ts';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { ADMIN_TOKEN, ask, startTestBridge } from './accessBridge.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { actionsOf, ALERT, ALL, linkToken, PUBLIC, pushFile, take, until } from './messageActions.testing.ts';
import { Folder } from './provisioning.testing.ts';
import { envOf } from './storeBackup.testing.ts';
import { DAY } from './support.ts';

const BOT = '123456789:AAabcdefghijklmnopqrstuvwxyz0123456';
const INVALID = {
  status: 410,
  body: { detail: 'The action is unknown, has expired, or is no longer offered by the channel.' },
};
const DONE = { status: 200, body: { done: 'Acknowledged.' } };

/** A bridge whose alert was sent once, with links. */
async function withLink() {
  const ntfy = await closing(startNtfy());
  const folder = await Folder.make({ 'reach.yaml': pushFile(ntfy, ALL) });
  const running = await folder.start({}, PUBLIC);
  const { bridge } = running;
  /** @returns the token of its message to acknowledge it */
  const fire = async (correlationId: string): Promise<{ id: number; token: string }> => {
    const sent = ntfy.accepted.length;
    const { body } = await bridge.post({ ...ALERT, correlationId });
    await until(() => expect(ntfy.accepted).toHaveLength(sent + 1));
    return { id: (body as { id: number }).id, token: linkToken(ntfy, sent) };
  };
  const shown = async (token: string): Promise<number> =>
    (await bridge.request('POST', '/api/v1/actions/show', { token }, { authorization: '' })).status;
  const detailOf = (id: number) => bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`);
  const first = await fire('disk');
  return { running, bridge, folder, ntfy, ...first, fire, shown, detailOf };
}

test('a token that is forged, of another thread, of one that has resolved, expired, or not offered any more does nothing', async () => {
  const { running, bridge, folder, ntfy, id, token, fire, shown, detailOf } = await withLink();
  const other = await fire('other');
  const [bytes, ofOther] = [token, other.token].map((one) => Buffer.from(one, 'base64url')) as [Buffer, Buffer];
  // Bytes 1 to 6 are the notification.
  const moved = Buffer.concat([bytes.subarray(0, 1), ofOther.subarray(1, 7), bytes.subarray(7)]);
  const forged = token.slice(0, -2) + (token.endsWith('A') ? 'BB' : 'AA');
  for (const one of [forged, moved.toString('base64url')]) {
    expect(await take(running, one)).toMatchObject(INVALID);
  }
  // Only what is still offered counts.
  await folder.write({ 'reach.yaml': pushFile(ntfy, '[snooze]') });
  await until(async () => expect(await shown(token)).toBe(410));
  expect(await take(running, token)).toMatchObject(INVALID);
  await folder.write({ 'reach.yaml': pushFile(ntfy, ALL) });
  await until(async () => expect(await shown(token)).toBe(200));
  await bridge.post({ ...ALERT, status: 'resolved' });
  await bridge.post(ALERT);
  expect(await take(running, token)).toMatchObject({ status: 410, body: { detail: 'The alert has resolved since.' } });
  await until(() => expect(ntfy.accepted).toHaveLength(4));
  const newer = linkToken(ntfy, 3);
  bridge.clock.advance(8 * DAY);
  expect(await take(running, newer)).toMatchObject(INVALID);
  for (const one of [id, other.id]) {
    expect((await detailOf(one)).timeline).toBeUndefined();
  }
});

test('a channel that was removed, or had another destination or no actions, does not accept its old tokens again', async () => {
  const { running, folder, ntfy, id, fire, token, shown, detailOf } = await withLink();
  const whole = pushFile(ntfy, ALL);
  // None has three actions, so that the return of the first file is seen.
  const moved = pushFile(ntfy, '[acknowledge, snooze]', 'another-topic');
  const changes = ['apiVersion: 1\n', moved, whole.replace(/, actions: \[[^\]]*\]/, '')];
  const tokens = [token];
  for (const [index, changed] of changes.entries()) {
    await folder.write({ 'reach.yaml': changed });
    await until(async () => expect(await shown(tokens.at(-1)!)).toBe(410));
    await folder.write({ 'reach.yaml': whole });
    await until(async () => {
      const { channels } = await running.bridge.call<{ channels: { actions?: string[] }[] }>('GET', '/api/v1/channels');
      expect(channels[0]?.actions).toHaveLength(3);
    });
    expect(await take(running, tokens.at(-1)!)).toMatchObject(INVALID);
    tokens.push((await fire(`again ${index}`)).token);
    expect(await shown(tokens.at(-1)!)).toBe(200);
  }
  expect((await detailOf(id)).timeline).toBeUndefined();
  expect(await take(running, tokens.at(-1)!)).toMatchObject(DONE);
});

test('an admin revokes what a channel has sent; later messages act', async () => {
  const { running, bridge, id, token, fire, shown, detailOf } = await withLink();
  expect((await bridge.request('DELETE', '/api/v1/channels/absent/actions')).status).toBe(404);
  expect(await shown(token)).toBe(200);
  expect((await bridge.request('DELETE', '/api/v1/channels/push/actions')).status).toBe(204);
  expect(await shown(token)).toBe(410);
  expect(await take(running, token)).toMatchObject(INVALID);
  expect((await detailOf(id)).timeline).toBeUndefined();
  const later = await fire('later');
  await bridge.restart();
  expect(await take(running, token)).toMatchObject(INVALID);
  expect(await take(running, later.token)).toMatchObject(DONE);
});

test('after a restore no earlier token acts, neither again nor on a notification that has got its id', async () => {
  const { running, bridge, token, fire, detailOf } = await withLink();
  const backup = path.join(temporaryFolder(), 'backup.jsonl.zst');
  const env = await envOf(bridge.dataDir);
  expect(await run(['backup', '--to', backup], { env })).toMatchObject({ code: 0 });
  expect(await take(running, token)).toMatchObject(DONE);
  const later = await fire('later');
  await bridge.stop();
  expect(await run(['restore', backup, '--yes'], { env })).toMatchObject({ code: 0 });
  await bridge.start();
  const heir = await fire('heir');
  expect(heir.id).toBe(later.id);
  for (const old of [token, later.token]) {
    expect(await take(running, old)).toMatchObject(INVALID);
  }
  expect((await detailOf(heir.id)).timeline).toBeUndefined();
  expect(await take(running, heir.token)).toMatchObject(DONE);
});

test('what a link scanner or the page of another site can send changes nothing', async () => {
  const { bridge, id, token, detailOf } = await withLink();
  const ask = async (method: string, at: string, headers: Record<string, string> = {}, body?: string) =>
    (await fetch(`${bridge.url}${at}`, { method, headers, ...(body !== undefined && { body }) })).status;
  for (const method of ['GET', 'HEAD']) {
    expect(await ask(method, '/act')).toBe(200);
    for (const at of [`/act?token=${token}`, `/act/${token}`, '/api/v1/actions', `/api/v1/actions/${token}`]) {
      expect(await ask(method, at)).toBeGreaterThanOrEqual(400);
    }
  }
  // A form, or a request without preflight.
  const json = JSON.stringify({ token });
  expect(await ask('POST', '/api/v1/actions', { 'content-type': 'text/plain' }, json)).toBe(415);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await ask('POST', '/api/v1/actions', form, `token=${token}`)).toBe(415);
  const foreign = { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' };
  expect(await ask('POST', '/api/v1/actions', foreign, json)).toBe(403);
  expect((await detailOf(id)).timeline).toBeUndefined();
});

test('the button of a device acts in the role that the person has now', async () => {
  const { bridge, id, detailOf } = await withLink();
  const press = async (role: string): Promise<number> => {
    const path = `/api/v1/notifications/${id}/acknowledge`;
    return (await bridge.request('POST', path, {}, fromGrafana('ada', { OrgRole: role }))).status;
  };
  for (const role of ['Viewer', 'None']) {
    expect(await press(role)).toBe(403);
  }
  expect((await detailOf(id)).timeline).toBeUndefined();
  expect(await press('Editor')).toBe(200);
});

test('no token is in a log, the audit log or the reason of a failure', async () => {
  const telegram = await closing(startTelegram(BOT));
  let isBroken = false;
  // A service whose error repeats what it was sent.
  const repeating = (request: Received): Reply =>
    isBroken
      ? { status: 400, body: { code: 40000, error: `invalid request: ${actionsOf(request)[0]!.body}` } }
      : { status: 200 };
  const ntfy = await closing(startReceiver(repeating));
  const { dir } = await Folder.make({
    'reach.yaml': `apiVersion: 1
channels:
  - { name: chat, type: telegram, url: '${telegram.url}', token: ${BOT}, chatId: 42, actions: ${ALL} }
  - { name: push, type: ntfy, url: '${ntfy.url}', topic: node, actions: ${ALL} }
routes: [{ channels: [chat, push] }]
`,
  });
  const bridge = await startTestBridge({
    NODEBELL_PROVISIONING_DIR: dir,
    NODEBELL_PUBLIC_URL: PUBLIC.publicUrl,
    NODEBELL_SECRET_KEY: 'the-secret-key-of-this-test',
  });
  const call = (method: string, at: string, body?: unknown) =>
    ask(bridge.url, method, at, { token: ADMIN_TOKEN, ...(body !== undefined && { body }) });
  await call('POST', '/api/v1/notifications', ALERT);
  await until(() => expect([telegram.texts.size, ntfy.accepted.length]).toEqual([1, 1]));
  const [button, link] = [telegram.buttons.get(1)!['Acknowledge']!, linkToken(ntfy, 0)];
  telegram.press(button, { first_name: 'Ada' });
  telegram.press(`${button.slice(0, -2)}xx`, { first_name: 'Eve' });
  await until(() => expect(telegram.answers).toHaveLength(2));
  await call('POST', '/api/v1/actions', { token: link });
  await call('POST', '/api/v1/actions', { token: link });
  isBroken = true;
  await call('POST', '/api/v1/notifications', { ...ALERT, correlationId: 'other' });
  const undelivered = async () => JSON.stringify((await call('GET', '/api/v1/channels/undelivered')).body);
  await until(async () => expect(await undelivered()).toContain('invalid request'));
  const audit = JSON.stringify((await call('GET', '/api/v1/audit')).body);
  expect(audit).toContain('notification.acknowledge');
  const all = [bridge.log(), audit, await undelivered()].join('\n');
  expect(all).toContain('"level":');
  for (const secret of [button, link, BOT, ntfy.arrived.at(-1)!.text.match(/[\w-]{56}/)![0]]) {
    expect(all).not.toContain(secret);
  }
});
