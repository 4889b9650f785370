/** The built service worker in a real browser, which gets its messages by the browser's debugging protocol. */
import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, CDPSession, Page, Worker } from '@playwright/test';
import { startConsole } from '../../standalone/server/console.ts';
import { TestBridge } from './support/bridge.ts';
import { expect, test } from './support/test.ts';

const ID = 'nodebell-notifications-app';

/** Delivers messages to the worker of this page as a push service would. */
async function delivery(page: Page, scope: string): Promise<(payload: object) => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) =>
      registrations
        .filter(({ scopeURL, isDeleted }) => scopeURL === scope && !isDeleted)
        .forEach(({ registrationId }) => resolve(registrationId))
    )
  );
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  const origin = new URL(scope).origin;
  return async (payload) => {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) });
  };
}

const shown = (page: Page, scope: string): Promise<string[]> =>
  page.evaluate(async (url) => {
    const registration = await navigator.serviceWorker.getRegistration(url);
    return (await registration!.getNotifications()).map(({ title }) => title);
  }, scope);

interface WorkerGlobal {
  registration: ServiceWorkerRegistration;
  clients: { openWindow: (url: string) => Promise<null> };
  opened?: string[];
  nodebellWorker: { worker: { click(notification: Notification, action: string): Promise<void> } };
}

/** Clicks the first notification. Only a person's click may open or focus a tab: the address is returned instead. */
const click = (worker: Worker, action: string): Promise<string[]> =>
  worker.evaluate(async (chosen) => {
    const scope = globalThis as unknown as WorkerGlobal;
    const opened: string[] = [];
    scope.clients.openWindow = (url) => {
      opened.push(url);
      return Promise.resolve(null);
    };
    const [notification] = await scope.registration.getNotifications();
    await scope.nodebellWorker.worker.click(notification!, chosen).catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'InvalidAccessError')) {
        throw error;
      }
    });
    return opened;
  }, action);

/** No push service can be reached from here: the browser has subscribed at one that never responds. */
const stubPushService = (context: BrowserContext) =>
  context.addInitScript(() => {
    let own: object | null = null;
    PushManager.prototype.getSubscription = () => Promise.resolve(own as PushSubscription | null);
    PushManager.prototype.subscribe = async (options) => {
      const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
      const text = (bytes: ArrayBuffer) =>
        btoa(String.fromCharCode(...new Uint8Array(bytes)))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replaceAll('=', '');
      const keys = {
        p256dh: text(await crypto.subtle.exportKey('raw', pair.publicKey)),
        auth: text(new ArrayBuffer(16)),
      };
      const endpoint = 'https://push.example/device';
      const key = atob((options?.applicationServerKey as string).replaceAll('-', '+').replaceAll('_', '/'));
      const applicationServerKey = Uint8Array.from(key, (char) => char.charCodeAt(0)).buffer;
      own = {
        endpoint,
        options: { applicationServerKey },
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: () => Promise.resolve(true),
      };
      return own as PushSubscription;
    };
  });

const MESSAGE = {
  tag: 't1',
  title: 'Critical: Disk',
  body: 'full',
  ts: 1,
  org: 1,
  renotify: true,
  silent: false,
  stays: true,
};

test('a device subscribes, shows a message, and a click opens or marks it', async ({
  context,
  frame: _frame,
  page,
}) => {
  const bridge = await TestBridge.start({ NODEBELL_SECRET_KEY: 'k'.repeat(43) });
  const console = await startConsole({ port: 0, bridgeUrl: bridge.url, bridgeToken: bridge.token });
  try {
    const channel = { name: 'browsers', type: 'webpush', subject: 'mailto:admin@example.org' };
    const added = await fetch(`${bridge.url}/api/v1/channels`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${bridge.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(channel),
    });
    expect(added.status).toBe(204);
    await stubPushService(context);
    await context.grantPermissions(['notifications'], { origin: console.url });
    await page.goto(`${console.url}/a/${ID}/inbox`);
    await page.getByRole('button', { name: 'Inbox actions' }).click();
    await page.getByRole('menuitem', { name: 'Notification channels' }).click();
    await page.getByRole('button', { name: 'Notify me on this device' }).click();
    await expect(page.getByText('This device', { exact: true })).toBeVisible();

    const scope = `${console.url}/public/plugins/${ID}/`;
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    const deliver = await delivery(page, scope);
    const { id } = await bridge.send({ title: 'Disk', priority: 'low' });
    await deliver({ ...MESSAGE, id });
    await expect.poll(() => shown(page, scope)).toEqual(['Critical: Disk']);
    await deliver({ ...MESSAGE, id, title: 'Resolved: Disk' });
    await expect.poll(() => shown(page, scope)).toEqual(['Resolved: Disk']);

    // The open page of the plugin opens the notification.
    await page.goto(`${console.url}/a/${ID}/packages`);
    await expect(page.getByRole('heading', { name: 'Packages' })).toBeVisible();
    expect(await click(worker, 'open')).toEqual([]);
    await expect(page).toHaveURL(new RegExp(`/inbox\\?id=${id}$`));

    // Another organization: Grafana changes it when it loads a page.
    await deliver({ ...MESSAGE, id, org: 2 });
    await expect.poll(() => shown(page, scope)).toEqual(['Critical: Disk']);
    const loaded = page.waitForRequest((one) => one.isNavigationRequest());
    // Another navigation during this one would be aborted by it.
    const complete = page.waitForEvent('load');
    expect(await click(worker, 'open')).toEqual([]);
    expect((await loaded).url()).toBe(`${console.url}/a/${ID}/inbox?id=${id}&orgId=2`);
    await complete;

    // Marked as read through Grafana's proxy, from a page that is none of the plugin's.
    await page.goto(`${console.url}/point/grafana/dashboard/sidebar/v1`);
    const { id: other } = await bridge.send({ title: 'Other' });
    await deliver({ ...MESSAGE, id: other });
    await expect.poll(() => shown(page, scope)).toEqual(['Critical: Disk']);
    const unread = () =>
      page.evaluate(
        async (url) => ((await (await fetch(url)).json()) as { unseen: boolean; unread?: boolean; seen: boolean }).seen,
        `/api/plugin-proxy/${ID}/api/v1/notifications/${other}`
      );
    expect(await unread()).toBe(false);
    expect(await click(worker, 'read')).toEqual([]);
    await expect.poll(unread).toBe(true);

    // Read elsewhere.
    await deliver({ ...MESSAGE, id });
    await expect.poll(() => shown(page, scope)).toEqual(['Critical: Disk']);
    await deliver({ close: ['t1'] });
    await expect.poll(() => shown(page, scope)).toEqual([]);
  } finally {
    await console.close();
    await bridge.dispose();
  }
});

test('below a sub-path, the worker finds Grafana', async ({ context, page, console: { url } }) => {
  // A proxy as in front of a Grafana at /grafana/.
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/grafana/') {
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Grafana</title>');
      return;
    }
    const target = new URL(incoming.url!.replace(/^\/grafana/, ''), url);
    const { host: _host, ...headers } = incoming.headers;
    incoming.pipe(
      forward(target, { method: incoming.method!, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      })
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/grafana/`;
    const scope = `${base}public/plugins/${ID}/`;
    await context.grantPermissions(['notifications'], { origin: new URL(base).origin });
    await page.goto(base);
    const started = context.waitForEvent('serviceworker');
    await page.evaluate((folder) => navigator.serviceWorker.register(`${folder}sw.js`, { scope: folder }), scope);
    const worker = await started;
    const deliver = await delivery(page, scope);
    await expect
      .poll(() =>
        page.evaluate(async (folder) => (await navigator.serviceWorker.getRegistration(folder))?.active?.state, scope)
      )
      .toBe('activated');
    await deliver({ ...MESSAGE, id: 7 });
    await expect.poll(() => shown(page, scope)).toEqual(['Critical: Disk']);
    expect(await click(worker, '')).toEqual([`${base}a/${ID}/inbox?orgId=1&id=7`]);
    await expect.poll(() => shown(page, scope)).toEqual([]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
