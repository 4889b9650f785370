import { expect, it } from 'vitest';
import { ALERT_URL_TEMPLATE } from '@nodebell/contract/inboxLink.ts';
import type { PanelContext } from './contexts';
import { newRulePath } from './newRule';

const PANEL: PanelContext = {
  dashboardUid: 'node',
  panelId: 4,
  title: 'Disk & co',
  targets: [],
  scopedVars: undefined,
};
const ask = (refId: string, datasourceUid = 'prom') => ({ query: { refId, expr: 'up', hide: true }, datasourceUid });

interface Defaults {
  name: string;
  condition?: string;
  queries?: Array<{ refId: string; datasourceUid: string; relativeTimeRange?: object; model: Record<string, unknown> }>;
  annotations: Array<{ key: string; value: string }>;
  manualRouting?: boolean;
  contactPoints?: Record<string, { selectedContactPoint: string }>;
}
function defaultsOf(path: string): Defaults {
  const { pathname, searchParams } = new URL(path, 'http://grafana.example');
  expect(pathname).toBe('/alerting/new');
  return JSON.parse(searchParams.get('defaults')!) as Defaults;
}

it('names the panel, so that alerts of the rule lead back to it', () => {
  const { name, annotations, ...rest } = defaultsOf(newRulePath(PANEL, [], undefined));
  expect(name).toBe('Disk & co');
  expect(annotations).toEqual([
    { key: '__dashboardUid__', value: 'node' },
    { key: '__panelId__', value: '4' },
    { key: 'inbox_url', value: ALERT_URL_TEMPLATE },
  ]);
  expect(rest).toEqual({});
});

it('survives links that decode their URL', () => {
  const { name, annotations } = defaultsOf(
    decodeURIComponent(newRulePath({ ...PANEL, title: '#1 & 50 % +' }, [], 'x'))
  );
  expect([name, annotations[2]!.value]).toEqual(['#1 & 50 % +', ALERT_URL_TEMPLATE]);
});

it('compares the last query with a threshold, under letters that are free', () => {
  const { queries, condition } = defaultsOf(newRulePath(PANEL, [ask('A'), ask('C')], undefined));
  expect(queries!.map(({ refId, datasourceUid }) => [refId, datasourceUid])).toEqual([
    ['A', 'prom'],
    ['C', 'prom'],
    ['B', '__expr__'],
    ['D', '__expr__'],
  ]);
  expect(queries![0]!.model).toMatchObject({ expr: 'up', hide: false });
  expect(queries![0]!.relativeTimeRange).toEqual({ from: 600, to: 0 });
  expect(queries![2]!.model).toMatchObject({ type: 'reduce', expression: 'C', reducer: 'last' });
  expect(queries![3]!.model).toMatchObject({
    type: 'threshold',
    expression: 'B',
    conditions: [{ evaluator: { type: 'gt', params: [0] } }],
  });
  expect(condition).toBe('D');
});

it('leaves a panel that has expressions of its own as it is', () => {
  const { queries, condition } = defaultsOf(newRulePath(PANEL, [ask('A'), ask('B', '__expr__')], undefined));
  expect(queries!.map(({ refId }) => refId)).toEqual(['A', 'B']);
  expect(queries![1]).not.toHaveProperty('relativeTimeRange');
  expect(condition).toBe('B');
});

it('sends to our contact point where there is one', () => {
  const { manualRouting, contactPoints } = defaultsOf(newRulePath(PANEL, [], 'Nodebell inbox'));
  expect([manualRouting, contactPoints!['grafana']!.selectedContactPoint]).toEqual([true, 'Nodebell inbox']);
});
