import { of } from 'rxjs';
import { expect, it, vi } from 'vitest';

const fetched = vi.hoisted(() => vi.fn());
vi.mock('@grafana/runtime', () => ({ config: {}, getBackendSrv: () => ({ fetch: fetched }) }));

import { getWholeText, listNotifications } from './notifications';

const row = (id: number) => ({
  id,
  timestamp: '2026-11-21T10:00:00.000Z',
  title: `T${id}`,
  body: '',
  category: 'c',
  dnpName: 'p',
  priority: 'low',
  status: 'triggered',
  correlationId: String(id),
  isBanner: false,
  seen: false,
  source: 'api',
  muted: false,
  thread: {
    state: 'event',
    count: 1,
    unseen: 1,
    openedAt: null,
    closedAt: null,
    lastAt: '2026-11-21T10:00:00.000Z',
    stale: false,
    closedByHand: false,
  },
});
const response = (ids: number[], cursor?: string) =>
  of({
    data: ids.map(row),
    headers: new Headers(
      cursor === undefined ? {} : { Link: `</api/v1/notifications?limit=5&cursor=${cursor}>; rel="next"` }
    ),
  });
const requested = () => fetched.mock.calls.map(([{ url }]) => String(url).split('?')[1]);

it('requests the rest with the cursor if a page ends early', async () => {
  fetched.mockReset();
  fetched.mockReturnValueOnce(response([9, 8], 'one')).mockReturnValueOnce(response([7], 'two'));
  fetched.mockReturnValueOnce(response([6, 5], 'three'));
  const rows = await listNotifications({ latest: 'true' }, 5);
  expect(rows.map(({ id }) => id)).toEqual([9, 8, 7, 6, 5]);
  expect(requested()).toEqual([
    'latest=true&limit=5',
    'latest=true&limit=3&cursor=one',
    'latest=true&limit=2&cursor=two',
  ]);
});

it('stops after the last page', async () => {
  fetched.mockReset();
  fetched.mockReturnValueOnce(response([9, 8], 'one')).mockReturnValueOnce(response([7]));
  expect(await listNotifications({}, 5)).toHaveLength(3);
});

it('returns a full text as text, even if it looks like JSON', async () => {
  fetched.mockReset();
  fetched.mockReturnValueOnce(of({ data: '123', headers: new Headers() }));
  expect(await getWholeText(4, 'body')).toBe('123');
  expect(fetched.mock.calls[0]?.[0]).toMatchObject({ responseType: 'text' });
});
