/**
 * The service worker of the plugin. Plain functions of its scope, so that tests can run them. Grafana serves it below
 * `<sub-path>/public/plugins/<id>/`, which is its scope as well: it controls no page, and derives every address from there.
 */
import type { PushPayload } from '@nodebell/contract/push.ts';
import { deviceName } from '../deviceName';

/** The part of `ServiceWorkerGlobalScope` that we use; TypeScript's library for it excludes the one for pages. */
export interface WorkerScope {
  registration: Pick<ServiceWorkerRegistration, 'scope' | 'showNotification' | 'getNotifications' | 'pushManager'>;
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
    claim(): Promise<void>;
  };
  navigator: Pick<Navigator, 'language' | 'userAgent'>;
  fetch: typeof fetch;
  skipWaiting(): Promise<void>;
}

interface WindowClient {
  url: string;
  focus(): Promise<unknown>;
  postMessage(message: OpenMessage): void;
}

/** To an open page of the plugin: open this notification. */
export interface OpenMessage {
  type: 'nodebell-open';
  id: number | undefined;
  org: number | undefined;
}

/** Kept with a notification on the device. */
export interface ShownData {
  id?: number | undefined;
  org?: number | undefined;
}

export type Action = 'open' | 'read' | 'acknowledge' | 'snooze' | '';

/** Texts by language, because the worker has no access to Grafana's. */
const TEXTS = {
  en: {
    open: 'Open',
    read: 'Mark as read',
    acknowledge: 'Acknowledge',
    snooze: 'Snooze 1 h',
    unknown: 'New notification',
  },
  de: {
    open: 'Öffnen',
    read: 'Als gelesen markieren',
    acknowledge: 'Bestätigen',
    snooze: '1 h zurückstellen',
    unknown: 'Neue Benachrichtigung',
  },
  es: {
    open: 'Abrir',
    read: 'Marcar como leída',
    acknowledge: 'Reconocer',
    snooze: 'Posponer 1 h',
    unknown: 'Nueva notificación',
  },
} as const;

/** Browsers show two or three. A click beside them opens the inbox. */
const actionsOf = (id: number | undefined, fires = false) =>
  id === undefined
    ? (['open'] as const)
    : fires
      ? (['acknowledge', 'snooze', 'read'] as const)
      : (['open', 'read'] as const);

const HOUR_MS = 3_600_000;

/** Requests in the name of the person who is signed in. */
const REQUESTS: Partial<Record<Action, (id: number, now: number) => { method: string; path: string; body?: unknown }>> =
  {
    read: (id) => ({ method: 'PUT', path: '/notifications/seen', body: { ids: [id], wholeThreads: true } }),
    acknowledge: (id) => ({ method: 'POST', path: `/notifications/${id}/acknowledge`, body: {} }),
    snooze: (id, now) => ({
      method: 'PUT',
      path: `/notifications/${id}/snooze`,
      body: { until: new Date(now + HOUR_MS).toISOString(), for: 'me' },
    }),
  };

export function createWorker(scope: WorkerScope) {
  const [, base = '', plugin = ''] = /^(.*\/)public\/plugins\/([^/]+)\/$/.exec(scope.registration.scope) ?? [];
  const inbox = `${base}a/${plugin}/inbox`;
  const language = scope.navigator.language.slice(0, 2);
  const texts = TEXTS[language === 'de' || language === 'es' ? language : 'en'];

  const request = requestOf(scope, `${base}api/plugin-proxy/${plugin}/api/v1`);

  async function open({ id, org }: ShownData): Promise<void> {
    const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const page = pages.find(({ url }) => url.startsWith(`${base}a/${plugin}/`));
    if (page) {
      page.postMessage({ type: 'nodebell-open', id, org });
      await page.focus();
      return;
    }
    const query = new URLSearchParams({
      ...(org !== undefined && { orgId: String(org) }),
      ...(id !== undefined && { id: String(id) }),
    }).toString();
    await scope.clients.openWindow(query === '' ? inbox : `${inbox}?${query}`);
  }

  return {
    async push(text: string | undefined): Promise<void> {
      const payload = read(text);
      if (payload && 'close' in payload) {
        const shown = await scope.registration.getNotifications();
        shown.filter(({ tag }) => payload.close.includes(tag)).forEach((one) => one.close());
        return;
      }
      // A browser may end a subscription whose messages show nothing.
      const { title = texts.unknown, body = '', tag = 'unknown', id, org, ...rest }: Partial<Shown> = payload ?? {};
      const options = {
        body,
        tag,
        icon: `${scope.registration.scope}img/push.png`,
        timestamp: rest.ts,
        renotify: rest.renotify ?? false,
        silent: rest.silent ?? false,
        requireInteraction: rest.stays ?? false,
        data: { id, org } satisfies ShownData,
        actions: actionsOf(id, rest.fires).map((action) => ({ action, title: texts[action] })),
      };
      await scope.registration.showNotification(title, options);
    },

    async click(notification: Pick<Notification, 'close' | 'data'>, action: Action): Promise<void> {
      notification.close();
      const data = (notification.data ?? {}) as ShownData;
      const act = data.id === undefined ? undefined : REQUESTS[action]?.(data.id, Date.now());
      if (act) {
        // Signed out, not permitted, or without a network: the inbox shows the notification.
        await request(act.method, act.path, act.body, data.org).catch(() => open(data));
        return;
      }
      await open(data);
    },

    change: (replaced: PushSubscription | null | undefined): Promise<void> => subscribeAgain(scope, request, replaced),
  };
}

/** The browser has replaced its subscription, or ended it. */
async function subscribeAgain(
  { registration, navigator }: WorkerScope,
  request: Request,
  replaced: PushSubscription | null | undefined
): Promise<void> {
  const { publicKey } = (await (await request('GET', '/push/key')).json()) as { publicKey: string | null };
  if (publicKey === null) {
    return;
  }
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = replaced ?? (await registration.pushManager.subscribe(options));
  const { endpoint, keys } = subscription.toJSON();
  await request('POST', '/push/devices', { endpoint, keys, key: publicKey, name: deviceName(navigator) });
}

type Request = (method: string, path: string, body?: unknown, org?: number) => Promise<Response>;

/** Grafana adds the session of the user; an organisation other than the current one is named. */
const requestOf =
  (scope: Pick<WorkerScope, 'fetch'>, base: string): Request =>
  async (method, path, body, org) => {
    const response = await scope.fetch(base + path, {
      method,
      credentials: 'same-origin',
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(org !== undefined && { 'X-Grafana-Org-Id': String(org) }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) {
      throw new Error(`${method} ${path}: ${response.status}`);
    }
    return response;
  };

type Shown = Exclude<PushPayload, { close: string[] }>;

function read(text: string | undefined): PushPayload | undefined {
  try {
    return JSON.parse(text ?? '') as PushPayload;
  } catch {
    return undefined;
  }
}
