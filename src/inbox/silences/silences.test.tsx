import { config, type DataSourceSrv, setDataSourceSrv } from '@grafana/runtime';
import type { Notification, NotificationDetail } from '@nodebell/contract/notification.ts';
import { NODEBELL, type Silence } from '@nodebell/contract/silence.ts';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
// eslint-disable-next-line no-restricted-imports -- a fake of Grafana, which recorded responses hold
import { FakeAlertmanager } from '../../../backend-bridge/src/monitoring/silences/fakeAlertmanager.testing.ts';
import { fireEvent, httpError, render, screen, serveBridge, signIn, within } from '../../component.testing';
import * as queryClient from '../../api/queryClient';
import { Row } from '../list/Row';
import { aNotification } from '../inbox.testing';
import { SilenceButton } from './SilenceButton';

const OWN = ['inbox:read', 'inbox:seen', 'inbox:write'].map((action) => `nodebell-notifications-app.${action}`);
const GRAFANA = ['alert.instances:create', 'alert.instances.external:write'];
const LABELS = { alertname: 'DiskFull', instance: 'node1' };
const RULE = { __alert_rule_uid__: 'rule1' };
const SILENCE_URL = 'http://localhost:3000/alerting/silence/new?alertmanager=grafana&orgId=1';
const AM = 'http://am:9093/';
const HOUR = 3_600_000;

let grafana: FakeAlertmanager;
/** Requests to the bridge that change something. */
let sent: unknown[];
/** Whether Grafana is around the page. */
let isThere: boolean;
let bridgeIsDown: boolean;
/** Silences of the bridge's own Alertmanager. */
let inBridge: Silence[];
beforeEach(() => {
  signIn([...OWN, ...GRAFANA]);
  Object.assign(config, { appUrl: 'http://localhost:3000/' });
  Object.assign(config.bootData.user, { orgId: 1, login: 'anna' });
  const list = [{ uid: 'am1', name: 'Alertmanager' }];
  setDataSourceSrv({ getList: () => list } as unknown as DataSourceSrv);
  grafana = new FakeAlertmanager();
  grafana.alerts['grafana']!.set('print', { ...LABELS, ...RULE });
  sent = [];
  isThere = true;
  bridgeIsDown = false;
  inBridge = [];
  serveBridge((path, { method = 'GET', data }) => {
    if (path.startsWith('/api/')) {
      const [status, body] = isThere
        ? grafana.request(method, path, data === undefined ? undefined : JSON.stringify(data))
        : [404, {}];
      if (status > 299) {
        throw httpError(status, (body as { message?: string }).message);
      }
      return body;
    }
    if (bridgeIsDown) {
      throw httpError(502);
    }
    if (method !== 'GET') {
      sent.push([method, path, data]);
    }
    if (path === '/silences?alertmanager=nodebell') {
      return { alertmanagers: [{ id: NODEBELL, name: 'Nodebell' }], silences: inBridge };
    }
    return path === '/silences' ? { alertmanagers: [], silences: [], reason: 'No service account.' } : { alerts: 3 };
  });
});

const aRow = (more: object = {}) => aNotification({ id: 1, source: 'grafana', correlationId: 'print', ...more });
function aDetail(more: Partial<NotificationDetail> = {}): NotificationDetail {
  const row = aRow(more);
  return { ...row, members: [row], alert: { labels: LABELS, ruleUid: 'rule1', silenceUrl: SILENCE_URL }, ...more };
}
const show = (detail = aDetail(), path = '/inbox?id=1') =>
  render(
    <MemoryRouter initialEntries={[path]}>
      <SilenceButton detail={detail} disabled={false} />
      <Query />
    </MemoryRouter>
  );
const ROW = { threads: true, now: Date.now(), open: false, selected: false, selecting: false, onSelect: vi.fn() };
const showRow = (notification: Notification) => render(<Row notification={notification} {...ROW} />);
const Query = () => <output>{useLocation().search}</output>;
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const click = async (name: string | RegExp) => fireEvent.click(await button(name));

/** Somebody silences it in Grafana. */
function silenced(more: object = {}, uid = 'grafana'): string {
  const until = new Date(Date.now() + 2 * HOUR).toISOString();
  const body = {
    matchers: [{ name: 'instance', value: 'node1', isRegex: false, isEqual: true }],
    startsAt: new Date().toISOString(),
    endsAt: until,
    createdBy: 'ops',
    comment: 'upgrade',
    ...more,
  };
  grafana.request('POST', `/api/alertmanager/${uid}/api/v2/silences`, JSON.stringify(body));
  return until;
}
const stored = (uid = 'grafana') => [...grafana.silences[uid]!.values()];

it('silences an alert of Grafana with the permissions of the user, and records it', async () => {
  show();
  await click('Silence');
  const dialog = within(await screen.findByRole('dialog', { name: 'Silence at the source' }));
  expect((await dialog.findByText(/^Covers/)).textContent).toBe('Covers 1 firing alert now');
  const groups = dialog.getAllByRole('group').map((group) => group.getAttribute('aria-label'));
  expect(groups.filter((name) => name !== null)).toEqual(['__alert_rule_uid__', 'alertname', 'instance']);
  fireEvent.click(dialog.getByRole('button', { name: 'Remove alertname' }));
  const instance = within(dialog.getByRole('group', { name: 'instance' }));
  fireEvent.change(instance.getByRole('textbox', { name: 'Value' }), { target: { value: 'node2' } });
  expect(await dialog.findByText('Covers 0 firing alerts now')).toBeDefined();
  fireEvent.click(dialog.getByRole('radio', { name: '4 hours' }));
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: /^Silence until/ });
  expect(submit.disabled).toBe(true);
  fireEvent.change(dialog.getByRole('textbox', { name: /Comment/ }), { target: { value: ' New disk ' } });
  fireEvent.click(submit);
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const matchers = [
    { name: '__alert_rule_uid__', value: 'rule1', isRegex: false, isEqual: true },
    { name: 'instance', value: 'node2', isRegex: false, isEqual: true },
  ];
  expect(stored()).toMatchObject([{ createdBy: 'anna', comment: 'New disk', matchers }]);
  const { id, endsAt, startsAt } = stored()[0]!;
  expect(Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / HOUR)).toBe(4);
  const recorded = { alertmanager: 'grafana', silence: id, until: endsAt, comment: 'New disk', matchers };
  expect(sent).toEqual([['POST', '/notifications/1/silences/record', recorded]]);
});

it('a link opens it for all alerts of the rule, once', async () => {
  grafana.alerts['grafana']!.set('other', { ...LABELS, ...RULE, instance: 'node2' });
  show(aDetail(), '/inbox?tab=open&id=1&silence=rule');
  const dialog = within(await screen.findByRole('dialog', { name: 'Silence at the source' }));
  expect((await dialog.findByText(/^Covers/)).textContent).toBe('Covers 2 firing alerts now');
  const names = ['__alert_rule_uid__', 'alertname'];
  expect(dialog.getAllByRole('button', { name: /^Remove/ }).map((one) => one.getAttribute('aria-label'))).toEqual(
    names.map((name) => `Remove ${name}`)
  );
  await click('Cancel');
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('status').textContent).toBe('?tab=open&id=1');
});

it('shows on the row what somebody else silenced, extends it and ends it', async () => {
  const until = silenced();
  const { unmount } = showRow(aRow());
  expect(await screen.findByText(/^Silenced by ops until .*: upgrade$/)).toBeDefined();
  unmount();
  show();
  await click(/^Silenced until/);
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Extend by an hour' }));
  const extended = new Date(Date.parse(until) + HOUR).toISOString();
  await vi.waitFor(() => expect(stored()).toMatchObject([{ endsAt: extended, comment: 'upgrade' }]));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  await click(/^Silenced until/);
  fireEvent.click(await screen.findByRole('menuitem', { name: 'End silence' }));
  expect(await button('Silence')).toBeDefined();
  expect(sent).toMatchObject([
    ['POST', '/notifications/1/silences/record', { until: extended }],
    ['POST', '/notifications/1/silences/record', { until: null }],
  ]);
});

it('an alert of an Alertmanager is silenced in the data source where it fires', async () => {
  grafana.alerts['am1']!.set('other', { alertname: 'Down' });
  show(
    aDetail({
      source: 'alertmanager',
      correlationId: 'other',
      alert: { labels: { alertname: 'Down' }, alertmanagerUrl: AM },
    })
  );
  await click('Silence');
  fireEvent.change(await screen.findByRole('textbox', { name: /Comment/ }), { target: { value: 'x' } });
  await click(/^Silence until/);
  await vi.waitFor(() => expect(stored('am1')).toHaveLength(1));
  expect(stored()).toEqual([]);
});

it('an alert sent to the bridge as an Alertmanager is silenced in the bridge', async () => {
  const alert = { labels: { alertname: 'Down' }, receiver: 'nodebell' };
  show(aDetail({ source: 'alertmanager', correlationId: 'other', alert }));
  await click('Silence');
  expect(await screen.findByText('Covers 3 firing alerts now')).toBeDefined();
  fireEvent.change(await screen.findByRole('textbox', { name: /Comment/ }), { target: { value: 'x' } });
  await click(/^Silence until/);
  const wanted = { alertmanager: 'nodebell', comment: 'x' };
  await vi.waitFor(() => expect(sent.at(-1)).toMatchObject(['POST', '/notifications/1/silences', wanted]));
  expect([...stored(), ...stored('am1')]).toEqual([]);
});

it('an alert silenced in the bridge is shown as silenced', async () => {
  const until = new Date(Date.now() + HOUR).toISOString();
  const more = { matchers: [], alerts: [{ correlationId: 'other' }], startsAt: new Date().toISOString() };
  inBridge = [{ id: 's', alertmanager: 'nodebell', by: 'ops', comment: 'upgrade', until, state: 'active', ...more }];
  showRow(aRow({ source: 'alertmanager', correlationId: 'other' }));
  expect(await screen.findByText(/^Silenced by ops until .*: upgrade$/)).toBeDefined();
});

it.each<[string, RegExp, () => NotificationDetail]>([
  [
    'the permission is missing',
    /permission to create silences in Grafana/,
    () => {
      signIn(OWN);
      return aDetail();
    },
  ],
  [
    'it is of another Grafana',
    /another Grafana/,
    () => aDetail({ alert: { labels: LABELS, silenceUrl: 'https://other.example/alerting/silence/new?orgId=1' } }),
  ],
  [
    'Grafana does not know the Alertmanager',
    /data source of the type Alertmanager/,
    () => {
      setDataSourceSrv({ getList: () => [] } as unknown as DataSourceSrv);
      return aDetail({ source: 'alertmanager', alert: { labels: LABELS, alertmanagerUrl: 'http://am:9093/' } });
    },
  ],
  [
    'Grafana does not respond',
    /not now/,
    () => {
      grafana.status = 500;
      return aDetail();
    },
  ],
  [
    'there is neither a Grafana nor a service account',
    /No service account/,
    () => {
      isThere = false;
      return aDetail();
    },
  ],
])('says why it cannot be silenced: %s', async (_, reason, prepare) => {
  show(prepare());
  await click('Silence');
  expect(await screen.findByText('This alert cannot be silenced from here')).toBeDefined();
  expect(screen.getByText(reason)).toBeDefined();
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('says that a silence could not be recorded; it stays', async () => {
  const shown = vi.spyOn(queryClient, 'showFailure').mockReturnValue();
  bridgeIsDown = true;
  show();
  await click('Silence');
  fireEvent.change(await screen.findByRole('textbox', { name: /Comment/ }), { target: { value: 'x' } });
  await click(/^Silence until/);
  await vi.waitFor(() => expect(shown).toHaveBeenCalledTimes(1));
  expect(shown.mock.calls[0]![0]).toBe('Done in Grafana, but not recorded in the inbox');
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(stored()).toHaveLength(1);
});

it('offers nothing for notifications of other senders', () => {
  show(aDetail({ source: 'api' }), '/?silence=rule');
  expect([screen.queryByRole('button'), screen.queryByRole('dialog')]).toEqual([null, null]);
});

it('who may not write to the inbox silences in Grafana, without a record', async () => {
  signIn([...OWN.slice(0, 2), 'alert.silences:create']);
  show();
  await click('Silence');
  fireEvent.change(await screen.findByRole('textbox', { name: /Comment/ }), { target: { value: 'x' } });
  await click(/^Silence until/);
  await vi.waitFor(() => expect(stored()).toHaveLength(1));
  expect(sent).toEqual([]);
});
