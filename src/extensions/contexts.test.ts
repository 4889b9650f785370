import { expect, it } from 'vitest';
import { readOnly } from '../../standalone/host/readOnly.ts';
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

/** The members of a context frozen, as a store of Grafana's keeps them, in the proxy that Grafana passes. */
function passed<T extends object>(context: T): T {
  const freeze = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      Object.values(Object.freeze(value)).forEach(freeze);
    }
  };
  Object.values(context).forEach(freeze);
  return readOnly(context);
}

it('reads frozen objects through the proxies that Grafana 12.4 passes', () => {
  const alert = { instance: { labels: LABELS, activeAt: '2026-11-21T10:00:00Z' }, rule: { name: 'Disk' } };
  expect(() => passed(structuredClone(alert)).instance.labels).toThrow(TypeError);
  expect(readAlert(passed(structuredClone(alert)))).toEqual(readAlert(alert));
  const panel = { ...PANEL, data: { request: { targets: [SENT] } }, scopedVars: { a: { value: 1 } } };
  expect(() => passed(structuredClone(panel)).data.request).toThrow(TypeError);
  expect(readPanel(passed(structuredClone(panel)))).toEqual(readPanel(panel));
});

it('reads members that are getters', () => {
  const labels = { alertname: 'DiskFull' };
  class Instance {
    get labels() {
      return labels;
    }
  }
  expect(readAlert(readOnly({ instance: new Instance() }))?.labels).toEqual(['alertname=DiskFull']);
});
