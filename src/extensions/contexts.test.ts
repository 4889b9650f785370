import { expect, it } from 'vitest';
import { readAlert, readPanel } from './contexts';

const LABELS = { alertname: 'DiskFull', instance: 'a', __alert_rule_uid__: 'x' };

it('reads an instance of an alert, in the shapes of older and newer Grafana', () => {
  const known = { labels: ['alertname=DiskFull', 'instance=a'], name: 'DiskFull' };
  const activeAt = '2026-11-21T10:00:00Z';
  const whole = { instance: { labels: LABELS, activeAt, state: 'Alerting' }, rule: { name: 'Disk', promRule: {} } };
  expect(readAlert(whole)).toEqual({ ...known, since: Date.parse(activeAt) });
  const flat = { instance: { labels: LABELS, activeAt: '' }, rule: { name: 'Disk', uid: 'x' } };
  expect(readAlert(flat)).toEqual({ ...known, since: undefined });
  expect(
    readAlert({ instance: { labels: { a: 'b' }, activeAt: '0001-01-01T00:00:00Z' }, rule: { name: 'R' } })
  ).toEqual({
    labels: ['a=b'],
    name: 'R',
    since: undefined,
  });
});

it.each([undefined, {}, { instance: null }, { instance: { labels: {} } }, { instance: { labels: { __a__: 'b' } } }])(
  'knows no alert in %j',
  (context) => expect(readAlert(context)).toBeUndefined()
);

const TARGET = { refId: 'A', expr: 'up' };
const SENT = { ...TARGET, datasource: { uid: 'prom', type: 'prometheus' } };
const PANEL = { id: 4, title: 'Disk', dashboard: { uid: 'node', title: 'Node', tags: [] }, targets: [TARGET] };

it('reads a panel, with the queries as they were sent where it has them', () => {
  const known = { dashboardUid: 'node', panelId: 4, title: 'Disk', scopedVars: undefined };
  expect(readPanel(PANEL)).toEqual({ ...known, targets: [TARGET] });
  expect(readPanel({ ...PANEL, data: { request: { targets: [SENT] } } })).toEqual({ ...known, targets: [SENT] });
  expect(readPanel({ ...PANEL, data: { request: { targets: [] } }, scopedVars: { a: {} } })).toEqual({
    ...known,
    targets: [TARGET],
    scopedVars: { a: {} },
  });
  expect(readPanel({ ...PANEL, targets: undefined })).toEqual({ ...known, targets: [] });
});

it.each([undefined, {}, { ...PANEL, id: 0 }, { ...PANEL, id: '4' }, { ...PANEL, dashboard: { uid: '' } }])(
  'knows no panel in %j',
  (context) => expect(readPanel(context)).toBeUndefined()
);
