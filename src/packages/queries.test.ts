import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';

const listNotifications = vi.hoisted(() => vi.fn());
vi.mock('../api/notifications', () => ({ listNotifications }));
vi.mock('@grafana/runtime', () => ({ config: {}, getBackendSrv: () => ({}) }));

import type { BridgeFilter } from '../api/query';
import { recentQuery } from './queries';

it('lists a thread once, with its newest notification, muted ones included', async () => {
  const members = [
    { id: 5, correlationId: 'disk', muted: true },
    { id: 4, correlationId: 'disk', muted: true },
    { id: 3, correlationId: 'peers', muted: false },
    { id: 2, correlationId: 'peers', muted: false },
    { id: 1, correlationId: 'cpu', muted: false },
  ];
  // Like the bridge: threads are those of unmuted notifications; `latest` selects their newest.
  listNotifications.mockImplementation(({ latest, muted }: BridgeFilter, limit: number) => {
    const shown = members.filter((one) => muted === 'all' || one.muted === (muted === 'true'));
    const heads = shown.filter((one, at) => shown.findIndex((o) => o.correlationId === one.correlationId) === at);
    return Promise.resolve((latest === 'true' ? heads : shown).slice(0, limit));
  });
  const recent = (limit: number) => new QueryClient().query(recentQuery('geth.dnp.dappnode.eth', limit));
  expect((await recent(20)).map(({ id }) => id)).toEqual([5, 3, 1]);
  expect((await recent(2)).map(({ id }) => id)).toEqual([5, 3]);
});
