import type { BackendSrvRequest } from '@grafana/runtime';
import type { Report, ReportFigures, ReportRow } from '@nodebell/contract/report.ts';
import { waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, httpError, render, screen, serveBridge, signIn, within } from '../component.testing';
import { csvAddress } from '../api/report';
import ReportPage from './ReportPage';

const PERMISSIONS = ['inbox:read', 'inbox:write', 'thresholds:read'].map(
  (name) => `nodebell-notifications-app.${name}`
);
const FIGURES: ReportFigures = {
  notifications: 1200,
  fired: 5,
  flapping: 2,
  resolved: 4,
  notActedOn: 3,
  acknowledged: 1,
  openSeconds: 7200,
  longestOpenSeconds: 3600,
  timeToAcknowledge: 90,
  timeToResolve: 1800,
  open: 1,
  openSince: '2026-11-20T10:00:00.000Z',
};
const TREND = [0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 10, 1200];
const LONG = `${'🔥'.repeat(40)} ${'disk '.repeat(50)}`;
const ROW: ReportRow = {
  ...FIGURES,
  source: 'grafana',
  rule: 'Disk full',
  dnpName: 'geth.dnp',
  category: 'system',
  trend: TREND,
  last: 7,
};
const REPORT: Report = {
  from: '2026-11-16',
  to: '2026-11-23',
  first: '2026-10-05',
  behind: 0,
  total: { ...FIGURES, trend: TREND },
  rows: [ROW, { ...ROW, source: 'api', rule: '', dnpName: LONG, category: 'news', resolved: 0, open: 0 }],
  more: 0,
};

beforeEach(() => signIn(PERMISSIONS));

function renderPage(report: Report | (() => Report) = REPORT, path = '/') {
  const requested = vi.fn();
  const changed = vi.fn();
  serveBridge((where, { method, data }: BackendSrvRequest) => {
    if (method === 'PUT') {
      changed(where, data);
      return {};
    }
    if (where === '/categories') {
      return [
        { category: 'system', enabled: true, count: 1, unseen: 0 },
        { category: 'news', enabled: false, count: 1, unseen: 0 },
      ];
    }
    requested(where);
    return typeof report === 'function' ? report() : report;
  });
  render(
    <MemoryRouter initialEntries={[path]}>
      <ReportPage bridgeUrl="http://bridge:8080" />
    </MemoryRouter>
  );
  return { requested, changed };
}
const rows = async () => (await screen.findAllByRole('row')).slice(1);
const button = (name: string | RegExp) => screen.findByRole('button', { name });

it('shows the figures of each rule', async () => {
  const { requested } = renderPage();
  const [first, second] = await rows();
  expect(within(first!).getByRole('rowheader').textContent).toBe('Disk fullgeth.dnp · System · Grafana');
  expect(
    within(first!)
      .getAllByRole('cell')
      .map((cell) => cell.textContent)
  ).toEqual([...['', '1,200', '5', '2', '3 of 4', '1 min', '30 min', '2 h', '1'], '']);
  expect(within(second!).getByRole('rowheader').textContent).toContain('News · Packages and scripts');
  expect(await within(second!).findByText('Category muted')).toBeDefined();
  expect(within(second!).getAllByText('–').length).toBe(5);
  expect(screen.getByText('16 Nov 2026 – 22 Nov 2026 (UTC)')).toBeDefined();
  expect(requested).toHaveBeenCalledWith('/report?by=rule&weeks=1&sort=notifications&limit=50');
});

it('requests another week, span, grouping and order', async () => {
  const { requested } = renderPage(REPORT, '/?to=2026-11-09');
  await rows();
  fireEvent.click(await button('Later'));
  fireEvent.click(await button('Earlier'));
  fireEvent.click(screen.getByRole('radio', { name: 'Package' }));
  fireEvent.click(screen.getByRole('radio', { name: '4 weeks' }));
  fireEvent.click(within(screen.getByRole('table')).getByRole('button', { name: 'Flapping' }));
  await waitFor(() => expect(requested.mock.lastCall?.[0]).toMatch(/by=package.*&weeks=4&sort=flapping&limit=50$/));
  expect(screen.getByRole('columnheader', { name: 'Flapping' }).getAttribute('aria-sort')).toBe('descending');
});

it('ends at the first week with figures, and at this one', async () => {
  renderPage({ ...REPORT, first: REPORT.from });
  await rows();
  expect((await button('Earlier')).hasAttribute('disabled')).toBe(true);
  expect((await button('Later')).hasAttribute('disabled')).toBe(true);
});

it('links to the inbox, a silence and thresholds, and mutes the category', async () => {
  const { changed } = renderPage();
  fireEvent.click(await button('Actions: Disk full'));
  const links = (await screen.findAllByRole('menuitem')).map((item) => [item.textContent, item.getAttribute('href')]);
  expect(links).toEqual([
    ['Show in inbox', '/a/nodebell-notifications-app/inbox?dnpName=geth.dnp&category=system'],
    ['Newest notification', '/a/nodebell-notifications-app/inbox?id=7'],
    [expect.stringMatching(/^Silence/), '/a/nodebell-notifications-app/inbox?id=7&silence=rule'],
    ['Mute the category System', null],
    ['Threshold of the rule', '/a/nodebell-notifications-app/thresholds?tab=rules&q=Disk%20full'],
    ['Mute the package, or move its thresholds', '/a/nodebell-notifications-app/thresholds?q=geth.dnp'],
  ]);
  fireEvent.click(screen.getByRole('menuitem', { name: /Mute the category/ }));
  await waitFor(() => expect(changed).toHaveBeenCalledWith('/categories/system', { enabled: false }));
});

it('a Viewer cannot mute', async () => {
  signIn(PERMISSIONS.slice(0, 1));
  renderPage();
  fireEvent.click(await button('Actions: Disk full'));
  await screen.findAllByRole('menuitem');
  expect(screen.queryByRole('menuitem', { name: /Mute/ })).toBeNull();
});

it('shows more rows on request', async () => {
  const { requested } = renderPage({ ...REPORT, more: 3000 });
  fireEvent.click(await button('3,000 more'));
  await waitFor(() => expect(requested.mock.lastCall?.[0]).toContain('limit=1000'));
});

it('says that nothing arrived, what is not counted yet, and that it failed', async () => {
  renderPage({ ...REPORT, rows: [], behind: 2000 });
  expect(await screen.findByText('Nothing arrived in this time')).toBeDefined();
  expect(screen.getByText('2,000 notifications are not counted yet')).toBeDefined();
});

it('the CSV has what is shown', () => {
  const view = { by: 'package', to: '2026-11-09', weeks: 4, sort: 'open' } as const;
  expect(csvAddress(view)).toMatch(/api\/v1\/report\?by=package&to=2026-11-09&weeks=4&format=csv&targetOrgId=/);
});

it('shows an error of the bridge', async () => {
  renderPage(() => {
    throw httpError(502);
  });
  expect(await screen.findByText('The Nodebell bridge is not responding')).toBeDefined();
  expect(screen.queryByRole('table')).toBeNull();
});
