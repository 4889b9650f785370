import { config, setBackendSrv, type BackendSrv, type BackendSrvRequest } from '@grafana/runtime';
import type { NotificationDetail, SourceAlert } from '@nodebell/contract/notification.ts';
import { of, throwError } from 'rxjs';
import { beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, httpError, render, screen, serveQueries, signIn } from '../../component.testing';
import { aNotification, timeOf } from '../inbox.testing';
import { AlertContext } from './AlertContext';

const GRAFANA = 'https://grafana.example/';
const LABELS = {
  ...{ instance: 'node-1', alertname: 'DiskFull', grafana_folder: 'Hardware', severity: 'error', team: 'nobody knows' },
  __alert_rule_uid__: 'rule-1',
};
const RULE = {
  grafana_alert: {
    ...{ uid: 'rule-1', title: 'Disk', version: 1, updated: timeOf(0), intervalSeconds: 60 },
    data: [
      { refId: 'A', datasourceUid: 'prom', model: { expr: 'disk', instant: true } },
      { refId: 'B', datasourceUid: '__expr__', model: { type: 'threshold', expression: 'A' } },
    ],
  },
};
const seconds = (minute: number) => Date.parse(timeOf(minute));
const frame = (labels: object, values: number[]) => ({
  schema: { fields: [{ type: 'time' }, { type: 'number', labels }] },
  data: { values: [values.map((_, index) => seconds(index)), values] },
});

/** Requests to Grafana. */
let asked: BackendSrvRequest[];
let responses: Record<string, unknown>;
beforeEach(() => {
  signIn([]);
  config.appUrl = GRAFANA;
  asked = [];
  responses = {};
  const fetch = (request: BackendSrvRequest) => {
    asked.push(request);
    const data = responses[request.url];
    return data === undefined ? throwError(() => httpError(403)) : of({ data, status: 200 });
  };
  setBackendSrv({ fetch } as unknown as BackendSrv);
  serveQueries();
});

function renderContext(alert: Partial<SourceAlert> = {}, more: Partial<NotificationDetail> = {}) {
  const notification = aNotification({ id: 1, title: 'Disk of node-1 is full', priority: 'high', source: 'grafana' });
  const detail = { ...notification, members: [notification], ...more };
  const onShowOnly = vi.fn();
  const whole = { labels: LABELS, startsAt: timeOf(1), ...alert };
  render(<AlertContext {...{ detail, onShowOnly }} alert={whole} now={seconds(5)} />);
  return onShowOnly;
}

const links = () => screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);

it('labels filter the list by what stands for them, or by a search that finds this notification', () => {
  const onShowOnly = renderContext();
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(items).toEqual([
    ...['alertname=DiskFull', 'grafana_folder=Hardware', 'instance=node-1', 'severity=error', 'team=nobody knows'],
  ]);
  for (const button of screen.getAllByRole('button')) {
    fireEvent.click(button);
  }
  expect(onShowOnly.mock.calls.flat()).toEqual([
    { categories: ['hardware'] },
    { q: 'node-1' },
    { priorities: ['high'] },
  ]);
});

it('labels that are stored are added to the matchers', () => {
  const onShowOnly = renderContext({}, { labels: { instance: 'node-1', team: 'nobody knows' } });
  fireEvent.click(screen.getByRole('button', { name: 'team=nobody knows' }));
  fireEvent.click(screen.getByRole('button', { name: 'instance=node-1' }));
  expect(onShowOnly.mock.calls.flat()).toEqual([
    { label: ['team', 'nobody knows'] },
    { label: ['instance', 'node-1'] },
  ]);
});

it('shows many labels on request', () => {
  const labels = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`label${index}`, 'x']));
  renderContext({ labels });
  expect(screen.getAllByText(/^label/)).toHaveLength(12);
  fireEvent.click(screen.getByRole('button', { name: '28 more' }));
  expect(screen.getAllByText(/^label/)).toHaveLength(40);
});

it('links only to what exists, and not twice', () => {
  renderContext({ runbookUrl: 'https://wiki.example/disk' });
  expect(links()).toEqual([['Runbook', 'https://wiki.example/disk']]);
});

it('links to the panel, its picture and the rule, but not to where the button leads', () => {
  const panelUrl = `${GRAFANA}d/host?viewPanel=4`;
  renderContext(
    {
      panelUrl,
      dashboardUrl: `${GRAFANA}d/host`,
      imageUrl: 'https://images.example/1.png',
      ruleUrl: `${GRAFANA}alerting/x`,
    },
    { callToAction: { title: 'Open panel', url: panelUrl } }
  );
  expect(links().map(([text]) => text)).toEqual(['Dashboard', 'Panel image', 'Alert rule']);
});

const OWN = { ruleUid: 'rule-1', ruleUrl: `${GRAFANA}alerting/grafana/rule-1/view` };
const RULE_URL = '/api/ruler/grafana/api/v1/rule/rule-1';
/** Requests of Grafana's data source of expressions. */
const QUERY_URL = '/api/ds/query?ds_type=__expr__';

it('shows the values of the rule around the alert: only its own series, with the permissions of the user', async () => {
  signIn(['datasources:explore']);
  responses[RULE_URL] = RULE;
  responses[QUERY_URL] = {
    results: { A: { frames: [frame({ instance: 'node-2' }, [7, 8]), frame({ instance: 'node-1' }, [1, 3, 2])] } },
  };
  renderContext({ ...OWN, values: { A: 2.5, B: 1 } });
  expect(await screen.findByText(/lowest 1, highest 3, last 2$/)).toBeDefined();
  expect(screen.getByText('A = 2.5')).toBeDefined();
  const { queries, from } = asked[1]!.data as { queries: object[]; from: string };
  expect(queries).toEqual([
    expect.objectContaining({
      ...{ refId: 'A', expr: 'disk', instant: false, range: true },
      datasource: { type: 'prom', uid: 'prom' },
    }),
  ]);
  expect(Number(from)).toBe(seconds(1) - 3_600_000);
  const explore = links().find(([text]) => text === 'Explore')?.[1];
  expect(decodeURIComponent(explore ?? '')).toContain('"expr":"disk"');
});

const threshold = (expression: string, more: object = {}) => ({
  ...{ refId: 'C', datasourceUid: '__expr__' },
  model: { type: 'threshold', expression, conditions: [{ evaluator: { type: 'gt', params: [2.5, 0] } }], ...more },
});
const reduced = (reducer: string) => ({
  ...{ refId: 'B', datasourceUid: '__expr__' },
  model: { type: 'reduce', expression: 'A', reducer },
});
const WITHIN = { conditions: [{ evaluator: { type: 'within_range', params: [1, 4] } }] };

it.each<[string, object[], string]>([
  ['of the query', [threshold('A')], ', threshold 2.5'],
  ['of its reduced values', [reduced('mean'), threshold('$B')], ', threshold 2.5'],
  ['a range', [reduced('last'), threshold('B', WITHIN)], ', threshold 1 – 4'],
  ['none, where a number of another kind is compared', [reduced('count'), threshold('B')], ''],
  ['none, where another query is compared', [threshold('D')], ''],
])('the graph has the threshold: %s', async (_, expressions, text) => {
  const { data } = RULE.grafana_alert;
  const rule = { ...RULE.grafana_alert, condition: 'C', data: [data[0], ...expressions] };
  responses[RULE_URL] = { grafana_alert: rule };
  responses[QUERY_URL] = { results: { A: { frames: [frame({}, [1, 3, 2])] } } };
  renderContext(OWN);
  expect((await screen.findByText(/lowest 1, highest 3/)).textContent).toMatch(new RegExp(`last 2${text}$`));
  const lines = (text.match(/\d+(\.\d)?/g) ?? []).length;
  expect(document.querySelectorAll('figure svg path')).toHaveLength(1 + lines);
});

it.each([
  ['the user may not see the rule', OWN, {}, [RULE_URL]],
  ['the user may not query the data source', OWN, { [RULE_URL]: RULE }, [RULE_URL, QUERY_URL]],
  ['the rule is of another Grafana', { ...OWN, ruleUrl: 'https://other.example/alerting/grafana/rule-1/view' }, {}, []],
])('shows no graph and no error where %s', async (_, alert, given, urls) => {
  responses = given;
  renderContext(alert);
  await vi.waitFor(() => expect(asked.map(({ url }) => url)).toEqual(urls));
  expect(document.querySelector('figure')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(links().map(([text]) => text)).toEqual(['Alert rule']);
});
