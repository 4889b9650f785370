import type { AppPluginMeta, PluginConfigPageProps } from '@grafana/data';
import { beforeEach, expect, it, vi } from 'vitest';
import type { BridgeSettings } from '../api/settings';
import { fireEvent, httpError, render, screen, serveBridge, signIn } from '../component.testing';
import ConfigPage from './ConfigPage';

const AT = '2026-11-21T10:00:00.000Z';
const STATUS = { version: '0.1.0', startedAt: AT, auth: 'token', webhookSecret: true, storeWritable: true, pages: 0 };
const TOKEN = { packages: [], createdAt: AT, lastUsedAt: null, lastUsedFrom: null, previous: null, revokedAt: null };

/** Bridge that Grafana reaches; undefined: none. */
let reached: string | undefined;

beforeEach(() => {
  reached = 'first';
  signIn(['nodebell-notifications-app.bridge:admin']);
  serveBridge((path, { method, data }) => {
    if (path.startsWith('/api/plugins/')) {
      reached = (data as { jsonData?: BridgeSettings } | undefined)?.jsonData?.bridgeUrl?.slice(7) ?? reached;
      return {};
    }
    if (reached === undefined) {
      throw httpError(502);
    }
    switch (path.split('?')[0]) {
      case '/status':
        return { ...STATUS, database: 'sqlite', time: new Date().toISOString() };
      case '/tokens':
        return method === 'POST'
          ? { ...TOKEN, id: 'a', name: 'backup job', token: 'nbs_secret' }
          : [{ ...TOKEN, id: 'a', name: `sender of ${reached}` }];
      case '/admin-token':
        return { origin: 'file', previous: null };
      case '/audit':
        return { entries: [], next: null };
      default:
        throw httpError(503);
    }
  });
  const meta = { info: { version: '0.1.0' }, jsonData: { bridgeUrl: 'http://first' }, secureJsonFields: {} };
  const props = { plugin: { meta } } as unknown as PluginConfigPageProps<AppPluginMeta<BridgeSettings>>;
  render(<ConfigPage {...props} />);
});

const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('a connection test that fails does not take away a token that is shown once', async () => {
  expect(await screen.findByText('sender of first')).toBeDefined();
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'backup job' } });
  click('Create token');
  expect((await screen.findByRole('region', { name: 'Token' })).textContent).toBe('nbs_secret');
  reached = undefined;
  click('Test connection');
  await vi.waitFor(() => expect(screen.queryByRole('region', { name: 'Health' })).toBeNull());
  expect(screen.getByRole('region', { name: 'Token' }).textContent).toBe('nbs_secret');
});

it('shows the tokens of another bridge once its address is saved', async () => {
  expect(await screen.findByText('sender of first')).toBeDefined();
  fireEvent.change(document.querySelector('#nodebell-bridge-url')!, { target: { value: 'http://second' } });
  click('Save & test');
  expect(await screen.findByText('sender of second')).toBeDefined();
  expect(screen.queryByText('sender of first')).toBeNull();
});
