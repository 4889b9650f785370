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

it('what the browser loads by itself names the organisation of its tab', () => {
  expect(addressOf('/backups/a.eth')).toBe(`${BASE}/backups/a.eth?targetOrgId=7`);
  expect(addressOf('/events?lastEventId=3')).toBe(`${BASE}/events?lastEventId=3&targetOrgId=7`);
});

it('so does the event stream', async () => {
  const stream = joinEvents();
  await vi.waitFor(() => expect(opened).toEqual([`${BASE}/events?targetOrgId=7`]));
  stream.close();
});
