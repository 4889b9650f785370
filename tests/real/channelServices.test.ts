/**
 * Channels against real servers: a program `gotify-server` (2.x; environment variable NODEBELL_GOTIFY) and `synapse_homeserver`
 * (PyPI: matrix-synapse; NODEBELL_SYNAPSE), on the PATH or named by the variable.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Press } from '../../backend-bridge/src/delivery/channels/kinds/channel.ts';
import { make, send } from '../../backend-bridge/src/delivery/channels/kinds/kinds.testing.ts';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { freeAddress, startChild } from './support/child.ts';

const GOTIFY = process.env['NODEBELL_GOTIFY'] ?? 'gotify-server';
const SYNAPSE = process.env['NODEBELL_SYNAPSE'] ?? 'synapse_homeserver';

const isThere = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { timeout: 60_000, stdio: 'ignore' }).error === undefined;

const WAIT = { timeout: 60_000, interval: 100 };
const ADMIN = { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };
const RICH = {
  title: '<b>a</b> & "b"',
  body: 'first\n<script>',
  callToAction: { title: 'Open <it>', url: 'https://g.example/d?a=1&b=2' },
};

async function request(method: string, url: string, headers: Record<string, string>, body?: object): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect(answer.status, text).toBeLessThan(300);
  return JSON.parse(text);
}

async function startGotify(): Promise<string> {
  const folder = temporaryFolder();
  const [host = '', port = ''] = (await freeAddress()).split(':');
  const child = await startChild({
    command: GOTIFY,
    args: [],
    env: {
      GOTIFY_SERVER_LISTENADDR: host,
      GOTIFY_SERVER_PORT: port,
      GOTIFY_DATABASE_CONNECTION: path.join(folder, 'gotify.db'),
      GOTIFY_UPLOADEDIMAGESDIR: path.join(folder, 'images'),
      GOTIFY_PLUGINSDIR: path.join(folder, 'plugins'),
    },
    url: `http://${host}:${port}`,
    readyPath: '/health',
  });
  onTestFinished(() => child.stop());
  return child.url;
}

function aRealGotify(): void {
  it('has the message as it was sent, and names a wrong token', async () => {
    const url = await startGotify();
    const { token } = (await request('POST', `${url}/application`, ADMIN, { name: 'bridge' })) as { token: string };
    expect(await send(make({ type: 'gotify', url, token }), RICH)).toEqual({ kind: 'delivered' });
    const { messages } = (await request('GET', `${url}/message`, ADMIN)) as { messages: unknown[] };
    expect(messages).toEqual([
      expect.objectContaining({
        title: `Important: ${RICH.title}`,
        message: expect.stringContaining(`${RICH.body}\n`),
        priority: 7,
        extras: expect.objectContaining({ 'client::notification': { click: { url: RICH.callToAction.url } } }),
      }),
    ]);
    expect(await send(make({ type: 'gotify', url, token: 'wrong' }))).toMatchObject({
      kind: 'retry',
      reason: expect.stringContaining('401: you need to provide a valid access token'),
    });
  });
}

async function startSynapse(): Promise<string> {
  const folder = temporaryFolder();
  const address = await freeAddress();
  const config = path.join(folder, 'homeserver.yaml');
  const listener = { port: Number(address.split(':')[1]), bind_addresses: ['127.0.0.1'], type: 'http' };
  writeFileSync(
    config,
    JSON.stringify({
      server_name: 'example.org',
      listeners: [{ ...listener, resources: [{ names: ['client'] }] }],
      database: { name: 'sqlite3', args: { database: path.join(folder, 'homeserver.db') } },
      media_store_path: path.join(folder, 'media'),
      signing_key_path: path.join(folder, 'signing.key'),
      macaroon_secret_key: 'of-a-test',
      trusted_key_servers: [],
      report_stats: false,
      enable_registration: true,
      enable_registration_without_verification: true,
    })
  );
  spawnSync(SYNAPSE, ['--config-path', config, '--generate-keys'], { timeout: 60_000, stdio: 'ignore' });
  const child = await startChild({
    command: SYNAPSE,
    args: ['--config-path', config],
    url: `http://${address}`,
    readyPath: '/health',
  });
  onTestFinished(() => child.stop());
  return child.url;
}

/** A homeserver with a room of an owner, to which the bridge is invited. */
async function withRoom() {
  const url = await startSynapse();
  const call = async (token: string, method: string, to: string, body?: object) =>
    (await request(
      method,
      `${url}/_matrix/client/v3/${to}`,
      token === '' ? {} : { authorization: `Bearer ${token}` },
      body
    )) as Record<string, never>;
  const register = async (username: string): Promise<string> =>
    (await call('', 'POST', 'register', { username, password: 'of-a-test', auth: { type: 'm.login.dummy' } }))[
      'access_token'
    ]!;
  const [owner, bridge] = [await register('owner'), await register('bridge')];
  const invite = ['@bridge:example.org'];
  const { room_id: room } = await call(owner, 'POST', 'createRoom', { room_alias_name: 'alerts', invite });
  return {
    call,
    owner,
    bridge,
    room,
    channel: make({ type: 'matrix', url, token: bridge, roomId: '#alerts:example.org' }),
  };
}

function aRealSynapse(): void {
  it('joins a room, edits its message, and replaces one that is gone', async () => {
    const { call, owner, room, channel } = await withRoom();
    const sent = (await send(channel, RICH)) as { kind: string; ref: string };
    expect(sent.kind).toBe('delivered');
    expect(await send(channel, RICH)).toEqual(sent);
    const resolve = (key: string) => send(channel, { ...RICH, key, ref: sent.ref, status: 'resolved' });
    expect(await resolve('nb-3-8-abd')).toEqual(sent);
    const event = await call(owner, 'GET', `rooms/${room}/event/${sent.ref}`);
    expect(event).toMatchObject({
      content: { formatted_body: expect.stringContaining('&lt;b&gt;a&lt;/b&gt; &amp; &quot;b&quot;') },
      unsigned: { 'm.relations': { 'm.replace': { content: { body: `* Resolved: ${RICH.title}` } } } },
    });
    await call(owner, 'PUT', `rooms/${room}/redact/${sent.ref}/1`, {});
    const replaced = (await resolve('nb-3-9-abe')) as { kind: string; ref: string };
    expect(replaced.kind).toBe('delivered');
    expect(replaced.ref).not.toBe(sent.ref);
  });

  it('returns reactions to its messages once, with the newest token, also those while nobody listened', async () => {
    const { call, owner, bridge, room, channel } = await withRoom();
    const buttons = (...tokens: string[]) => ({
      buttons: tokens.map((token) => ({ action: 'acknowledge' as const, label: 'Acknowledge', token })),
    });
    const presses: Press[] = [];
    const listening = () => {
      const ending = new AbortController();
      const failures: string[] = [];
      const on = (press: Press) => Promise.resolve(String(presses.push(press)));
      const running = channel.presses!.listen(on, (reason) => failures.push(reason), ending.signal);
      return async () => {
        ending.abort();
        await running;
        expect(failures).toEqual([]);
      };
    };
    const react = (key: string) =>
      call(owner, 'PUT', `rooms/${room}/send/m.reaction/${encodeURIComponent(key)}`, {
        'm.relates_to': { rel_type: 'm.annotation', event_id: ref, key },
      });
    const { ref } = (await send(channel, buttons('first'))) as { ref: string };
    const first = listening();
    await vi.waitFor(
      () => call(bridge, 'GET', `user/@bridge:example.org/rooms/${room}/account_data/nodebell.presses`),
      WAIT
    );
    await react('✅');
    const press = { who: 'owner (@owner:example.org)', chats: ['#alerts:example.org'] };
    await vi.waitFor(() => expect(presses).toMatchObject([{ ...press, token: 'first' }]), WAIT);
    await first();
    await send(channel, { ref, key: 'nb-3-8-abd', ...buttons('second') });
    await react('✅\uFE0F');
    const second = listening();
    await vi.waitFor(() => expect(presses[1]).toMatchObject({ ...press, token: 'second' }), WAIT);
    await second();
    expect(presses).toHaveLength(2);
  });
}

describe.each([
  ['Gotify', 'gotify-server', 'NODEBELL_GOTIFY', isThere(GOTIFY, 'version'), aRealGotify],
  ['Synapse', 'synapse_homeserver', 'NODEBELL_SYNAPSE', isThere(SYNAPSE, '--help'), aRealSynapse],
] as const)('a real %s', (name, program, variable, isInstalled, tests) => {
  if (isInstalled) {
    tests();
  } else {
    it('is not tested: not installed', () => {
      process.stdout.write(`A real ${name} was not tried: no ${program} is on the PATH, and ${variable} names none.\n`);
      expect(isInstalled).toBe(false);
    });
  }
});
