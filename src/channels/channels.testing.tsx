/** The page Channels with a bridge that serves a list. */
import type { BackendSrvRequest } from '@grafana/runtime';
import type { ChannelList, ChannelStatus } from '@nodebell/contract/channel.ts';
import { MemoryRouter } from 'react-router-dom';
import { vi } from 'vitest';
import { fireEvent, render, screen, serveBridge } from '../component.testing';
import { Devices } from '../push/Devices';
import ChannelsPage from './ChannelsPage';

export const PUSH: ChannelStatus = {
  name: 'push',
  type: 'ntfy',
  target: 'ntfy.example.org',
  giveUpAfter: '24h',
  perMinute: 30,
  disabled: false,
  settings: { url: 'https://ntfy.example.org', giveUpAfter: '24h', perMinute: 30 },
  has: ['topic', 'token'],
  state: 'ok',
  failingSince: null,
  lastDeliveredAt: '2026-01-02T10:00:00.000Z',
  lastFailure: null,
  waiting: 0,
  held: 0,
  holds: [],
  undelivered: 0,
  routes: [{ channels: ['push'], priority: 'high', categories: ['hardware'], index: 0 }],
};
export const OF_FILE: ChannelStatus = { ...PUSH, name: 'hook', type: 'webhook', file: 'reach.yaml', routes: [] };
export const NOTHING: ChannelList = { channels: [], routes: [], revision: 'r0' };
export const listOf = (...channels: ChannelStatus[]): ChannelList => ({
  channels,
  routes: channels.flatMap(({ routes }) => routes),
  revision: 'r1',
});
export const FACETS = { ...{ total: 0, unseen: 0, open: 0, exact: true }, lastId: 0, categories: [], packages: [] };

/** @param respond to changes, and to what is not listed here */
export function renderPage(
  list: ChannelList | (() => ChannelList),
  path = '/',
  respond: (path: string) => unknown = () => null
) {
  const sent = vi.fn();
  serveBridge((where, { method, data }: BackendSrvRequest) => {
    if (method !== 'GET') {
      sent(method, where, data);
      return respond(where);
    }
    if (where === '/channels') {
      return typeof list === 'function' ? list() : list;
    }
    return where.startsWith('/notifications/facets') ? FACETS : respond(where);
  });
  render(
    <MemoryRouter initialEntries={[path]}>
      <ChannelsPage bridgeUrl="http://bridge:8080" devices={<Devices />} />
    </MemoryRouter>
  );
  return sent;
}
export const click = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
export const type = (label: RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
