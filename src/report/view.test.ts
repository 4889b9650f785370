import type { ReportRow } from '@nodebell/contract/report.ts';
import { expect, it } from 'vitest';
import { linksOf } from './actions';
import { moved, readView, writeView } from './view';

// A Sunday.
const NOW = Date.UTC(2026, 10, 22, 10);
const DEFAULT = { by: 'rule', to: undefined, weeks: 1, sort: 'notifications' } as const;

it('reads what it writes, and nothing else', () => {
  const view = { by: 'package', to: '2026-10-05', weeks: 4, sort: 'open' } as const;
  expect(readView(new URLSearchParams(writeView(view)))).toEqual(view);
  expect(writeView(DEFAULT)).toEqual({});
  expect(readView(new URLSearchParams('by=x&to=yesterday&weeks=5&sort=name'))).toEqual(DEFAULT);
});

it('goes by as many weeks as it shows, not beyond this one', () => {
  const before = moved(DEFAULT, -1, NOW);
  expect(before.to).toBe('2026-11-09');
  expect(moved(before, 1, NOW)).toEqual(DEFAULT);
  expect(moved({ ...DEFAULT, weeks: 4 }, -1, NOW).to).toBe('2026-10-19');
  expect(moved({ ...DEFAULT, weeks: 12, to: '2026-10-19' }, 1, NOW).to).toBeUndefined();
});

it('links to where one can act', () => {
  const row = { source: 'grafana', rule: 'Disk & CPU', dnpName: 'geth', category: 'system', last: 7 } as ReportRow;
  expect(linksOf(row)).toEqual({
    inbox: '/a/nodebell-notifications-app/inbox?dnpName=geth&category=system',
    newest: '/a/nodebell-notifications-app/inbox?id=7',
    silence: '/a/nodebell-notifications-app/inbox?id=7&silence=rule',
    thresholds: '/a/nodebell-notifications-app/thresholds?q=geth',
    rule: '/a/nodebell-notifications-app/thresholds?tab=rules&q=Disk%20%26%20CPU',
  });
  expect(linksOf({ ...row, source: 'alertmanager' })).toMatchObject({ silence: linksOf(row).silence, rule: undefined });
  expect(linksOf({ ...row, source: 'gatus' })).toMatchObject({ silence: undefined, rule: undefined });
  expect(linksOf({ last: 7, source: 'api' } as ReportRow)).toMatchObject({ inbox: undefined, thresholds: undefined });
});
