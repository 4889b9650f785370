/** A system clock that is set years ahead or days back: nothing is removed, sent, reported or woken that is not due, and nothing is held up. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import { type Receiver, startHook } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { PushService } from '../../backend-bridge/src/delivery/push/pushService.testing.ts';
import { PostgresServer } from '../../backend-bridge/src/platform/storage/postgres/server.testing.ts';
import { ADMIN_TOKEN, runBridge } from '../bench/bridge.ts';
import { fromGrafana } from '../integration/grafanaPerson.testing.ts';
import { createDatabase } from '../proofs/kills.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ENTRY = join(import.meta.dirname, 'movedBridge.ts');
const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 50 });

const provisioned = ({ url }: Receiver): string => `apiVersion: 1
retention: { rules: [{ olderThan: 30d }] }
heartbeats:
  - { name: attic, interval: 6h }
channels:
  - { name: hook, type: webhook, url: '${url}/in', secret: secret-of-the-hook }
  - { name: browsers, type: webpush, subject: 'mailto:admin@example.org' }
routes:
  - { channels: [hook], packages: [now] }
  - { channels: [hook], packages: [late], unacknowledged: 2h }
`;

async function start(store: 'sqlite' | 'postgres') {
  const dir = temporaryFolder();
  const hook = await startHook();
  onTestFinished(() => hook.close());
  const pushes = await PushService.start();
  onTestFinished(() => pushes.close());
  const server = store === 'postgres' ? await PostgresServer.open() : undefined;
  onTestFinished(() => server?.remove());
  const clocks = join(dir, 'clocks');
  const offsets = { wall: 0, passed: 0 };
  const write = (): void => {
    // Renamed, so that the bridge never reads a part of it.
    writeFileSync(`${clocks}.new`, `${offsets.wall} ${offsets.passed}`);
    renameSync(`${clocks}.new`, clocks);
  };
  write();
  writeFileSync(join(dir, 'all.yaml'), provisioned(hook));
  const bridge = await runBridge(
    join(dir, 'data'),
    {
      MOVED_CLOCKS: clocks,
      NODEBELL_PROVISIONING_DIR: dir,
      NODEBELL_OUTBOUND_ALLOW: '127.0.0.1',
      NODEBELL_AUTH: 'sender-open',
      ...(server && { NODEBELL_DATABASE_URL: await createDatabase(server) }),
    },
    { entry: ENTRY }
  );
  onTestFinished(() => bridge.stop());
  const call = async <T>(method: string, path: string, body?: unknown, as: Record<string, string> = {}): Promise<T> => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json', ...as };
    const response = await fetch(`${bridge.url}/api/v1${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(300);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return {
    call,
    hook,
    pushes,
    /** Somebody sets the clock. */
    set: (ms: number): void => {
      offsets.wall += ms;
      write();
    },
    pass: (ms: number): void => {
      offsets.wall += ms;
      offsets.passed += ms;
      write();
    },
    send: async (title: string, more: object = {}): Promise<number> =>
      (await call<{ id: number }>('POST', '/notifications', { title, body: '', ...more })).id,
    titles: async (query = ''): Promise<string[]> =>
      (await call<Notification[]>('GET', `/notifications?limit=100${query}`)).map(({ title }) => title),
    /** Regular work has run since: one that is sent now goes out last. */
    worked: async (): Promise<void> => {
      const title = `mark ${hook.accepted.length} ${offsets.wall}`;
      await call('POST', '/notifications', { title, body: '', dnpName: 'now' });
      await until(() => expect(sentTo(hook)).toContain(title));
      await call('GET', '/retention');
    },
  };
}
const sentTo = (hook: Receiver): string[] => hook.accepted.map(({ json }) => json.title as string);

test.each([
  ['sqlite', 3 * 365 * DAY],
  ['sqlite', -40 * DAY],
  ['postgres', 3 * 365 * DAY],
  ['postgres', -40 * DAY],
] as const)('%s, a clock that is set by %d ms', async (store, off) => {
  const { call, hook, pushes, set, pass, send, titles, worked } = await start(store);
  const anna = fromGrafana('anna', { OrgRole: 'Admin' });
  const { token } = await call<{ token: string }>('POST', '/tokens', { name: 'attic' });
  await call('POST', '/notifications', { title: 'beat', body: '' }, { authorization: `Bearer ${token}` });
  const { publicKey } = await call<{ publicKey: string }>('GET', '/push/key', undefined, anna);
  const device = { ...(await pushes.subscribe('phone', publicKey)), key: publicKey, name: 'phone' };
  await call('POST', '/push/devices', device, anna);
  const fires = { dnpName: 'now', correlationId: 'a', status: 'triggered' };
  const fired = await send('fires', fires);
  const snoozed = await send('snoozed', { dnpName: 'x', correlationId: 's', status: 'triggered' });
  const end = new Date(Date.now() + HOUR).toISOString();
  await call('PUT', `/notifications/${snoozed}/snooze`, { until: end, for: 'all' }, anna);
  const late = await send('escalates', { dnpName: 'late', correlationId: 'l', status: 'triggered' });
  await until(() => expect(sentTo(hook)).toContain('fires'));

  set(off);
  await worked();
  // Channels tidy up once a minute.
  pass(2 * MINUTE);
  await worked();
  const meanwhile = await send('meanwhile', { dnpName: 'x' });
  expect(meanwhile).toBeGreaterThan(late);
  expect(await titles()).toEqual(expect.arrayContaining(['beat', 'fires', 'snoozed', 'escalates', 'meanwhile']));
  expect((await call<{ devices: unknown[] }>('GET', '/push/devices', undefined, anna)).devices).toHaveLength(1);
  expect(await titles('&category=system')).toEqual([]);
  expect(sentTo(hook)).not.toContain('escalates');
  const entries = await call<{ entries: unknown[] }>('GET', '/audit');
  expect(JSON.stringify(entries)).toContain('notification.snooze');
  const { deliveries } = await call<{ deliveries: object[] }>('GET', `/notifications/${fired}`);
  expect(deliveries).toMatchObject([{ channel: 'hook', state: 'sent' }]);

  // A snooze lasts no longer than it was to last.
  pass(HOUR);
  await until(async () => expect(await titles('&latest=true')).toContain('snoozed'));
  pass(HOUR);
  await worked();
  await until(() => expect(sentTo(hook)).toContain('escalates'));
  pass(5 * HOUR);
  await until(async () => expect(await titles('&category=system')).toEqual(['attic has been silent for 6 h']));
  const resolves = await send('resolves', { ...fires, status: 'resolved' });
  await until(() => expect(sentTo(hook)).toContain('resolves'));
  expect(resolves).toBeGreaterThan(meanwhile);

  set(-off);
  await worked();
  expect(await titles()).toEqual(
    expect.arrayContaining(['beat', 'fires', 'snoozed', 'escalates', 'meanwhile', 'resolves'])
  );
  const last = await send('last', { dnpName: 'x' });
  expect(last).toBeGreaterThan(resolves);
});
