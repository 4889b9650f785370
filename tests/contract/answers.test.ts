/** Responses of the bridge match its OpenAPI document and its schemas. */
import { discordApp } from '../../backend-bridge/src/delivery/actions/discord.testing.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { archivedRow } from '../../backend-bridge/src/inbox/retention/archived.testing.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OPERATIONS } from '../../backend-bridge/contract/api.ts';
import { matchersOf } from '../../backend-bridge/contract/silence.ts';
import { startHook } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { newSubscriber } from '../../backend-bridge/src/delivery/push/pushService.testing.ts';
import { FakeAlertmanager } from '../../backend-bridge/src/monitoring/silences/fakeAlertmanager.testing.ts';
import { download, restore, startKeeper } from '../integration/backups.testing.ts';
import { fromGrafana } from '../integration/grafanaPerson.testing.ts';
import { startIconHost } from '../integration/iconHost.testing.ts';
import { CHAIN_HISTORY, HISTORY, startHistorian } from '../integration/history.testing.ts';
import { Listener } from '../integration/listener.ts';
import { type Answer, NOTIFICATIONS, TestBridge } from '../integration/support.ts';
import { Folder } from '../integration/provisioning.testing.ts';
import { COMPOSE_YAML, GETH, manifest, NOTIFICATIONS_YAML, register } from '../integration/packages.testing.ts';
import { type Any, type Json, newAjv, usePublished } from './published.ts';

const published = usePublished();
/** A notification with all members. */
const MANIFEST = manifest({
  upstreamVersion: '14.0',
  icon: 'https://example.org/i.png',
  style: { featuredColor: 'white' },
  chain: 'ethereum',
  contributors: ['Bob'],
  repository: { type: 'git', url: 'https://example.org/r.git' },
  bugs: { url: 'https://example.org/bugs' },
  requirements: { minimumDappnodeVersion: '0.3.0' },
  dependencies: { 'dms.example.eth': '^1.0.0' },
  exposable: [{ name: 'API', port: 8545 }],
  backup: [{ name: 'keys', path: '/keys' }],
  warnings: { onInstall: 'Careful.', onRemove: 'Sure?' },
  updateAlerts: [{ from: '*', message: 'Read this.' }],
  disclaimer: { message: 'At your own risk.' },
  changelog: 'News.',
  grafanaDashboards: [{ uid: 'geth' }],
  prometheusTargets: [{ targets: ['geth:6060'] }],
});

const ARCHIVED = archivedRow({
  id: 1_000_000,
  timestamp: '2026-11-21T10:00:00.000Z',
  title: 'Disk almost full',
  category: 'hardware',
  dnpName: 'geth.example.eth',
  priority: 'high',
  statusGiven: true,
  correlationId: 'disk',
});

describe('responses match the OpenAPI document', () => {
  const checked = new Set<string>();

  function check(operationId: string, { status, headers, body }: Answer): void {
    const operation = Object.values<Json>(published().page.paths)
      .flatMap((methods) => Object.values<Json>(methods))
      .find((one) => one.operationId === operationId)!;
    const response = operation.responses[status];
    expect(response, `${operationId} ${status}: ${JSON.stringify(body)}`).toBeDefined();
    if (response.content === undefined) {
      expect(body, operationId).toBe('');
      checked.add(`${operationId} ${status}`);
      return;
    }
    const mediaType = headers.get('content-type')!.split(';')[0]!;
    const [range] = Object.keys(response.content);
    expect([mediaType, mediaType.replace(/\/.*/, '/*')], `${operationId} ${status}`).toContain(range);
    if (/json$/.test(mediaType)) {
      const validate = newAjv(false).compile({
        ...response.content[mediaType].schema,
        components: published().page.components,
      });
      expect(
        validate(body),
        `${operationId} ${status}: ${JSON.stringify(validate.errors)} in ${JSON.stringify(body)}`
      ).toBe(true);
    }
    checked.add(`${operationId} ${status}`);
  }

  async function checkPush(bridge: TestBridge): Promise<void> {
    const request = (method: string, path: string, body?: unknown): Promise<Answer<Any>> =>
      bridge.request(method, `/api/v1/push${path}`, body, fromGrafana('anna'));
    const key = await request('GET', '/key');
    check('getPushKey', key);
    const { p256dh, auth } = await newSubscriber();
    const subscription = { endpoint: 'http://127.0.0.1:9/x', keys: { p256dh, auth }, key: key.body.publicKey };
    const added = await request('POST', '/devices', { ...subscription, name: 'Firefox on Linux' });
    check('addDevice', added);
    check('setQuietHours', await request('PUT', '/quiet-hours', { quietHours: [{ from: '22:00', to: '07:00' }] }));
    check('getQuietHours', await request('GET', '/quiet-hours'));
    check('listDevices', await request('GET', '/devices'));
    const device = `/devices/${added.body.id}`;
    check('renameDevice', await request('PUT', device, { name: 'Laptop' }));
    check('testDevice', await request('POST', `${device}/test`));
    check('removeDevice', await request('DELETE', device));
    check('replacePushKey', await bridge.request('POST', '/api/v1/push/key'));
  }

  async function checkActions(): Promise<void> {
    const hook = await startHook();
    onTestFinished(() => hook.close());
    const app = discordApp();
    const file = `apiVersion: 1
channels:
  - { name: p, type: ntfy, url: '${hook.url}', topic: t, actions: [acknowledge] }
  - { name: d, type: discord, url: '${hook.url}/webhooks/1/x', publicKey: ${app.publicKey}, actions: [acknowledge] }
routes: [{ channels: [p] }]
mappings: [{ name: m, members: { title: title } }]`;
    const folder = await Folder.make({ 'reach.yaml': file });
    const { bridge } = await folder.start({}, { publicUrl: 'https://bridge.example.org' });
    await bridge.post({ title: 'T', body: 'B', status: 'triggered' });
    await vi.waitFor(() => expect(hook.accepted).toHaveLength(1));
    const [{ body }] = hook.accepted[0]!.json.actions as [{ body: string }];
    const token = JSON.parse(body) as { token: string };
    check('showAction', await bridge.request('POST', '/api/v1/actions/show', token));
    const press = { user_name: 'ada', context: token };
    check('takeMattermostAction', await bridge.request('POST', '/api/v1/actions/mattermost', press));
    const key = await bridge.request('POST', '/api/v1/actions/twilio?message=x', { Digits: '1' });
    expect(key.body).toContain('<Response><Say>');
    check('takeTwilioAction', key);
    check('takeDiscordAction', await app.post(bridge.url, { type: 1 }));
    check('takeAction', await bridge.request('POST', '/api/v1/actions', token));
    check('mappedWebhook', await bridge.request('POST', '/api/v1/webhooks/mapped/m', { title: 'T' }));
  }

  /** @param id of a notification */
  async function checkResponding(id: number): Promise<void> {
    const request = (method: string, path: string, body?: unknown): Promise<Answer<Any>> =>
      published().bridge.request(method, `/api/v1${path}`, body, fromGrafana('anna'));
    const thread = `/notifications/${id}`;
    check('acknowledgeNotification', await request('POST', `${thread}/acknowledge`, { comment: 'on it' }));
    check('unacknowledgeNotification', await request('DELETE', `${thread}/acknowledge`));
    check('acknowledgeNotifications', await request('POST', '/notifications/acknowledge', { ids: [id] }));
    const commented = await request('POST', `${thread}/comments`, { text: 'replaced' });
    check('addComment', commented);
    const { id: comment } = (commented.body.timeline as Any[]).find(({ kind }) => kind === 'comment')!;
    check('editComment', await request('PUT', `/comments/${comment}`, { text: 'replaced the disk' }));
    check('getNotification', await request('GET', thread));
    check('deleteComment', await request('DELETE', `/comments/${comment}`));
    const until = new Date(published().bridge.clock.now + 3_600_000).toISOString();
    check('snoozeNotification', await request('POST', `${thread}/snooze`, { until }));
    check('unsnoozeNotification', await request('DELETE', `${thread}/snooze`));
    check('setSnooze', await request('PUT', `${thread}/snooze`, { until, for: 'all' }));
    check('listNotifications', await request('GET', '/notifications?snoozed=true'));
    check('setSnooze', await request('PUT', `${thread}/snooze`, { until: null, for: 'all' }));
    check('listPeople', await request('GET', '/people'));
    check('assignNotification', await request('POST', `${thread}/assignee`, { assignee: 'me' }));
    check('listNotifications', await request('GET', '/notifications?assignee=me'));
    check('unassignNotification', await request('DELETE', `${thread}/assignee`));
    check('assignNotifications', await request('POST', '/notifications/assignee', { ids: [id], assignee: 'me' }));
    check('snoozeNotifications', await request('PUT', '/notifications/snooze', { ids: [id], until, for: 'all' }));
    check('snoozeNotifications', await request('PUT', '/notifications/snooze', { ids: [id], until: null, for: 'all' }));
  }

  /** @param alert of Alertmanager */
  async function checkOtherApis(alert: object): Promise<void> {
    const request = (method: string, path: string, body?: unknown): Promise<Answer<Any>> =>
      published().bridge.request(method, path, body);
    const webhooks = '/api/v1/webhooks';
    check('uptimeKumaWebhook', await request('POST', `${webhooks}/uptime-kuma`, { msg: 'Testing' }));
    check('zabbixWebhook', await request('POST', `${webhooks}/zabbix`, { id: '1', value: '1', name: 'T' }));
    const event = { specversion: '1.0', id: '1', source: 's', type: 't' };
    check('cloudEvents', await request('POST', `${webhooks}/cloudevents`, event));
    const { token } = await published().bridge.call<{ token: string }>('POST', '/api/v1/tokens', { name: 'old' });
    const integration = `/integrations/v1/alertmanager/${token}`;
    check('onCallAlerts', await request('POST', integration, { alerts: [alert] }));
    check('onCallHeartbeat', await request('POST', `${integration}/heartbeat`));
    check('onCallHeartbeatGet', await request('GET', `${integration}/heartbeat`));
    const pagerDuty = { routing_key: token, event_action: 'trigger', payload: { summary: 'T' } };
    check('pagerDutyEvent', await request('POST', '/v2/enqueue', pagerDuty));
    for (const [method, suffix] of [
      ['POST', ''],
      ['PUT', 'Put'],
    ] as const) {
      check(`ntfyPublish${suffix}`, await request(method, '/ntfy/t', 'T'));
      const message = { topic: 't', message: 'm', title: 'T', tags: ['a'], priority: 5, click: 'https://example.org' };
      check(`ntfyPublishJson${suffix}`, await request(method, '/ntfy', message));
    }
    check('gotifyMessage', await request('POST', '/gotify/message', { message: 'm' }));
  }

  async function checkAlertmanager(): Promise<void> {
    const request = (method: string, path: string, body?: unknown): Promise<Answer<Any>> =>
      published().bridge.request(method, `/alertmanager/api/v2${path}`, body);
    check('amStatus', await request('GET', '/status'));
    check('amReceivers', await request('GET', '/receivers'));
    const alert = { labels: { alertname: 'DiskFull' }, annotations: { summary: 'Disk full' } };
    check('amPostAlerts', await request('POST', '/alerts', [alert]));
    const silence = {
      matchers: [{ name: 'alertname', value: 'Disk.*', isRegex: true }],
      startsAt: new Date(published().bridge.clock.now).toISOString(),
      endsAt: new Date(published().bridge.clock.now + 3_600_000).toISOString(),
      createdBy: 'anna',
      comment: 'New disk',
    };
    const saved = await request('POST', '/silences', silence);
    check('amSaveSilence', saved);
    const alerts = await request('GET', '/alerts');
    expect(alerts.body).toMatchObject([{ status: { silencedBy: [saved.body.silenceID] } }]);
    check('amAlerts', alerts);
    check('amAlertGroups', await request('GET', '/alerts/groups'));
    check('amSilences', await request('GET', '/silences'));
    check('amSilence', await request('GET', `/silence/${saved.body.silenceID}`));
    check('amEndSilence', await request('DELETE', `/silence/${saved.body.silenceID}`));
  }

  async function checkSilences(): Promise<void> {
    const grafana = new FakeAlertmanager();
    const { url, close } = await grafana.listen();
    const bridge = await TestBridge.start({ monitors: { grafana: { url, token: 'glsa_x', datasource: undefined } } });
    onTestFinished(async () => {
      await bridge.dispose();
      await close();
    });
    grafana.now = () => bridge.clock.now;
    grafana.alerts['grafana']!.set('f', { instance: 'node1' });
    const { id } = await bridge.send({ title: 'T' });
    const path = `/api/v1/notifications/${id}/silences`;
    const covers = { alertmanager: 'grafana', matchers: matchersOf({ labels: { instance: 'node1' } }) };
    const silence = {
      ...covers,
      until: new Date(bridge.clock.now + 3_600_000).toISOString(),
      comment: 'The disk is being replaced.',
    };
    check('previewSilence', await bridge.request('POST', `${path}/preview`, covers));
    const saved = await bridge.request<Any>('POST', path, silence);
    check('saveSilence', saved);
    check('recordSilence', await bridge.request('POST', `${path}/record`, { ...silence, silence: saved.body.id }));
    check('listSilences', await bridge.request('GET', '/api/v1/silences'));
    const changed = { alertmanager: 'grafana', until: silence.until };
    check('changeSilence', await bridge.request('PUT', `/api/v1/silences/${saved.body.id}`, changed));
    check('endSilence', await bridge.request('DELETE', `${path}/${saved.body.id}?alertmanager=grafana`));
  }

  it('for every operation, on success', async () => {
    const ask = async (
      operationId: string,
      method: string,
      path: string,
      body?: unknown,
      headers?: Record<string, string>
    ): Promise<Any> => {
      const answer = await published().bridge.request(method, path, body, headers);
      check(operationId, answer);
      return answer.body;
    };
    const iconHost = await startIconHost();
    onTestFinished(() => iconHost.close());
    const full = {
      title: 'T',
      body: 'B',
      callToAction: { title: 'Go', url: '/x' },
      icon: `${iconHost.url}/i.png`,
      status: 'triggered',
      priority: 'high',
      correlationId: 'a/b',
      isBanner: true,
    };
    const { id } = await ask('sendNotification', 'POST', NOTIFICATIONS, full, { 'Idempotency-Key': 'k' });
    await ask('sendNotification', 'POST', NOTIFICATIONS, full, { 'Idempotency-Key': 'k' });
    await ask('sendNotification', 'POST', NOTIFICATIONS, { title: 'T', body: 'B', errors: 'e' });
    const inBatch = { ...full, idempotencyKey: 'k', node: 'attic', sentAt: '2026-11-21T10:00:00Z', correlationId: 'c' };
    await ask('sendBatch', 'POST', `${NOTIFICATIONS}/batch`, { notifications: [inBatch, { idempotencyKey: 'l' }] });
    const many = [
      { title: 'T', errors: 'e' },
      { title: 'T', errors: 'e', priority: 'urgent', idempotencyKey: 'b' },
    ];
    await ask('sendBatch', 'POST', `${NOTIFICATIONS}/batch`, many);
    await ask('sendBatch', 'POST', `${NOTIFICATIONS}/batch`, [...many, {}, 7]);
    await ask('sendHeartbeat', 'POST', '/api/v1/heartbeat');
    await ask('listNotifications', 'GET', `${NOTIFICATIONS}?errors=all`);
    await ask('countUnseen', 'GET', `${NOTIFICATIONS}/unseen`);
    const anna = fromGrafana('anna');
    expect(await ask('listNotifications', 'GET', NOTIFICATIONS, undefined, anna)).toMatchObject([
      { read: false, thread: { unread: 1 } },
    ]);
    await ask('listFacets', 'GET', `${NOTIFICATIONS}/facets?read=false`, undefined, anna);
    await ask('listFacets', 'GET', `${NOTIFICATIONS}/facets?groupBy=team`);
    await ask('listLabels', 'GET', '/api/v1/labels?name=instance&prefix=node');
    await ask('findOrigin', 'GET', `${NOTIFICATIONS}/origin?panel=d/1`);
    await ask('getNotification', 'GET', `${NOTIFICATIONS}/${id}`);
    await ask('getNotificationIcon', 'GET', `${NOTIFICATIONS}/${id}/icon`);
    await ask('getNotificationText', 'GET', `${NOTIFICATIONS}/${id}/body`);
    await ask('patchNotification', 'PATCH', `${NOTIFICATIONS}/${id}`, { seen: true });
    await checkSilences();
    await checkAlertmanager();
    await checkResponding(id);
    await ask('resolveNotification', 'POST', `${NOTIFICATIONS}/${id}/resolve`);
    await ask('markThreadSeen', 'PUT', `${NOTIFICATIONS}/a/b/seen`);
    await ask('markSeen', 'PUT', `${NOTIFICATIONS}/seen`);
    const { undo } = await ask('deleteNotification', 'DELETE', `${NOTIFICATIONS}/${id}`);
    await ask('restoreNotifications', 'POST', `${NOTIFICATIONS}/restore`, { undo });
    await ask('resolveNotifications', 'POST', `${NOTIFICATIONS}/resolve`, { ids: [id] });
    await ask('deleteNotifications', 'POST', `${NOTIFICATIONS}/delete`, { ids: [id] });
    const window = {
      name: 'Disk',
      matchers: 'a="b"',
      endsAt: '2999-01-01T00:00:00Z',
      startsAt: '2026-01-01T00:00:00Z',
    };
    const added = await ask('addMaintenance', 'POST', '/api/v1/maintenance', window);
    const ofWindow = `/api/v1/maintenance/${(added as { id: string }).id}`;
    await ask('changeMaintenance', 'PUT', ofWindow, { ...window, name: 'New disk' });
    await ask('listMaintenance', 'GET', '/api/v1/maintenance');
    await ask('removeMaintenance', 'DELETE', ofWindow);
    await ask('switchCategory', 'PUT', '/api/v1/categories/other', { enabled: true });
    await ask('listCategories', 'GET', '/api/v1/categories');
    const alert = {
      status: 'firing',
      labels: { alertname: 'A' },
      annotations: { summary: 'S' },
      startsAt: '2026-11-21T10:00:00Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: '',
      fingerprint: 'f',
    };
    const group = {
      version: '1',
      status: 'firing',
      receiver: 'r',
      groupKey: 'g',
      groupLabels: {},
      commonLabels: {},
      commonAnnotations: {},
      externalURL: 'http://g',
      alerts: [alert],
      truncatedAlerts: 2,
    };
    await ask('grafanaWebhook', 'POST', '/api/v1/webhooks/grafana', group);
    await ask('grafanaWebhookPut', 'PUT', '/api/v1/webhooks/grafana', group);
    await ask('alertmanagerWebhook', 'POST', '/api/v1/webhooks/alertmanager', { ...group, version: '4' });
    await ask('gatusWebhook', 'POST', '/api/v1/webhooks/gatus', { title: 'T', body: 'B', status: 'TRIGGERED' });
    await checkOtherApis(alert);
    await ask('listNotifications', 'GET', NOTIFICATIONS);
    const { token: _token, ...created } = await ask('createToken', 'POST', '/api/v1/tokens', {
      name: 'one',
      packages: ['a.dnp'],
    });
    await ask('listTokens', 'GET', '/api/v1/tokens');
    await ask('rotateToken', 'POST', `/api/v1/tokens/${created.id}/rotate`, { graceHours: 1 });
    await ask('listTokens', 'GET', '/api/v1/tokens');
    await ask('getAdminToken', 'GET', '/api/v1/admin-token');
    await ask('revokeToken', 'DELETE', `/api/v1/tokens/${created.id}`);
    const body = {
      manifest: MANIFEST,
      notifications: NOTIFICATIONS_YAML,
      compose: COMPOSE_YAML,
      disclaimerAccepted: true,
    };
    const { disclaimerAccepted: _accepted, ...files } = body;
    await ask('previewPackage', 'POST', '/api/v1/packages/preview', { manifest: {} });
    await ask('previewPackage', 'POST', '/api/v1/packages/preview', files);
    await ask('registerPackage', 'POST', '/api/v1/packages', body, fromGrafana('ada'));
    await ask('updatePackage', 'PUT', `/api/v1/packages/${GETH}`, {
      ...body,
      manifest: { ...MANIFEST, version: '1.1.0', icon: full.icon },
    });
    await ask('getPackageIcon', 'GET', `/api/v1/packages/${GETH}/icon`);
    await ask('listPackages', 'GET', '/api/v1/packages');
    await ask('listChains', 'GET', '/api/v1/chains');
    await ask('getPackage', 'GET', `/api/v1/packages/${GETH}`);
    await ask('getPackageFiles', 'GET', `/api/v1/package-files/${GETH}`);
    await ask('listDashboards', 'GET', `/api/v1/packages/${GETH}/dashboards`);
    await ask('getProvisioning', 'GET', '/api/v1/provisioning');
    await ask('setRetention', 'PUT', '/api/v1/retention', { rules: [{ olderThan: '90d', read: true }] });
    await ask('getRetention', 'GET', '/api/v1/retention');
    await ask('previewRetention', 'POST', '/api/v1/retention/preview', { maxNotifications: 1 });
    await ask('importArchive', 'POST', '/api/v1/archive', { notifications: [ARCHIVED] });
    await ask('status', 'GET', '/api/v1/status');
    await ask('ownManifest', 'GET', `/package-manifest/${GETH}`);
    await ask('prometheusTargets', 'GET', '/api/v1/prometheus/targets');
    await ask('listEndpoints', 'GET', '/api/v1/endpoints');
    await ask('packageEndpoints', 'GET', `/api/v1/packages/${GETH}/endpoints`);
    const user = fromGrafana('ada');
    await ask('setEndpoint', 'PATCH', `/api/v1/packages/${GETH}/endpoints/geth-peers`, { threshold: 20 }, user);
    await ask('setPackage', 'PATCH', `/api/v1/packages/${GETH}/settings`, { enabled: false }, user);
    await ask('listEndpoints', 'GET', '/api/v1/endpoints');
    const settings = await ask('exportSettings', 'GET', '/api/v1/settings');
    await ask('importSettings', 'POST', '/api/v1/settings', { settings });
    await ask('settingHistory', 'GET', '/api/v1/settings/history?limit=10');
    await ask('removePackage', 'DELETE', `/api/v1/packages/${GETH}`);
    await ask('fetchManifest', 'POST', '/api/v1/fetch', { url: `${published().bridge.url}/healthz` });
    for (const [operationId, path] of [
      ['openapi', '/api/v1/openapi.json'],
      ['schema', '/api/v1/schemas/problem.json'],
    ] as const) {
      await ask(operationId, 'GET', path);
      // fetch() would add Cache-Control: no-cache.
      const unchanged = await fetch(published().bridge.url + path, {
        headers: { 'If-None-Match': '*' },
        cache: 'force-cache',
      });
      check(operationId, { status: unchanged.status, headers: unchanged.headers, body: await unchanged.text() });
    }
    await ask('health', 'GET', '/healthz');
    await ask('ready', 'GET', '/readyz');
    await ask('metrics', 'GET', '/metrics');
    await ask('listAudit', 'GET', '/api/v1/audit');
    await ask('getReport', 'GET', '/api/v1/report');
    await ask('getReport', 'GET', '/api/v1/report?by=package&weeks=2');
    const rotating = await TestBridge.start({ adminToken: undefined });
    onTestFinished(() => rotating.dispose());
    const own = { Authorization: `Bearer ${readFileSync(join(rotating.dataDir, 'admin-token'), 'utf8').trim()}` };
    check('rotateAdminToken', await rotating.request('POST', '/api/v1/admin-token/rotate', undefined, own));
    check('getAdminToken', await rotating.request('GET', '/api/v1/admin-token', undefined, own));
    const hook = await startHook();
    onTestFinished(() => hook.close());
    hook.reject({ status: 400 });
    const folder = await Folder.make({
      'c.yaml': `apiVersion: 1\nchannels: [{ name: hook, type: webhook, url: '${hook.url}' }, { name: web, type: webpush, subject: 'mailto:a@example.org' }]\npeople: [{ login: ada, channels: [hook] }]\nschedules: [{ name: s, rotations: [{ people: [ada], every: 1w, from: '2026-01-05T09:00', hours: [{ from: '09:00', to: '17:00' }] }] }]\nroutes: [{ channels: [hook] }]`,
    });
    const { bridge: reaching } = await folder.start();
    await reaching.post(full);
    const undelivered = () => reaching.request('GET', '/api/v1/channels/undelivered');
    const entry = await vi.waitFor(async () => (await undelivered()).body.undelivered[0].id as number, 20_000);
    check('listChannels', await reaching.request('GET', '/api/v1/channels'));
    const override = { person: 'ada', from: '2026-01-05T09:00', to: '2199-01-05T09:00' };
    const overridden = await reaching.request('POST', '/api/v1/schedules/s/overrides', override);
    check('addOverride', overridden);
    check('listSchedules', await reaching.request('GET', '/api/v1/schedules?days=14'));
    check('removeOverride', await reaching.request('DELETE', `/api/v1/schedules/s/overrides/${overridden.body.id}`));
    check('getScheduleCalendar', await reaching.request('GET', '/api/v1/schedules/s/calendar'));
    check('listUndelivered', await undelivered());
    check('sendUndelivered', await reaching.request('POST', `/api/v1/channels/undelivered/${entry}/send`));
    check('testChannel', await reaching.request('POST', '/api/v1/channels/hook/test'));
    await checkPush(reaching);
    check('testRoutes', await reaching.request('POST', '/api/v1/routes/test', { priority: 'high' }));
    const channels = '/api/v1/channels';
    const ntfy = { type: 'ntfy', url: 'http://127.0.0.1:1', topic: 't' };
    check('addChannel', await reaching.request('POST', channels, { name: 'push', ...ntfy, token: 'x' }));
    check('listChannels', await reaching.request('GET', channels));
    check('changeChannel', await reaching.request('PUT', `${channels}/push`, { ...ntfy, disabled: true }));
    check('actionPage', await reaching.request('GET', '/act'));
    await checkActions();
    check('tryChannel', await reaching.request('POST', `${channels}/test`, { name: 'p', ...ntfy }));
    check('previewTemplates', await reaching.request('POST', `${channels}/preview`, { titleTemplate: '{{ title }}' }));
    check('findChats', await reaching.request('POST', `${channels}/chats`, { token: 'x', url: 'http://127.0.0.1:1' }));
    check('setRoutes', await reaching.request('PUT', '/api/v1/routes', { routes: [{ channels: ['push'] }] }));
    check('revokeActions', await reaching.request('DELETE', `${channels}/push/actions`));
    check('removeChannel', await reaching.request('DELETE', `${channels}/push`));
    hook.reject({ status: 400 }, { status: 400 });
    await reaching.post(full);
    const again = await vi.waitFor(async () => {
      // The channel backs off.
      reaching.clock.advance(1000);
      return (await undelivered()).body.undelivered[0].id as number;
    }, 20_000);
    check('discardUndelivered', await reaching.request('DELETE', `${channels}/undelivered/${again}`));
    check('sendAllUndelivered', await reaching.request('POST', `${channels}/undelivered/send`));
    check('discardAllUndelivered', await reaching.request('DELETE', `${channels}/undelivered`));
    const { bridge: keeper } = await startKeeper();
    const downloaded = await download(keeper);
    check('downloadBackup', downloaded);
    check('restoreBackup', await restore(keeper, downloaded.tarball));
    const { bridge: historian } = await startHistorian();
    check('endpointHistory', await historian.request('GET', HISTORY));
    check('listChains', await historian.request('GET', '/api/v1/chains'));
    check('chainHistory', await historian.request('GET', CHAIN_HISTORY));
    const events = await fetch(`${published().bridge.url}/api/v1/events`, {
      headers: published().bridge.authorization,
    });
    check('listenEvents', { status: events.status, headers: events.headers, body: '' });
    await events.body!.cancel();

    const promised = OPERATIONS.flatMap(({ id: operation, reply, also = [] }) =>
      [reply, ...also].map(({ status }) => `${operation} ${status}`)
    );
    expect([...checked].sort()).toEqual(promised.sort());
  });

  it.each<[string, number, string, string, unknown, Record<string, string>?]>([
    ['sendNotification', 400, 'POST', NOTIFICATIONS, {}],
    ['sendNotification', 415, 'POST', NOTIFICATIONS, {}, { 'Content-Type': 'text/plain' }],
    ['sendNotification', 413, 'POST', NOTIFICATIONS, { body: 'x'.repeat(1024 * 1024) }],
    ['sendBatch', 400, 'POST', `${NOTIFICATIONS}/batch`, {}],
    ['sendBatch', 413, 'POST', `${NOTIFICATIONS}/batch`, Array(1001).fill({})],
    ['sendBatch', 400, 'POST', `${NOTIFICATIONS}/batch`, { notifications: [{ title: 'T' }] }],
    ['listNotifications', 400, 'GET', `${NOTIFICATIONS}?limit=0`, undefined],
    ['listNotifications', 403, 'GET', NOTIFICATIONS, undefined, { Authorization: 'Bearer wrong' }],
    ['listFacets', 400, 'GET', `${NOTIFICATIONS}/facets?x=1`, undefined],
    ['listLabels', 400, 'GET', '/api/v1/labels?x=1', undefined],
    ['findOrigin', 400, 'GET', `${NOTIFICATIONS}/origin`, undefined],
    ['getNotification', 404, 'GET', `${NOTIFICATIONS}/999999`, undefined],
    ['getNotification', 400, 'GET', `${NOTIFICATIONS}/0`, undefined],
    ['getScheduleCalendar', 404, 'GET', '/api/v1/schedules/none/calendar', undefined],
    ['getNotificationText', 404, 'GET', `${NOTIFICATIONS}/999999/body`, undefined],
    ['getNotificationText', 400, 'GET', `${NOTIFICATIONS}/0/body`, undefined],
    ['patchNotification', 400, 'PATCH', `${NOTIFICATIONS}/1`, { seen: 'yes' }],
    ['resolveNotification', 404, 'POST', `${NOTIFICATIONS}/999999/resolve`, undefined],
    ['markThreadSeen', 404, 'PUT', `${NOTIFICATIONS}/no-such-thread/seen`, undefined],
    ['markSeen', 400, 'PUT', `${NOTIFICATIONS}/seen`, { seen: false }],
    ['resolveNotifications', 400, 'POST', `${NOTIFICATIONS}/resolve`, {}],
    ['deleteNotifications', 400, 'POST', `${NOTIFICATIONS}/delete`, {}],
    ['restoreNotifications', 410, 'POST', `${NOTIFICATIONS}/restore`, { undo: 'none' }],
    ['listenEvents', 400, 'GET', '/api/v1/events?lastEventId=x', undefined],
    ['switchCategory', 400, 'PUT', '/api/v1/categories/a', { enabled: 1 }],
    ['registerPackage', 400, 'POST', '/api/v1/packages', { manifest: {} }],
    ['previewPackage', 400, 'POST', '/api/v1/packages/preview', {}],
    ['previewPackage', 413, 'POST', '/api/v1/packages/preview', { manifest: 'x'.repeat(4 * 1024 * 1024) }],
    ['fetchManifest', 400, 'POST', '/api/v1/fetch', { url: 'http://10.0.0.1/' }],
    ['getPackage', 404, 'GET', '/api/v1/packages/none.eth', undefined],
    ['getPackageFiles', 404, 'GET', '/api/v1/package-files/none.eth', undefined],
    ['listDashboards', 404, 'GET', '/api/v1/packages/none.eth/dashboards', undefined],
    ['packageEndpoints', 404, 'GET', '/api/v1/packages/none.eth/endpoints', undefined],
    ['endpointHistory', 404, 'GET', '/api/v1/packages/none.eth/endpoints/x/history', undefined],
    ['endpointHistory', 400, 'GET', '/api/v1/packages/none.eth/endpoints/x/history?threshold=x', undefined],
    ['chainHistory', 404, 'GET', '/api/v1/chains/none.eth/history', undefined],
    ['setEndpoint', 404, 'PATCH', '/api/v1/packages/none.eth/endpoints/x', { enabled: true }],
    ['setEndpoint', 400, 'PATCH', '/api/v1/packages/none.eth/endpoints/x', { enabled: 'yes' }],
    ['setPackage', 404, 'PATCH', '/api/v1/packages/none.eth/settings', { enabled: true }],
    ['importSettings', 400, 'POST', '/api/v1/settings', { settings: 'a: [' }],
    ['settingHistory', 400, 'GET', '/api/v1/settings/history?limit=0', undefined],
    ['setPackage', 400, 'PATCH', '/api/v1/packages/none.eth/settings', {}],
    ['updatePackage', 404, 'PUT', '/api/v1/packages/none.eth', { manifest: {} }],
    ['removePackage', 404, 'DELETE', '/api/v1/packages/none.eth', undefined],
    ['ownManifest', 404, 'GET', '/package-manifest/none.eth', undefined],
    ['rotateToken', 404, 'POST', '/api/v1/tokens/none/rotate', undefined],
    ['rotateToken', 400, 'POST', '/api/v1/tokens/none/rotate', { graceHours: 721 }],
    ['rotateAdminToken', 409, 'POST', '/api/v1/admin-token/rotate', undefined],
    ['listAudit', 400, 'GET', '/api/v1/audit?limit=0', undefined],
    ['getReport', 400, 'GET', '/api/v1/report?to=yesterday', undefined],
    ['schema', 404, 'GET', '/api/v1/schemas/none.json', undefined],
  ])('%s, %i', async (operationId, status, method, path, body, headers) => {
    const answer = await published().bridge.request(method, path, body, headers);
    expect(answer.status).toBe(status);
    check(operationId, answer);
    expect(published().compiled('problem')(answer.body)).toBe(true);
  });

  it('events match their schemas', async () => {
    const listener = await Listener.connect(published().bridge, undefined, fromGrafana('anna'));
    const sent = await published().bridge.send({ callToAction: { title: 'Go', url: '/x' } });
    await published().bridge.request('PATCH', `${NOTIFICATIONS}/${sent.id}`, { seen: true }, fromGrafana('anna'));
    await published().bridge.restore(await published().bridge.remove(sent.id));
    await published().bridge.switchCategory('other', true);
    await register(published().bridge);
    await listener.until(8);
    await listener.close();
    const late = await Listener.connect(published().bridge, 999_999);
    await late.until(1);
    await late.close();
    const heard = [...listener.heard, ...late.heard];
    expect(heard.map(({ type }) => type)).toEqual([
      'hello',
      'notification',
      'read',
      'seen',
      'deleted',
      'restored',
      'settings',
      'packages',
      'reset',
    ]);
    for (const { type, data } of heard) {
      const validate = published().compiled(`event-${type}`);
      expect(validate(data), `${type}: ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });
});
