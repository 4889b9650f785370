/** Every operation that changes something leaves an entry in the audit log, and no entry holds a secret. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { archivedRow } from '../../backend-bridge/src/inbox/retention/archived.testing.ts';
import type { Undelivered } from '../../backend-bridge/contract/channel.ts';
import { startHook } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { OPERATIONS } from '../../backend-bridge/contract/api.ts';
import type { AuditEntry, AuditPage } from '../../backend-bridge/contract/audit.ts';
import { ADA, AUDIT, BY_ADA } from './audit.testing.ts';
import { download, restore, startKeeper } from './backups.testing.ts';
import { GETH, manifest, NOTIFICATIONS_YAML } from './packages.testing.ts';
import { DAY, NOTIFICATIONS, TestBridge } from './support.ts';
import { Folder } from './provisioning.testing.ts';

/** Operations that are not recorded. */
const NOT_RECORDED: Record<string, string> = {
  sendNotification: 'a notification is its own record',
  sendBatch: 'a notification is its own record',
  sendHeartbeat: 'changes nothing',
  grafanaWebhook: 'a notification is its own record',
  grafanaWebhookPut: 'a notification is its own record',
  alertmanagerWebhook: 'a notification is its own record',
  gatusWebhook: 'a notification is its own record',
  uptimeKumaWebhook: 'a notification is its own record',
  zabbixWebhook: 'a notification is its own record',
  cloudEvents: 'a notification is its own record',
  mappedWebhook: 'a notification is its own record',
  onCallAlerts: 'a notification is its own record',
  onCallHeartbeat: 'changes nothing',
  // In pagerDuty.test.ts: it acts for a sender.
  pagerDutyEvent: 'recorded as notification.acknowledge',
  ntfyPublish: 'a notification is its own record',
  ntfyPublishPut: 'a notification is its own record',
  ntfyPublishJson: 'a notification is its own record',
  ntfyPublishJsonPut: 'a notification is its own record',
  gotifyMessage: 'a notification is its own record',
  amPostAlerts: 'a notification is its own record',
  // In alertmanagerApi.stores.test.ts: it acts for a client, not for a person of Grafana.
  amSaveSilence: 'recorded as silence.set',
  amEndSilence: 'recorded as silence.expire',
  patchNotification: 'read state',
  markThreadSeen: 'read state',
  markSeen: 'read state',
  previewPackage: 'changes nothing',
  previewRetention: 'changes nothing',
  fetchManifest: 'changes nothing',
  testChannel: 'changes nothing',
  tryChannel: 'changes nothing',
  previewTemplates: 'changes nothing',
  findChats: 'changes nothing',
  showAction: 'changes nothing',
  // In messageActions.stores.test.ts: it acts for the chat of a channel.
  takeAction: 'recorded as notification.acknowledge, .snooze and .resolve',
  takeMattermostAction: 'recorded as those',
  takeDiscordAction: 'recorded as those',
  takeTwilioAction: 'recorded as those',
  addDevice: 'of the person',
  renameDevice: 'of the person',
  setQuietHours: 'of the person',
  removeDevice: 'of the person',
  testDevice: 'changes nothing',
  testRoutes: 'changes nothing',
  previewSilence: 'changes nothing',
  // Needs a Grafana: silences.test.ts.
  changeSilence: 'recorded as silence.set or silence.expire',
  saveSilence: 'recorded as recordSilence',
  endSilence: 'recorded as recordSilence',
};

let bridge: TestBridge;
/** With a token that can be rotated. */
let other: TestBridge;
beforeAll(async () => {
  bridge = await TestBridge.start();
  other = await TestBridge.start({ adminToken: undefined });
});
afterAll(() => Promise.all([bridge.dispose(), other.dispose()]));

const asAda = async (method: string, route: string, body?: unknown): Promise<unknown> => {
  const answer = await bridge.request(method, route, body, ADA);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};
const sent = async (): Promise<number> => (await bridge.send({ correlationId: `c${Math.random()}` })).id;
/** @returns the path of a comment of hers */
const comment = async (): Promise<string> => {
  const { timeline } = (await asAda('POST', `${NOTIFICATIONS}/${await sent()}/comments`, { text: 'hello' })) as {
    timeline: { id: number }[];
  };
  return `/api/v1/comments/${timeline[0]!.id}`;
};
const files = (version: string) => ({
  manifest: manifest({ version }),
  notifications: NOTIFICATIONS_YAML,
  allowDowngrade: true,
});
const createToken = async () =>
  (await asAda('POST', '/api/v1/tokens', { name: 'ci' })) as { id: string; token: string };

interface Recorded {
  /** @returns where it was done */
  act: () => Promise<TestBridge | void>;
  entry: object;
}
const did =
  (act: () => Promise<unknown>): Recorded['act'] =>
  async () =>
    void (await act());

const ARCHIVED = archivedRow({
  id: 1_000_000,
  timestamp: '2020-01-01T00:00:00.000Z',
  status: 'triggered',
  correlationId: 'archived',
});

const NTFY = { type: 'ntfy', url: 'https://ntfy.example.org', topic: 't' };

const OVERRIDE = { person: 'ada', from: '2026-01-05T09:00', to: '2199-01-05T09:00' };
/** A bridge with a schedule, which gets an override. */
async function overridden(): Promise<{ scheduling: TestBridge; path: string }> {
  const folder = await Folder.make({
    'c.yaml': `apiVersion: 1\nchannels: [{ name: hook, type: webhook, url: 'http://h/' }]\npeople: [{ login: ada, channels: [hook] }]\nschedules: [{ name: s, rotations: [{ people: [ada], every: 1w, from: '2026-01-05T09:00' }] }]`,
  });
  const { bridge: scheduling } = await folder.start();
  const list = '/api/v1/schedules/s/overrides';
  const { status, body } = await scheduling.request('POST', list, OVERRIDE, ADA);
  expect(status).toBe(201);
  return { scheduling, path: `${list}/${(body as { id: string }).id}` };
}

/** A request about the one undelivered notification of a bridge. */
async function withUndelivered(method: 'POST' | 'DELETE', path: string): Promise<TestBridge> {
  const hook = await startHook();
  onTestFinished(() => hook.close());
  hook.reject({ status: 400 });
  const folder = await Folder.make({
    'c.yaml': `apiVersion: 1\nchannels: [{ name: hook, type: webhook, url: '${hook.url}' }]\nroutes: [{ channels: [hook], categories: [x] }]`,
  });
  const { bridge: reaching } = await folder.start();
  await reaching.post({ title: 'T', body: 'B', category: 'x' });
  const list = '/api/v1/channels/undelivered';
  const [entry] = await vi.waitFor(async () => {
    const { undelivered } = await reaching.call<Undelivered>('GET', list);
    expect(undelivered).toHaveLength(1);
    return undelivered;
  }, 20_000);
  const answer = await reaching.request(method, list + path.replace(':id', String(entry!.id)), undefined, ADA);
  expect(answer.status).toBeLessThan(300);
  return reaching;
}

const WINDOW = {
  name: 'Disk',
  matchers: 'a="b"',
  startsAt: '2026-11-01T00:00:00Z',
  endsAt: '2999-01-01T00:00:00Z',
};
const SILENCED = {
  alertmanager: 'grafana',
  silence: 'abc',
  until: '2026-12-01T08:00:00.000Z',
  comment: 'New disk',
  matchers: [{ name: 'instance', value: 'node1', isRegex: false, isEqual: true }],
};

/** In this order: a package is registered before its settings change. */
const RECORDED: Record<string, Recorded> = {
  replacePushKey: {
    act: did(() => asAda('POST', '/api/v1/push/key')),
    entry: { action: 'push.replace-key', object: 'web push', before: { devices: 0 } },
  },
  addChannel: {
    act: did(() => asAda('POST', '/api/v1/channels', { name: 'push', ...NTFY, token: 'the-secret-token' })),
    entry: {
      action: 'channel.configure',
      object: 'push',
      after: {
        name: 'push',
        type: 'ntfy',
        giveUpAfter: '24h',
        target: 'ntfy.example.org',
        perMinute: 30,
        settings: { url: 'https://ntfy.example.org', giveUpAfter: '24h', perMinute: 30 },
        has: ['topic', 'token'],
      },
    },
  },
  setRoutes: {
    act: did(() => asAda('PUT', '/api/v1/routes', { routes: [{ channels: ['push'] }] })),
    entry: { action: 'routes.change', object: 'page', before: [], after: [{ channels: ['push'] }] },
  },
  changeChannel: {
    act: did(() => asAda('PUT', '/api/v1/channels/push', { ...NTFY, disabled: true })),
    entry: { action: 'channel.configure', object: 'push' },
  },
  revokeActions: {
    act: did(() => asAda('DELETE', '/api/v1/channels/push/actions')),
    entry: { action: 'channel.revoke-actions', object: 'push' },
  },
  removeChannel: {
    act: did(() => asAda('DELETE', '/api/v1/channels/push')),
    entry: { action: 'routes.change', object: 'page', before: [{ channels: ['push'] }], after: [] },
  },
  ...Object.fromEntries(
    (
      [
        ['sendUndelivered', 'channel.resend', 'POST', '/:id/send', undefined],
        ['sendAllUndelivered', 'channel.resend', 'POST', '/send', { count: 1, channels: ['hook'] }],
        ['discardUndelivered', 'channel.discard', 'DELETE', '/:id', undefined],
        ['discardAllUndelivered', 'channel.discard', 'DELETE', '', { count: 1 }],
      ] as const
    ).map(([id, action, method, path, all]) => [
      id,
      {
        act: () => withUndelivered(method, path),
        entry: {
          action,
          object: all === undefined ? '1' : 'all',
          ...(all === undefined
            ? { before: { channel: 'hook', reason: 'The server responds with 400.' } }
            : { after: all }),
        },
      },
    ])
  ),
  registerPackage: {
    act: did(() => asAda('POST', '/api/v1/packages', files('1.0.0'))),
    entry: { action: 'package.register', object: GETH, after: { version: '1.0.0' } },
  },
  updatePackage: {
    act: did(() => asAda('PUT', `/api/v1/packages/${GETH}`, files('1.1.0'))),
    entry: { action: 'package.update', object: GETH, before: { version: '1.0.0' }, after: { version: '1.1.0' } },
  },
  setPackage: {
    act: did(() => asAda('PATCH', `/api/v1/packages/${GETH}/settings`, { enabled: false })),
    entry: { action: 'settings.change', object: GETH, before: { enabled: null }, after: { enabled: false } },
  },
  setEndpoint: {
    act: did(async () => {
      const { endpoints } = (await asAda('GET', `/api/v1/packages/${GETH}/endpoints`)) as {
        endpoints: { correlationId: string }[];
      };
      await asAda('PATCH', `/api/v1/packages/${GETH}/endpoints/${endpoints[0]!.correlationId}`, { enabled: false });
    }),
    entry: { action: 'settings.change', before: { enabled: null }, after: { enabled: false } },
  },
  importSettings: {
    act: did(() =>
      asAda('POST', '/api/v1/settings', { settings: { apiVersion: 1, packages: { [GETH]: { enabled: true } } } })
    ),
    entry: { action: 'settings.change', object: GETH, before: { enabled: false }, after: { enabled: true } },
  },
  removePackage: {
    act: did(() => bridge.request('DELETE', `/api/v1/packages/${GETH}`, undefined, ADA)),
    entry: { action: 'package.remove', object: GETH, before: { version: '1.1.0' } },
  },
  restoreBackup: {
    act: async () => {
      const keeper = await startKeeper();
      const { tarball } = await download(keeper.bridge);
      const headers = { 'Content-Type': 'application/gzip', ...ADA };
      expect((await restore(keeper.bridge, tarball, headers)).status).toBe(200);
      return keeper.bridge;
    },
    entry: { action: 'package.restore', object: 'keeper.example.eth', after: { backupVersion: '1.0.0', entries: 2 } },
  },
  switchCategory: {
    act: did(() => asAda('PUT', '/api/v1/categories/ethereum', { enabled: false })),
    entry: { action: 'category.switch', object: 'ethereum', before: { enabled: true }, after: { enabled: false } },
  },
  addOverride: {
    act: async () => (await overridden()).scheduling,
    entry: { action: 'override.add', object: 's', after: OVERRIDE },
  },
  removeOverride: {
    act: async () => {
      const { scheduling, path: added } = await overridden();
      expect((await scheduling.request('DELETE', added, undefined, ADA)).status).toBe(204);
      return scheduling;
    },
    entry: { action: 'override.remove', object: 's', before: OVERRIDE },
  },
  addMaintenance: {
    act: did(() => asAda('POST', '/api/v1/maintenance', WINDOW)),
    entry: { action: 'maintenance.set', after: WINDOW },
  },
  changeMaintenance: {
    act: did(async () => {
      const { id } = (await asAda('POST', '/api/v1/maintenance', WINDOW)) as { id: string };
      await asAda('PUT', `/api/v1/maintenance/${id}`, { ...WINDOW, name: 'Other' });
    }),
    entry: { action: 'maintenance.set', before: WINDOW, after: { ...WINDOW, name: 'Other' } },
  },
  removeMaintenance: {
    act: did(async () => {
      const { id } = (await asAda('POST', '/api/v1/maintenance', WINDOW)) as { id: string };
      await asAda('DELETE', `/api/v1/maintenance/${id}`);
    }),
    entry: { action: 'maintenance.remove', before: WINDOW },
  },
  resolveNotification: {
    act: did(async () => {
      const { id } = await bridge.send({ status: 'triggered', correlationId: 'open' });
      await asAda('POST', `${NOTIFICATIONS}/${id}/resolve`);
    }),
    entry: { action: 'notification.resolve', before: { state: 'open' }, after: { state: 'resolved' } },
  },
  resolveNotifications: {
    act: did(async () => {
      // More than one transaction resolves.
      await Promise.all(
        Array.from({ length: 300 }, (_, index) =>
          bridge.send({ category: 'open', status: 'triggered', correlationId: `open-${index}` })
        )
      );
      await asAda('POST', `${NOTIFICATIONS}/resolve`, { filter: { category: 'open' } });
    }),
    entry: { action: 'notifications.resolve', after: { count: 300, filter: { category: ['open'] } } },
  },
  acknowledgeNotification: {
    act: did(async () => asAda('POST', `${NOTIFICATIONS}/${await sent()}/acknowledge`, { comment: 'on it' })),
    entry: { action: 'notification.acknowledge', after: { comment: 'on it' } },
  },
  unacknowledgeNotification: {
    act: did(async () => {
      const id = await sent();
      await asAda('POST', `${NOTIFICATIONS}/${id}/acknowledge`);
      await asAda('DELETE', `${NOTIFICATIONS}/${id}/acknowledge`);
    }),
    entry: { action: 'notification.unacknowledge', before: { by: 'ada', comment: null } },
  },
  acknowledgeNotifications: {
    act: did(async () => asAda('POST', `${NOTIFICATIONS}/acknowledge`, { ids: [await sent(), await sent()] })),
    entry: { action: 'notification.acknowledge', object: '', after: { count: 2 } },
  },
  addComment: {
    act: did(comment),
    entry: { action: 'comment.add', after: { text: 'hello' } },
  },
  editComment: {
    act: did(async () => bridge.request('PUT', await comment(), { text: 'goodbye' }, ADA)),
    entry: { action: 'comment.edit', before: { by: 'ada', text: 'hello' }, after: { text: 'goodbye' } },
  },
  deleteComment: {
    act: did(async () => bridge.request('DELETE', await comment(), undefined, ADA)),
    entry: { action: 'comment.delete', before: { by: 'ada', text: 'hello' } },
  },
  snoozeNotification: {
    act: did(async () =>
      asAda('POST', `${NOTIFICATIONS}/${await sent()}/snooze`, { until: '2026-12-01T08:00:00Z', for: 'all' })
    ),
    entry: { action: 'notification.snooze', after: { until: '2026-12-01T08:00:00.000Z', for: 'all' } },
  },
  setSnooze: {
    act: did(async () =>
      asAda('PUT', `${NOTIFICATIONS}/${await sent()}/snooze`, { until: '2026-12-01T08:00:00Z', for: 'all' })
    ),
    entry: { action: 'notification.snooze', after: { until: '2026-12-01T08:00:00.000Z', for: 'all' } },
  },
  unsnoozeNotification: {
    act: did(async () => {
      const thread = `${NOTIFICATIONS}/${await sent()}/snooze`;
      await asAda('PUT', thread, { until: '2026-12-01T08:00:00Z', for: 'all' });
      await asAda('PUT', thread, { until: null, for: 'all' });
    }),
    entry: { action: 'notification.snooze', before: { until: '2026-12-01T08:00:00.000Z' } },
  },
  assignNotification: {
    act: did(async () => asAda('POST', `${NOTIFICATIONS}/${await sent()}/assignee`, { assignee: 'me' })),
    entry: { action: 'notification.assign', after: { assignee: BY_ADA.key, name: 'ada' } },
  },
  snoozeNotifications: {
    act: did(async () =>
      asAda('PUT', `${NOTIFICATIONS}/snooze`, {
        ...{ ids: [await sent(), await sent()], until: '2026-12-01T08:00:00Z', for: 'all' },
      })
    ),
    entry: { action: 'notification.snooze', object: '', after: { count: 2, until: '2026-12-01T08:00:00.000Z' } },
  },
  assignNotifications: {
    act: did(async () =>
      asAda('POST', `${NOTIFICATIONS}/assignee`, { ids: [await sent(), await sent()], assignee: 'me' })
    ),
    entry: { action: 'notification.assign', object: '', after: { count: 2, assignee: BY_ADA.key, name: 'ada' } },
  },
  unassignNotification: {
    act: did(async () => {
      const id = await sent();
      await asAda('POST', `${NOTIFICATIONS}/${id}/assignee`, { assignee: 'me' });
      await asAda('DELETE', `${NOTIFICATIONS}/${id}/assignee`);
    }),
    entry: { action: 'notification.assign', before: { assignee: BY_ADA.key }, after: { assignee: null } },
  },
  recordSilence: {
    act: did(async () => asAda('POST', `${NOTIFICATIONS}/${await sent()}/silences/record`, SILENCED)),
    entry: { action: 'notification.silence', after: { ...SILENCED, through: 'person' } },
  },
  deleteNotification: {
    act: did(async () => asAda('DELETE', `${NOTIFICATIONS}/${await sent()}`)),
    entry: { action: 'notifications.delete', after: { count: 1, ids: 1 } },
  },
  deleteNotifications: {
    act: did(async () => {
      // More than one transaction deletes.
      await Promise.all(Array.from({ length: 300 }, () => bridge.send({ category: 'many', title: 'a secret title' })));
      await asAda('POST', `${NOTIFICATIONS}/delete`, { filter: { category: 'many' } });
    }),
    entry: { action: 'notifications.delete', after: { count: 300, filter: { category: ['many'] } } },
  },
  restoreNotifications: {
    act: did(async () => {
      const { undo } = (await asAda('DELETE', `${NOTIFICATIONS}/${await sent()}`)) as { undo: string };
      await asAda('POST', `${NOTIFICATIONS}/restore`, { undo });
    }),
    entry: { action: 'notifications.restore', after: { count: 1 } },
  },
  setRetention: {
    act: did(() => asAda('PUT', '/api/v1/retention', { rules: [{ olderThan: '90d' }] })),
    entry: { action: 'retention.change', object: 'retention', after: { rules: [{ olderThan: '90d' }] } },
  },
  importArchive: {
    act: did(() => bridge.call('POST', '/api/v1/archive', { notifications: [ARCHIVED] })),
    entry: {
      actor: { kind: 'token', name: 'admin', address: '127.0.0.1' },
      action: 'archive.import',
      object: 'archive',
      after: { imported: 1, first: ARCHIVED.id },
    },
  },
  createToken: {
    act: did(createToken),
    entry: { action: 'token.create', after: { name: 'ci', packages: [] } },
  },
  rotateToken: {
    act: did(async () => asAda('POST', `/api/v1/tokens/${(await createToken()).id}/rotate`, { graceHours: 1 })),
    entry: { action: 'token.rotate', after: { name: 'ci' } },
  },
  revokeToken: {
    act: did(async () => asAda('DELETE', `/api/v1/tokens/${(await createToken()).id}`)),
    entry: { action: 'token.revoke', before: { name: 'ci', packages: [] } },
  },
  rotateAdminToken: {
    act: async () => {
      const answer = await other.request('POST', '/api/v1/admin-token/rotate', {}, fileToken());
      expect(answer.status).toBe(200);
      return other;
    },
    entry: { action: 'admin-token.rotate', actor: { kind: 'cli', name: 'admin', address: '127.0.0.1' } },
  },
};

const fileToken = () => ({
  Authorization: `Bearer ${readFileSync(path.join(other.dataDir, 'admin-token'), 'utf8').trim()}`,
  'User-Agent': 'nodebell/0.1.0',
});

async function newest(of: TestBridge): Promise<AuditEntry | undefined> {
  const { body } = await of.request<AuditPage>('GET', `${AUDIT}?limit=1`, undefined, of === other ? fileToken() : {});
  return body.entries[0];
}

test('every operation that changes something is recorded, or named above with the reason', () => {
  const changing = OPERATIONS.filter(({ method }) => method !== 'get').map(({ id }) => id);
  expect([...Object.keys(RECORDED), ...Object.keys(NOT_RECORDED)].sort()).toEqual(changing.sort());
});

test.each(Object.keys(RECORDED))('%s', async (id) => {
  const { act, entry } = RECORDED[id]!;
  const where = (await act()) ?? bridge;
  expect(await newest(where)).toMatchObject({ actor: BY_ADA, ...entry });
});

test('nothing that changes nothing is recorded', async () => {
  const before = await newest(bridge);
  await asAda('PUT', '/api/v1/categories/ethereum', { enabled: false });
  await bridge.request('DELETE', '/api/v1/packages/absent.eth', undefined, ADA);
  await bridge.request('POST', `${NOTIFICATIONS}/restore`, { undo: 'none' }, ADA);
  expect(await newest(bridge)).toEqual(before);
});

test('a provisioning file is named for what it provisions', async () => {
  const keeper = await startKeeper();
  const { entries: all } = await keeper.bridge.call<AuditPage>('GET', AUDIT);
  expect(all).toMatchObject([
    {
      actor: { kind: 'file', name: 'packages.yaml' },
      action: 'package.register',
      object: 'keeper.example.eth',
      after: { version: '1.0.0', file: 'packages.yaml' },
    },
  ]);
});

const entries = async (query = ''): Promise<AuditEntry[]> =>
  (await bridge.call<AuditPage>('GET', `${AUDIT}?limit=500${query}`)).entries;

test('no entry holds a token or a text of a notification', async () => {
  const { token } = await createToken();
  const text = JSON.stringify(await entries());
  expect(text).not.toMatch(/nb[as]_[\w-]{20}|secret title|[0-9a-f]{64}/);
  expect(text).not.toContain(token);
});

test('the old admin token is valid for its grace period, and its use is reported', async () => {
  const old = fileToken();
  const rotated = await other.request('POST', '/api/v1/admin-token/rotate', { graceHours: 48 }, old);
  expect(rotated).toMatchObject({ status: 200, body: { origin: 'file', previous: { lastUsedAt: null } } });
  expect(rotated.headers.get('cache-control')).toBe('no-store');
  expect(fileToken()['Authorization']).toBe(`Bearer ${rotated.body.token}`);
  other.clock.advance(2 * DAY - 1);
  const used = await other.request('GET', '/api/v1/admin-token', undefined, old);
  expect(used.body.previous).toMatchObject({ lastUsedAt: other.clock.iso, lastUsedFrom: '127.0.0.1' });
  await other.restart();
  expect((await other.request('GET', AUDIT, undefined, old)).status).toBe(200);
  other.clock.advance(1);
  expect((await other.request('GET', AUDIT, undefined, old)).status).toBe(403);
  expect((await other.request('GET', AUDIT, undefined, fileToken())).status).toBe(200);
  expect((await bridge.request('POST', '/api/v1/admin-token/rotate', {})).body.detail).toContain(
    'NODEBELL_ADMIN_TOKEN_PREVIOUS'
  );
});
