/** Every state of the user's devices. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Device } from '@nodebell/contract/push.ts';
import { fireEvent, httpError, render, screen, serveBridge, signIn } from '../component.testing';
import { Devices } from './Devices';

const OWN = ['nodebell-notifications-app.push:own'];
const ENDPOINT = 'https://push.example/own';
const device = (more: Partial<Device>): Device => ({
  id: 1,
  name: 'Pixel',
  fingerprint: 'other',
  service: 'push.example',
  createdAt: '2026-11-21T10:00:00.000Z',
  lastDeliveredAt: null,
  lastFailure: null,
  ...more,
});

/** A browser as the page sees it. @param key with which it has subscribed; undefined: it has not */
function stubBrowser({ permission = 'default', key }: { permission?: string; key?: string } = {}) {
  const subscription = (used: string) => ({
    endpoint: ENDPOINT,
    options: { applicationServerKey: Uint8Array.from(atob(used), (char) => char.charCodeAt(0)).buffer },
    toJSON: () => ({ endpoint: ENDPOINT, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: vi.fn(() => Promise.resolve(true)),
  });
  const browser = {
    permission,
    refuses: undefined as DOMException | undefined,
    own: key === undefined ? null : subscription(key),
  };
  const pushManager = {
    getSubscription: () => Promise.resolve(browser.own),
    subscribe: ({ applicationServerKey }: { applicationServerKey: string }) => {
      if (browser.refuses) {
        return Promise.reject(browser.refuses);
      }
      browser.own = subscription(applicationServerKey);
      return Promise.resolve(browser.own);
    },
  };
  const registered = { pushManager, active: { state: 'activated', addEventListener: vi.fn() } };
  const serviceWorker = {
    getRegistration: () => Promise.resolve(registered),
    register: vi.fn(() => Promise.resolve(registered)),
  };
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', {
    get permission() {
      return browser.permission;
    },
    requestPermission: () => Promise.resolve(browser.permission === 'default' ? 'granted' : browser.permission),
  });
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });
  return { browser, serviceWorker };
}

function serve(publicKey: string | null, devices: Device[] = []) {
  const requests: string[] = [];
  serveBridge((path, { method, data }) => {
    requests.push(`${method} ${path}`);
    switch (`${method} ${path}`) {
      case 'GET /push/key':
        return { publicKey };
      case 'GET /push/devices':
        return { devices };
      case 'POST /push/devices': {
        const added = device({ id: 9, name: (data as { name: string }).name, fingerprint: fingerprint() });
        devices.push(added);
        return added;
      }
      case 'POST /push/devices/1/test':
        return { delivered: false, reason: 'The server responds with 503.' };
      default:
        if (method === 'DELETE') {
          devices.splice(0, 1);
        }
        return {};
    }
  });
  return requests;
}
/** SHA-256 of {@link ENDPOINT}. */
let own = '';
const fingerprint = () => own;

beforeEach(async () => {
  signIn(OWN);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(ENDPOINT));
  own = Buffer.from(hash).toString('base64url');
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

it('subscribes this browser and lists it', async () => {
  const { serviceWorker } = stubBrowser();
  const requests = serve('AAAA');
  render(<Devices />);
  expect(await screen.findByText(/Your browser asks/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Notify me on this device' }));
  expect(await screen.findByText('This device')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Notify me on this device' })).toBeNull();
  expect(requests).toContain('POST /push/devices');
  const folder = '/public/plugins/nodebell-notifications-app/';
  expect(serviceWorker.register).toHaveBeenCalledWith(`${folder}sw.js`, { scope: folder });
});

it('without a permission of the user nothing is stored', async () => {
  const { browser } = stubBrowser();
  const requests = serve('AAAA');
  render(<Devices />);
  const button = await screen.findByRole('button', { name: 'Notify me on this device' });
  browser.permission = 'denied';
  fireEvent.click(button);
  expect(await screen.findByText(/are blocked/)).toBeDefined();
  expect(requests).not.toContain('POST /push/devices');
});

it('says what the browser says when it refuses', async () => {
  const { browser } = stubBrowser();
  browser.refuses = new DOMException('Registration failed - permission denied', 'AbortError');
  serve('AAAA');
  render(<Devices />);
  fireEvent.click(await screen.findByRole('button', { name: 'Notify me on this device' }));
  expect(await screen.findByText(/permission denied\. Private windows/)).toBeDefined();
});

it.each([
  ['insecure', () => vi.stubGlobal('isSecureContext', false), /plain HTTP/],
  ['blocked', () => stubBrowser({ permission: 'denied' }), /are blocked/],
  ['unsupported', () => Reflect.deleteProperty(navigator, 'serviceWorker'), /does not support/],
  [
    'ios',
    () => {
      Reflect.deleteProperty(navigator, 'serviceWorker');
      vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 17_0)');
    },
    /Home Screen/,
  ],
])('%s: says why this browser cannot', async (_name, change, text) => {
  stubBrowser();
  change();
  serve('AAAA', [device({})]);
  render(<Devices />);
  expect(await screen.findByText(text)).toBeDefined();
  // Other devices can still be managed.
  expect(screen.getByText('Pixel')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Notify me on this device' })).toBeNull();
});

it('after the keys were replaced, says that the device must subscribe again', async () => {
  stubBrowser({ permission: 'granted', key: 'BBBB' });
  serve('AAAA');
  render(<Devices />);
  expect(await screen.findByText(/replaced the keys/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Notify me on this device' }));
  expect(await screen.findByText('This device')).toBeDefined();
});

it('renames, tests and removes', async () => {
  stubBrowser();
  const requests = serve('AAAA', [device({ lastFailure: 'The server responds with 429.' })]);
  render(<Devices />);
  expect(await screen.findByText('Not delivered: The server responds with 429.')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Send a test to Pixel' }));
  expect(await screen.findByText('The server responds with 503.')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Rename Pixel' }));
  const input = screen.getByRole('textbox', { name: 'Name' });
  fireEvent.change(input, { target: { value: 'Phone' } });
  fireEvent.keyDown(input, { key: 'Enter' });
  await vi.waitFor(() => expect(requests).toContain('PUT /push/devices/1'));
  fireEvent.click(await screen.findByRole('button', { name: 'Remove Pixel' }));
  await vi.waitFor(() => expect(screen.queryByText('Pixel')).toBeNull());
  expect(requests).toContain('DELETE /push/devices/1');
});

it('without a channel, for who has not signed in, and when the bridge fails', async () => {
  stubBrowser();
  serve(null);
  const { unmount } = render(<Devices />);
  expect(await screen.findByText(/Ask an administrator/)).toBeDefined();
  unmount();
  signIn([], { signedIn: false });
  const anonymous = render(<Devices />);
  expect(screen.getByText(/Sign in to Grafana/)).toBeDefined();
  anonymous.unmount();
  signIn(OWN);
  serveBridge(() => {
    throw httpError(502);
  });
  render(<Devices />);
  expect(await screen.findByText('Could not load your devices')).toBeDefined();
});
