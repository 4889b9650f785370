/** The subscription of this browser, and why there can be none. */
import { config } from '@grafana/runtime';
import { PLUGIN_ID } from '../routes';

/** Why this browser cannot receive notifications; undefined: it can, or has not been asked yet. */
export type Obstacle = 'insecure' | 'ios' | 'unsupported' | 'blocked';

export function obstacle(): Obstacle | undefined {
  if (!window.isSecureContext) {
    return 'insecure';
  }
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window)) {
    // Safari on iOS and iPadOS offers them to installed web apps only.
    return /\b(?:iPhone|iPad)\b/.test(navigator.userAgent) ? 'ios' : 'unsupported';
  }
  return Notification.permission === 'denied' ? 'blocked' : undefined;
}

const scopeUrl = (): string => `${config.appSubUrl ?? ''}/public/plugins/${PLUGIN_ID}/`;

/** Registration of the worker; undefined: it is not installed in this browser. */
export async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return 'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration(scopeUrl()) : undefined;
}

export interface OwnSubscription {
  subscription: PushSubscription;
  /** SHA-256 of the endpoint, by which the bridge names it. */
  fingerprint: string;
  /** The key of the bridge with which it was made. */
  key: string;
}

export async function ownSubscription(): Promise<OwnSubscription | null> {
  const subscription = await (await registration())?.pushManager.getSubscription();
  if (!subscription) {
    return null;
  }
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint));
  const { applicationServerKey } = subscription.options;
  return {
    subscription,
    fingerprint: base64url(hash),
    key: applicationServerKey ? base64url(applicationServerKey) : '',
  };
}

/**
 * Subscribes this browser, which asks the user for permission.
 * @param key of the bridge
 * @returns undefined if the user did not give it
 * @throws DOMException if the browser or its push service refuses
 */
export async function subscribe(key: string): Promise<PushSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') {
    return undefined;
  }
  const registered = await navigator.serviceWorker.register(`${scopeUrl()}sw.js`, { scope: scopeUrl() });
  await activated(registered);
  const known = await ownSubscription();
  if (known?.key === key) {
    return known.subscription;
  }
  await known?.subscription.unsubscribe();
  return registered.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function activated({ installing, waiting, active }: ServiceWorkerRegistration): Promise<void> {
  const worker = active ?? waiting ?? installing;
  return new Promise((resolve, reject) => {
    const check = () => {
      if (worker?.state === 'activated') {
        resolve();
      } else if (worker?.state === 'redundant') {
        reject(new Error('The service worker could not be installed.'));
      }
    };
    worker?.addEventListener('statechange', check);
    check();
  });
}

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
