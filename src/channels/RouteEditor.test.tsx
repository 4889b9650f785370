import type { BackendSrvRequest } from '@grafana/runtime';
import { type ChannelList, type ChannelStatus, type Route, routeSchema } from '@nodebell/contract/channel.ts';
import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  choose,
  delayed,
  fireEvent,
  httpError,
  render,
  screen,
  serveBridge,
  showMenus,
  signIn,
} from '../component.testing';
import { RouteEditor } from './RouteEditor';
import { RoutesTab } from './RoutesTab';

const channel = (name: string, type: ChannelStatus['type']) =>
  ({ name, type, disabled: false, holds: [], held: 0, routes: [] }) as unknown as ChannelStatus;
const CHANNELS = [channel('phone', 'telegram'), channel('browsers', 'webpush'), channel('upstairs', 'nodebell')];
const FACETS = {
  ...{ total: 0, unseen: 0, open: 0, exact: true, lastId: 0 },
  categories: [],
  packages: [],
  nodes: [{ node: 'attic', open: 0 }],
};

beforeEach(() => {
  signIn(['nodebell-notifications-app.bridge:admin']);
  showMenus();
});
afterEach(() => vi.restoreAllMocks());

function renderEditor(route: Route) {
  serveBridge((path) => (path === '/people' ? { people: [{ key: 'org:1/user:a', name: 'anna' }], me: 'me' } : FACETS));
  const onSave = vi.fn();
  const common = { channels: CHANNELS, isGone: false, busy: false, error: null, onCancel: vi.fn() };
  render(<RouteEditor {...common} route={route} onSave={onSave} />);
  return onSave;
}
const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

it('has a field for each member of the contract, and keeps all of them', async () => {
  // They have no field: only provisioning files and the API configure them.
  const members = ['onCall', 'escalation', 'repeatEvery', 'remindAcknowledged'] as const;
  const fields: Record<Exclude<keyof Route, (typeof members)[number]>, RegExp> = {
    channels: /^Channels/,
    priority: /^Priority/,
    categories: /^Categories/,
    packages: /^Packages/,
    statuses: /^Status/,
    nodes: /^Nodes/,
    matchers: /^Labels/,
    persons: /^Persons/,
    digest: /^Sent/,
    unacknowledged: /^Sent/,
    dropResolved: /^Drop alerts that resolve/,
    continue: /^Try the next/,
  };
  expect(Object.keys(routeSchema.shape).toSorted()).toEqual([...Object.keys(fields), ...members].toSorted());
  const whole: Required<Omit<Route, 'unacknowledged' | (typeof members)[number]>> = {
    channels: ['browsers'],
    priority: 'high',
    categories: ['hardware'],
    packages: ['geth'],
    statuses: ['triggered'],
    nodes: ['attic'],
    matchers: 'team="disks"',
    persons: ['anna'],
    digest: 'weekly fri 08:00 Europe/Berlin',
    dropResolved: true,
    continue: true,
  };
  const onSave = renderEditor(whole);
  for (const label of Object.values(fields)) {
    expect(await screen.findByLabelText(label)).toBeDefined();
  }
  click('Save route');
  expect(onSave).toHaveBeenCalledWith(whole);
});

it('keeps steps of an escalation, also without channels', async () => {
  const route: Route = {
    channels: [],
    onCall: 'database',
    escalation: [{ after: '10m', people: ['bob'], channels: ['phone'] }],
    repeatEvery: '30m',
    remindAcknowledged: '4h',
  };
  const onSave = renderEditor(route);
  expect(
    screen.getByText(
      'All notifications, day and night, to whoever is on call in database, after 10 min to bob and phone, again every 30 min until acknowledged, again every 4 h while acknowledged and open'
    )
  ).toBeDefined();
  await choose(/^Priority/, 'Critical');
  click('Save route');
  expect(onSave).toHaveBeenCalledWith({ ...route, priority: 'critical' });
});

it('labels that are invalid are not saved, also when the mistake is made last', () => {
  const onSave = renderEditor({ channels: ['phone'] });
  type(/^Labels/, 'severity="critical');
  fireEvent.blur(screen.getByLabelText(/^Labels/));
  // A message now would move the button that is being pressed.
  expect(screen.queryByText(/^Character/)).toBeNull();
  click('Save route');
  expect(screen.getByLabelText(/^Labels/).getAttribute('aria-invalid')).toBe('true');
  expect(onSave).not.toHaveBeenCalled();
  type(/^Labels/, 'severity="critical"');
  fireEvent.blur(screen.getByLabelText(/^Labels/));
  click('Save route');
  expect(onSave).toHaveBeenCalledWith({ channels: ['phone'], matchers: 'severity="critical"' });
});

it('nodes and persons have a field where there are some', async () => {
  renderEditor({ channels: ['phone'] });
  expect(await screen.findByLabelText(/^Nodes/)).toBeDefined();
  expect(screen.queryByLabelText(/^Persons/)).toBeNull();
});

it('an escalation: the time is validated, and what was typed stays', async () => {
  const onSave = renderEditor({ channels: ['phone'] });
  await choose(/^Sent/, 'If nobody acknowledges');
  type(/^Within/, '10 minutes');
  click('Save route');
  expect(await screen.findByText('A duration such as 10m or 2h, at most 168h')).toBeDefined();
  expect(screen.getByDisplayValue('10 minutes')).toBeDefined();
  expect(onSave).not.toHaveBeenCalled();
  type(/^Within/, '2h');
  expect(screen.getByText('All notifications, if nobody acknowledges within 2 h, day and night')).toBeDefined();
  click('Save route');
  expect(onSave).toHaveBeenCalledWith({ channels: ['phone'], unacknowledged: '2h' });
});

it('a digest: time, day and zone', async () => {
  const onSave = renderEditor({ channels: ['phone'], digest: 'daily 08:00 Europe/Berlin' });
  type(/^Time$/, '');
  click('Save route');
  expect(await screen.findByText('A time such as 08:00')).toBeDefined();
  type(/^Time$/, '18:30');
  await choose(/^Sent/, 'Digest, weekly');
  await choose(/^Day/, 'Friday');
  click('Save route');
  expect(onSave).toHaveBeenCalledWith({ channels: ['phone'], digest: 'weekly fri 18:30 Europe/Berlin' });
  await choose(/^Sent/, 'Digest, hourly');
  click('Save route');
  expect(onSave).toHaveBeenLastCalledWith({ channels: ['phone'], digest: 'hourly' });
  await choose(/^Sent/, 'At once');
  click('Save route');
  expect(onSave).toHaveBeenLastCalledWith({ channels: ['phone'] });
});

it('without a channel, and with persons of a channel that has none, says what is allowed', async () => {
  const onSave = renderEditor({ channels: [] });
  click('Save route');
  expect(await screen.findByText('Choose at least one channel')).toBeDefined();
  await choose(/^Channels/, 'phone');
  expect(screen.queryByText('Choose at least one channel')).toBeNull();
  click('Save route');
  expect(onSave).toHaveBeenCalledTimes(1);
});

it('persons need a channel with devices', async () => {
  const onSave = renderEditor({ channels: ['phone', 'browsers'], persons: ['anna'] });
  click('Save route');
  expect(await screen.findByText('Only channels of the kind web push have devices of persons')).toBeDefined();
  expect(onSave).not.toHaveBeenCalled();
});

it('persons: those who have been here are suggested', async () => {
  const onSave = renderEditor({ channels: ['browsers'] });
  await choose(/^Persons/, 'anna');
  click('Save route');
  expect(onSave).toHaveBeenCalledWith({ channels: ['browsers'], persons: ['anna'] });
});

it('nothing waits for another bridge: there is no field, or it says so', async () => {
  const onSave = renderEditor({ channels: ['upstairs'] });
  expect(await screen.findByLabelText(/^Nodes/)).toBeDefined();
  expect(screen.queryByLabelText(/^Sent/)).toBeNull();
  expect(screen.queryByLabelText(/^Discard/)).toBeNull();
  click('Save route');
  expect(onSave).toHaveBeenCalledWith({ channels: ['upstairs'] });
});

it.each([{ digest: 'hourly' }, { unacknowledged: '10m' }, { dropResolved: true }])(
  '%o for another bridge',
  async (holding) => {
    const onSave = renderEditor({ channels: ['phone', 'upstairs'], ...holding });
    click('Save route');
    const mistake = 'Channels to another Nodebell need a route that sends at once and discards nothing';
    expect(await screen.findByText(mistake)).toBeDefined();
    expect(screen.getByLabelText(/^Sent/)).toBeDefined();
    expect(onSave).not.toHaveBeenCalled();
  }
);

it('a failed save keeps what was typed; a route that was changed meanwhile is added, and no other one replaced', async () => {
  const list = (...routes: Route[]): ChannelList => ({
    channels: CHANNELS,
    routes: routes.map((route, index) => ({ ...route, index })),
    revision: `of ${routes.length}`,
  });
  const sent = vi.fn();
  let fails = true;
  serveBridge((path, { method, data }: BackendSrvRequest) => {
    if (method === 'PUT') {
      sent(path, data);
      if (fails) {
        throw httpError(502);
      }
      return null;
    }
    return path.startsWith('/notifications/facets') ? FACETS : [];
  });
  const edited: Route = { channels: ['phone'], unacknowledged: '5m' };
  const other: Route = { channels: ['browsers'] };
  const { rerender } = render(<RoutesTab list={list(edited, other)} />);
  click('Edit: All notifications, if nobody acknowledges within 5 min, day and night');
  type(/^Within/, '7m');
  click('Save route');
  expect(await screen.findByText('Could not save the routes')).toBeDefined();
  expect(screen.getByDisplayValue('7m')).toBeDefined();
  rerender(<RoutesTab list={list(other)} />);
  expect(screen.getByText('Somebody has changed this route meanwhile')).toBeDefined();
  expect(screen.getByDisplayValue('7m')).toBeDefined();
  fails = false;
  click('Save route');
  await waitFor(() =>
    expect(sent).toHaveBeenLastCalledWith('/routes', {
      routes: [other, { channels: ['phone'], unacknowledged: '7m' }],
      revision: 'of 1',
    })
  );
  await waitFor(() => expect(screen.queryByDisplayValue('7m')).toBeNull());
});

it('takes no changes while it is saved, since they would be lost when it closes', async () => {
  const saving = delayed(null);
  serveBridge((path, { method }: BackendSrvRequest) =>
    method === 'PUT' ? saving.promise : path.startsWith('/notifications/facets') ? FACETS : []
  );
  const edited: Route = { channels: ['phone'], unacknowledged: '5m' };
  render(<RoutesTab list={{ channels: CHANNELS, routes: [{ ...edited, index: 0 }], revision: 'r1' }} />);
  click('Edit: All notifications, if nobody acknowledges within 5 min, day and night');
  type(/^Within/, '7m');
  click('Save route');
  expect(await screen.findByRole('button', { name: 'Saving…' })).toBeDefined();
  type(/^Within/, '9m');
  expect(screen.getByLabelText<HTMLInputElement>(/^Within/).value).toBe('7m');
  await saving.release();
  await waitFor(() => expect(screen.queryByLabelText(/^Within/)).toBeNull());
});
