/** From an alert, a rule or a panel of Grafana to its notification. */
import { beforeEach, expect, it } from 'vitest';
import { NOTIFICATIONS, START, useBridge } from './support.ts';

const bridge = useBridge();

const GRAFANA = 'https://grafana.example';
const alert = (name: string, labels: Record<string, string> = {}, more: object = {}) => ({
  status: 'firing',
  labels: { alertname: name, grafana_folder: 'Nodes', ...labels },
  annotations: { summary: name },
  startsAt: new Date(START).toISOString(),
  endsAt: '0001-01-01T00:00:00Z',
  fingerprint: `${name}-${JSON.stringify(labels)}`,
  ...more,
});

const receive = (monitor: 'grafana' | 'alertmanager', ...alerts: object[]) =>
  bridge().call('POST', `/api/v1/webhooks/${monitor}`, { version: '1', status: 'firing', alerts });

function pathOf(query: Record<string, string | string[]>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    [value].flat().forEach((one) => search.append(name, one));
  }
  return `${NOTIFICATIONS}/origin?${search.toString()}`;
}
const origin = (query: Record<string, string | string[]>) => bridge().call('GET', pathOf(query));
const statusOf = async (query: Record<string, string | string[]>): Promise<number> =>
  (await bridge().request('GET', pathOf(query))).status;
const titleOf = async (query: Record<string, string | string[]>): Promise<string | undefined> =>
  (await origin(query)).notification?.title;

beforeEach(() => bridge().clear());

it('finds an alert by all its labels, except internal ones', async () => {
  await receive('grafana', alert('DiskFull', { instance: 'a' }), alert('DiskFull'), alert('Hot', { instance: 'a' }));
  const named = ['alertname=DiskFull', 'grafana_folder=Nodes'];
  expect(await titleOf({ label: [...named, 'instance=a', '__alert_rule_uid__=x'] })).toBe('DiskFull');
  const found = async (label: string[]) => (await origin({ label })).notification?.correlationId;
  expect(await found([...named, 'instance=a'])).toBe('DiskFull-{"instance":"a"}');
  expect(await found(named)).toBe('DiskFull-{}');
  expect(await found([...named, 'instance=b'])).toBeUndefined();
  expect(await found(['alertname=DiskFull'])).toBeUndefined();
  expect(await found(['__alert_rule_uid__=x'])).toBeUndefined();
});

it('finds labels with quotes, wildcards, equals signs and other scripts', async () => {
  const odd = { mount: '/data "x" 100%_\\', query: 'up{job="a"}==0', ort: 'Köln' };
  await receive('grafana', alert('Odd', odd), alert('Odd', { ...odd, mount: '/data "x" 100__\\' }));
  const label = Object.entries({ alertname: 'Odd', grafana_folder: 'Nodes', ...odd }).map(([k, v]) => `${k}=${v}`);
  expect((await origin({ label })).notification.correlationId).toBe(`Odd-${JSON.stringify(odd)}`);
});

it('allows additional labels of Alertmanager', async () => {
  await receive('alertmanager', alert('Behind', { instance: 'a', cluster: 'home' }));
  expect(await titleOf({ label: ['alertname=Behind', 'instance=a'] })).toBe('Behind');
  expect(await titleOf({ label: ['alertname=Behind', 'instance=b'] })).toBeUndefined();
});

it('finds a rule that could not be evaluated', async () => {
  const failed = { rulename: 'DiskFull', instance: 'a', ref_id: 'A', datasource_uid: 'prom' };
  await receive('grafana', alert('DatasourceNoData', failed));
  expect(await titleOf({ label: ['alertname=DiskFull', 'grafana_folder=Nodes', 'instance=a'] })).toBe(
    'No data: DiskFull'
  );
});

it('finds a panel by its link, even if the notification has another link', async () => {
  const panelURL = `${GRAFANA}/d/node-1/overview?orgId=1&viewPanel=4`;
  const annotations = { summary: 'Elsewhere', callToActionUrl: 'https://runbook.example' };
  await receive('grafana', alert('One', {}, { panelURL }));
  expect(await titleOf({ panel: 'node-1/4' })).toBe('One');
  await receive('grafana', alert('Two', {}, { panelURL: panelURL.replace('4', 'panel-4'), annotations }));
  expect(await titleOf({ panel: 'node-1/4' })).toBe('Elsewhere');
  expect(await titleOf({ panel: 'node-1/44' })).toBeUndefined();
  expect(await titleOf({ panel: 'node/4' })).toBeUndefined();
});

it('finds rules by uid, from the member or from the link to the rule', async () => {
  await receive('grafana', alert('Three', {}, { ruleUID: 'rule-1' }));
  await receive('grafana', alert('Four', {}, { generatorURL: `${GRAFANA}/alerting/grafana/rule-2/view?orgId=1` }));
  expect(await titleOf({ ruleUid: 'rule-1' })).toBe('Three');
  expect(await titleOf({ ruleUid: ['rule-1', 'rule-2'] })).toBe('Four');
  expect(await titleOf({ ruleUid: 'rule' })).toBeUndefined();
});

it('finds an alert by its fingerprint', async () => {
  await receive(
    'grafana',
    alert('DiskFull', { instance: 'a', correlationId: 'disks' }, { fingerprint: 'c6eadffa33fcdf37' })
  );
  await receive('alertmanager', alert('Behind', {}, { fingerprint: 'a1%' }));
  expect(await titleOf({ fingerprint: 'c6eadffa33fcdf37' })).toBe('DiskFull');
  expect(await titleOf({ fingerprint: 'a1%' })).toBe('Behind');
  expect(await titleOf({ fingerprint: 'c6eadffa33fcdf3' })).toBeUndefined();
  expect(await statusOf({ fingerprint: '' })).toBe(400);
});

it('finds the alerts of a rule that have the labels, and others', async () => {
  const own = { grafana_folder: 'Nodes', severity: 'high' };
  await receive('grafana', alert('Three', { ...own, instance: 'a', device: '/dev/sda' }, { ruleUID: 'rule-1' }));
  await receive('grafana', alert('Four', { ...own, instance: 'b', device: '/dev/sda' }, { ruleUID: 'rule-1' }));
  await receive('grafana', alert('Five', { ...own, instance: 'a', device: '/dev/sda' }, { ruleUID: 'rule-2' }));
  const has = ['device=/dev/sda', '__alert_rule_uid__=rule-1'];
  expect(await titleOf({ ruleUid: 'rule-1', has })).toBe('Four');
  expect(await titleOf({ ruleUid: 'rule-1', has: [...has, 'instance=a'] })).toBe('Three');
  expect(await titleOf({ ruleUid: 'rule-1', has: [...has, 'instance=c'] })).toBeUndefined();
  expect(await titleOf({ ruleUid: 'rule-1', has: ['device=b', 'instance=/dev/sda'] })).toBeUndefined();
  expect(await statusOf({ has })).toBe(400);
  expect(await statusOf({ ruleUid: 'rule-1', has: 'instance' })).toBe(400);
});

it('serves what is known of the alert with its notification, also once its thread was resolved by hand', async () => {
  const links = {
    ...{ generatorURL: `${GRAFANA}/alerting/grafana/rule-1/view?orgId=1`, panelURL: `${GRAFANA}/d/node-1?viewPanel=4` },
    ...{ dashboardURL: '', imageURL: 'javascript:alert(1)', values: { A: 2.5, B: null, C: 'x' } },
    annotations: { summary: 'Full', runbook_url: 'https://runbook.example/disk' },
  };
  await receive('grafana', alert('MemoryFull', { instance: 'a' }, links));
  const [row] = await bridge().list();
  const shown = {
    labels: { alertname: 'MemoryFull', grafana_folder: 'Nodes', instance: 'a' },
    startsAt: new Date(START).toISOString(),
    values: { A: 2.5 },
    ruleUid: 'rule-1',
    ...{ ruleUrl: links.generatorURL, panelUrl: links.panelURL, runbookUrl: links.annotations.runbook_url },
  };
  expect((await bridge().call('GET', `${NOTIFICATIONS}/${row!.id}`)).alert).toEqual(shown);
  const { id } = await bridge().call('POST', `${NOTIFICATIONS}/${row!.id}/resolve`);
  expect((await bridge().call('GET', `${NOTIFICATIONS}/${id}`)).alert).toEqual(shown);
  await receive('alertmanager', alert('Hot', {}, { startsAt: '0001-01-01T00:00:00Z' }));
  const [hot] = await bridge().list();
  expect((await bridge().call('GET', `${NOTIFICATIONS}/${hot!.id}`)).alert).toEqual({
    labels: { alertname: 'Hot', grafana_folder: 'Nodes' },
  });
  const { id: byHand } = await bridge().send({ title: 'By hand', alert: { labels: {} } });
  expect((await bridge().call('GET', `${NOTIFICATIONS}/${byHand}`)).alert).toBeUndefined();
});

it('ignores notifications that were sent by hand', async () => {
  const callToAction = { title: 'Open', url: `${GRAFANA}/d/node-1?viewPanel=4` };
  await bridge().send({ title: 'By hand', body: 'x', callToAction, alert: { labels: { alertname: 'DiskFull' } } });
  expect(await origin({ panel: 'node-1/4', label: 'alertname=DiskFull' })).toMatchObject({ notification: null });
});
