import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const user = vi.hoisted(() => ({ orgId: 7, id: 2 }));
vi.mock('@grafana/runtime', () => ({ config: { appSubUrl: '/grafana', bootData: { user } }, getBackendSrv: vi.fn() }));

import { addressOf } from './client';
import { joinEvents } from './joinEvents';

const BASE = '/grafana/api/plugin-proxy/nodebell-notifications-app/api/v1';
const opened: string[] = [];
beforeEach(() => {
  opened.length = 0;
  class Source {
    onopen = null;
    onerror = null;
    constructor(url: string) {
      opened.push(url);
    }
    addEventListener() {}
    close() {}
  }
  vi.stubGlobal('EventSource', Source);
});
afterEach(() => vi.unstubAllGlobals());

it('addresses that the browser loads itself name the organisation of the tab', () => {
  expect(addressOf('/api/v1/backups/a.eth')).toBe(`${BASE}/backups/a.eth?targetOrgId=7`);
  expect(addressOf('/api/v1/events?lastEventId=3')).toBe(`${BASE}/events?lastEventId=3&targetOrgId=7`);
});

it('the address of the event stream does as well', async () => {
  const stream = joinEvents();
  await vi.waitFor(() => expect(opened).toEqual([`${BASE}/events?targetOrgId=7`]));
  stream.close();
});
