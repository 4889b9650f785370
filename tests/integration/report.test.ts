/** The report over HTTP: weeks, rows, CSV. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../backend-bridge/contract/report.ts';
import { TestBridge } from './support.ts';

const REPORT = '/api/v1/report';
const HOUR = 3_600_000;
const FORMULA = '=HYPERLINK("http://example.org","a")';

let bridge: TestBridge;
let week: string;

const alert = (instance: string, status: 'firing' | 'resolved') => ({
  status,
  labels: { alertname: 'Disk full', instance, category: 'system', dnpName: 'geth.dnp' },
  startsAt: bridge.clock.iso,
  endsAt: status === 'resolved' ? bridge.clock.iso : '0001-01-01T00:00:00Z',
  fingerprint: instance,
});
const sendAlert = (instance: string, status: 'firing' | 'resolved') =>
  bridge.call('POST', '/api/v1/webhooks/grafana', { status, alerts: [alert(instance, status)] });

const read = (query = ''): Promise<Report> => bridge.call<Report>('GET', `${REPORT}${query && `?${query}`}`);

beforeAll(async () => {
  bridge = await TestBridge.start();
  await sendAlert('a', 'firing');
  await sendAlert('b', 'firing');
  await bridge.call('POST', '/api/v1/notifications/1/acknowledge', {});
  bridge.clock.advance(HOUR);
  await sendAlert('a', 'resolved');
  await bridge.post({ title: 'T', body: 'B', dnpName: FORMULA, category: 'news, other' });
  week = (await read()).from;
});
afterAll(() => bridge.dispose());

test('by rule, of this week by default, with what has just arrived', async () => {
  const { rows, ...report } = await read();
  expect(report).toMatchObject({ first: week, behind: 0, more: 0, total: { notifications: 4, fired: 2, open: 1 } });
  expect(new Date(`${week}T00:00:00Z`).getUTCDay()).toBe(1);
  expect(rows).toMatchObject([
    {
      source: 'grafana',
      rule: 'Disk full',
      dnpName: 'geth.dnp',
      category: 'system',
      notifications: 3,
      fired: 2,
      resolved: 1,
      acknowledged: 1,
      notActedOn: 0,
      timeToAcknowledge: 0,
      timeToResolve: 3600,
      open: 1,
      last: 3,
    },
    { source: 'api', rule: '', dnpName: FORMULA, notifications: 1, fired: 0, timeToResolve: null },
  ]);
  expect(rows[0]!.trend).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
});

test('by package, category and source, sorted and limited', async () => {
  expect((await read('by=package')).rows.map(({ dnpName }) => dnpName)).toEqual(['geth.dnp', FORMULA]);
  expect((await read('by=category')).rows.map(({ category }) => category)).toEqual(['system', 'news, other']);
  expect((await read('by=source&sort=open')).rows.map(({ source }) => source)).toEqual(['grafana', 'api']);
  expect(await read('by=source&limit=1')).toMatchObject({ rows: [{ source: 'grafana' }], more: 1 });
});

test('of other weeks', async () => {
  const before = new Date(Date.parse(week) - 24 * HOUR).toISOString().slice(0, 10);
  expect(await read(`to=${before}`)).toMatchObject({ to: week, rows: [], total: { notifications: 0 } });
  expect((await read('weeks=3')).total.notifications).toBe(4);
  const later = await read('to=2999-01-01&weeks=53');
  expect(later.total.notifications).toBe(0);
});

test('CSV runs no formulas', async () => {
  const { body, headers } = await bridge.request<string>('GET', `${REPORT}?weeks=2`, undefined, { Accept: 'text/csv' });
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe(`attachment; filename="nodebell-report-${week}.csv"`);
  const [head, ...lines] = String(body).split('\r\n');
  expect(head).toMatch(/^week,source,rule,package,category,notifications,/);
  expect(lines).toEqual([
    `${week},grafana,Disk full,geth.dnp,system,3,2,0,1,0,1,0,3600,3600,3600`,
    `${week},api,,"'=HYPERLINK(""http://example.org"",""a"")","news, other",1,0,0,0,0,0,,,0,0`,
    '',
  ]);
  const csv = await bridge.request<string>('GET', `${REPORT}?by=source&format=csv`);
  expect(String(csv.body).split('\r\n')[1]).toBe(`${week},grafana,,,,3,2,0,1,0,1,0,3600,3600,3600`);
});

test.each([
  'weeks=0',
  'weeks=54',
  'by=sender',
  'to=2026-02-30',
  'to=1999-12-31',
  'to=9999-12-31',
  'limit=1001',
  'from=2026-01-01',
])('rejects %s', async (query) => {
  expect((await bridge.request('GET', `${REPORT}?${query}`)).status).toBe(400);
});

test('CSV contains what has just arrived', async () => {
  await bridge.post({ title: 'T', body: 'B', dnpName: 'late.dnp' });
  const { body } = await bridge.request<string>('GET', `${REPORT}?by=package&format=csv`);
  expect(String(body)).toContain(`${week},,,late.dnp,,1,`);
});
