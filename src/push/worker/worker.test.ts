/** The service worker, run in a scope of its own: the addresses below a sub-path, what it shows, and what a click does. */
import { expect, it, vi } from 'vitest';
import { createWorker, type WorkerScope } from './worker';

const ID = 'nodebell-notifications-app';

function aWorker(base = 'https://g.example/grafana/', pages: string[] = []) {
  const shown: Array<{ title: string; tag: string; close: () => void; data: unknown }> = [];
  const requests: Array<[string, string, RequestInit]> = [];
  const state = { status: 200, key: 'new-key' as string | null };
  const windows = pages.map((url) => ({ url, focus: vi.fn(() => Promise.resolve()), postMessage: vi.fn() }));
  const subscription = { toJSON: () => ({ endpoint: 'https://push.example/new', keys: { p256dh: 'p', auth: 'a' } }) };
  const subscribe = vi.fn(() => Promise.resolve(subscription));
  const openWindow = vi.fn((_url: string) => Promise.resolve());
  const scope = {
    registration: {
      scope: `${base}public/plugins/${ID}/`,
      showNotification: (title: string, options: NotificationOptions) => {
        const one = {
          title,
          tag: options.tag ?? '',
          ...options,
          data: options.data as unknown,
          close: () => undefined,
        };
        one.close = () => void shown.splice(shown.indexOf(one), 1);
        const at = shown.findIndex(({ tag }) => tag === one.tag);
        shown.splice(at === -1 ? shown.length : at, at === -1 ? 0 : 1, one);
        return Promise.resolve();
      },
      getNotifications: () => Promise.resolve([...shown]),
      pushManager: { subscribe },
    },
    clients: { matchAll: () => Promise.resolve(windows), openWindow, claim: () => Promise.resolve() },
    navigator: { language: 'de-AT', userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36' },
    fetch: (url: string, init: RequestInit) => {
      requests.push([init.method!, url, init]);
      return Promise.resolve(new Response(JSON.stringify({ publicKey: state.key }), { status: state.status }));
    },
    skipWaiting: () => Promise.resolve(),
  };
  const worker = createWorker(scope as unknown as WorkerScope);
  return { worker, shown, requests, state, windows, subscribe, openWindow };
}

const payload = (more: object = {}) =>
  JSON.stringify({
    tag: 't3',
    title: 'Disk',
    body: 'full',
    ts: 1,
    id: 7,
    org: 2,
    renotify: true,
    silent: false,
    stays: true,
    ...more,
  });
const PROXY = `https://g.example/grafana/api/plugin-proxy/${ID}/api/v1`;

it('shows a message, and replaces it by the next of its thread', async () => {
  const { worker, shown } = aWorker();
  await worker.push(payload());
  expect(shown).toMatchObject([
    {
      title: 'Disk',
      body: 'full',
      tag: 't3',
      icon: `https://g.example/grafana/public/plugins/${ID}/img/push.png`,
      requireInteraction: true,
      renotify: true,
      data: { id: 7, org: 2 },
      actions: [
        { action: 'open', title: 'Öffnen' },
        { action: 'read', title: 'Als gelesen markieren' },
      ],
    },
  ]);
  await worker.push(payload({ title: 'Resolved: Disk' }));
  expect(shown.map(({ title }) => title)).toEqual(['Resolved: Disk']);
});

it('offers to acknowledge and to snooze an alert that fires, with the session of the person', async () => {
  const { worker, shown, requests } = aWorker();
  await worker.push(payload({ fires: true }));
  expect(shown).toMatchObject([{ actions: [{ action: 'acknowledge' }, { action: 'snooze' }, { action: 'read' }] }]);
  await worker.click(clicked({ id: 7, org: 2 }), 'acknowledge');
  await worker.click(clicked({ id: 7, org: 2 }), 'snooze');
  const base = `https://g.example/grafana/api/plugin-proxy/${ID}/api/v1/notifications/7`;
  expect(requests.map(([method, url]) => [method, url])).toEqual([
    ['POST', `${base}/acknowledge`],
    ['PUT', `${base}/snooze`],
  ]);
  expect(JSON.parse(requests[1]![2].body as string)).toMatchObject({ for: 'me' });
});

it('closes what was read elsewhere, and nothing else', async () => {
  const { worker, shown } = aWorker();
  await worker.push(payload());
  await worker.push(payload({ tag: 't4' }));
  await worker.push(JSON.stringify({ close: ['t3', 't9'] }));
  expect(shown.map(({ tag }) => tag)).toEqual(['t4']);
});

it.each([undefined, 'not JSON'])(
  'shows something even for the message %j: a subscription may end otherwise',
  async (text) => {
    const { worker, shown } = aWorker();
    await worker.push(text);
    expect(shown.map(({ title }) => title)).toEqual(['Neue Benachrichtigung']);
  }
);

const clicked = (data: unknown) => ({ data, close: vi.fn() });

it.each([
  ['https://g.example/', `https://g.example/a/${ID}/inbox?orgId=2&id=7`],
  ['https://g.example/grafana/', `https://g.example/grafana/a/${ID}/inbox?orgId=2&id=7`],
])('a click opens the notification in a new tab below %s', async (base, url) => {
  const { worker, openWindow } = aWorker(base, [`${base}d/some-dashboard`]);
  const notification = clicked({ id: 7, org: 2 });
  await worker.click(notification, '');
  expect(openWindow).toHaveBeenCalledWith(url);
  expect(notification.close).toHaveBeenCalled();
});

it('a click opens it in a tab with the plugin, if there is one', async () => {
  const { worker, openWindow, windows } = aWorker(undefined, [`https://g.example/grafana/a/${ID}/packages`]);
  await worker.click(clicked({ id: 7, org: 2 }), 'open');
  expect(windows[0]?.postMessage).toHaveBeenCalledWith({ type: 'nodebell-open', id: 7, org: 2 });
  expect(windows[0]?.focus).toHaveBeenCalled();
  expect(openWindow).not.toHaveBeenCalled();
});

it('marks the thread as read, in the organisation of the notification; if that fails, opens it', async () => {
  const { worker, requests, state, openWindow } = aWorker();
  await worker.click(clicked({ id: 7, org: 2 }), 'read');
  expect(requests).toMatchObject([
    [
      'PUT',
      `${PROXY}/notifications/seen`,
      {
        body: JSON.stringify({ ids: [7], wholeThreads: true }),
        credentials: 'same-origin',
        headers: { 'Content-Type': 'application/json', 'X-Grafana-Org-Id': '2' },
      },
    ],
  ]);
  expect(openWindow).not.toHaveBeenCalled();
  state.status = 401;
  await worker.click(clicked({ id: 7, org: 2 }), 'read');
  expect(openWindow).toHaveBeenCalled();
});

it('a subscription that the browser has replaced or ended is registered again', async () => {
  const { worker, requests, subscribe, state } = aWorker();
  await worker.change(null);
  expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: 'new-key' });
  expect(requests.map(([method, url]) => `${method} ${url}`)).toEqual([
    `GET ${PROXY}/push/key`,
    `POST ${PROXY}/push/devices`,
  ]);
  expect(JSON.parse(requests[1]?.[2].body as string)).toEqual({
    endpoint: 'https://push.example/new',
    keys: { p256dh: 'p', auth: 'a' },
    key: 'new-key',
    name: 'Chrome on Linux',
  });
  state.key = null;
  await worker.change(null);
  expect(subscribe).toHaveBeenCalledTimes(1);
});
