import type { BackendSrvRequest } from '@grafana/runtime';
import type { Schedules } from '@nodebell/contract/onCall.ts';
import { waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import {
  choose,
  fireEvent,
  httpError,
  render,
  screen,
  serveBridge,
  showMenus,
  signIn,
  within,
} from '../component.testing';
import OnCallPage from './OnCallPage';

const NOW = Date.UTC(2030, 0, 8, 8);
const DAY = 86_400_000;
const iso = (days: number): string => new Date(NOW + days * DAY).toISOString();

const DATABASE: Schedules['schedules'][number] = {
  name: 'database',
  zone: 'Europe/Berlin',
  file: 'calls.yaml',
  rotations: [{ people: ['ada', 'bob'], every: '1w', from: '2030-01-07T09:00' }],
  overrides: [
    { ...{ person: 'bob', from: '2030-01-09T09:00', to: '2030-01-10T09:00' }, ...{ begins: iso(1), ends: iso(2) } },
    {
      ...{ person: 'dan 🦊', from: '2030-01-10T09:00', to: '2030-01-11T09:00', id: 'o1', by: 'otto' },
      ...{ begins: iso(2), ends: iso(3) },
    },
  ],
  onCall: ['ada'],
  until: iso(1),
  next: ['bob'],
  gaps: [{ from: iso(3), to: iso(4) }],
  shifts: [
    { from: iso(0), to: iso(1), people: ['ada'] },
    { from: iso(1), to: iso(2), people: ['bob'] },
    { from: iso(2), to: iso(3), people: ['dan 🦊'] },
    { from: iso(3), to: iso(4), people: [] },
    { from: iso(4), to: iso(14), people: ['ada', 'bob'] },
  ],
};
const person = (login: string) => ({ login, channels: ['a'], file: 'calls.yaml', reachable: true });
const LIST: Schedules = {
  schedules: [DATABASE],
  people: [person('ada'), person('bob')],
  mine: [{ schedule: 'database', until: iso(1) }],
};

function renderPage(list: Schedules, { path = '/', respond = (): unknown => null } = {}) {
  const sent = vi.fn();
  serveBridge((where, { method, data }: BackendSrvRequest) => {
    if (method === 'GET') {
      return list;
    }
    sent(method, where, data);
    return respond();
  });
  render(
    <MemoryRouter initialEntries={[path]}>
      <OnCallPage bridgeUrl="http://bridge:8080" />
    </MemoryRouter>
  );
  return sent;
}
const card = () => screen.findByRole('listitem', { name: 'database' });
const click = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const input = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);

beforeEach(() => signIn(['nodebell-notifications-app.inbox:write']));

it('shows what is wrong with a calendar, and whom no channel reaches in it', async () => {
  const calendar = { readAt: null, failure: 'calendar.example.org responded with 404.', unknown: ['Eve', 'mallory'] };
  renderPage({ ...LIST, schedules: [{ ...DATABASE, rotations: [], overrides: [], calendar }] });
  const text = (await card()).textContent;
  expect(text).toContain('Could not read the calendar: calendar.example.org responded with 404.');
  expect(text).toContain('Unknown names in the calendar: Eve, mallory');
  expect(text).toContain('No channel reaches dan 🦊');
});

it('shows who is on call, until when, who is next, gaps, and whom no channel reaches', async () => {
  renderPage(LIST);
  const text = (await card()).textContent;
  // In the time zone of the schedule.
  expect(text).toMatch(/ada until Wed,? 9 Jan,? 09:00, then bob/);
  expect(text).toMatch(/Times in Europe\/Berlin/);
  expect(text).toMatch(/Nobody on call from Fri,? 11 Jan,? 09:00/);
  expect(text).toContain('No channel reaches dan 🦊');
  expect(text).toContain('You are on call');
  expect(text).toContain('Provisioned by calls.yaml');
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Download calendar of database' }).href).toContain(
    '/api/v1/schedules/database/calendar?'
  );
  const bars = [...screen.getByRole('img', { name: /Timeline/ }).querySelectorAll<HTMLElement>('[title]')].filter(
    ({ title }) => title.includes('\n')
  );
  expect(
    bars.map((bar) =>
      bar
        .getAttribute('title')!
        .split('\n')
        .filter((_line, at) => at !== 1)
        .join()
    )
  ).toEqual(['ada', 'ada', 'bob,Override', 'bob', 'dan 🦊,Override', 'Nobody on call']);
  click(/^Shifts of the next two weeks \(5\)$/);
  const shifts = screen.getAllByRole('button', { name: /^Override / }).map((one) => one.closest('li')!.textContent);
  expect(shifts[1]).toMatch(/09:00.*bob.*Override/);
  expect(shifts[3]).toMatch(/Nobody on call/);
});

it('adds an override in the time zone of the schedule', async () => {
  showMenus();
  const sent = renderPage(LIST, {
    respond: () => ({ person: 'bob', from: '2030-01-08T10:00', to: '2030-01-08T12:00', id: 'x' }),
  });
  await card();
  click('Add override for database');
  click('Save');
  expect(screen.getByText('A person')).toBeTruthy();
  expect(sent).not.toHaveBeenCalled();
  await choose(/On call/, 'bob');
  fireEvent.change(input(/^Start \(Europe\/Berlin\)/), { target: { value: '2030-01-08T10:00' } });
  fireEvent.change(input(/^End \(Europe\/Berlin\)/), { target: { value: '2030-01-08T09:00' } });
  expect(screen.getByText('A date and time after the start')).toBeTruthy();
  fireEvent.change(input(/^End /), { target: { value: '2030-01-08T12:00' } });
  expect(screen.getByText('Instead of ada')).toBeTruthy();
  click('Save');
  const body = { person: 'bob', from: '2030-01-08T10:00', to: '2030-01-08T12:00' };
  await waitFor(() => expect(sent).toHaveBeenCalledWith('POST', '/schedules/database/overrides', body));
  await card();
});

it('a shift is overridden with its times; the error of the bridge is at its field', async () => {
  showMenus();
  const detail = 'No channel reaches "bob": choose one of ada.';
  renderPage(LIST, {
    respond: () => {
      const problem = { type: 'about:blank', title: 'Invalid', status: 400, detail, id: '1' };
      throw Object.assign(new Error(), {
        status: 400,
        data: { ...problem, errors: [{ pointer: '/person', found: '"bob"', allowed: 'ada', detail }] },
      });
    },
  });
  await card();
  click(/^Shifts of/);
  fireEvent.click(screen.getAllByRole('button', { name: /^Override / })[3]!);
  expect([input(/^Start/).value, input(/^End/).value]).toEqual(['2030-01-11T09:00', '2030-01-12T09:00']);
  await choose(/On call/, 'bob');
  click('Save');
  await waitFor(() => expect(screen.getAllByText(detail).length).toBeGreaterThan(1));
  expect(screen.getByText('Could not save the override')).toBeTruthy();
});

it('removes what was added, after a question; overrides of the file are read-only', async () => {
  const sent = renderPage(LIST);
  const overrides = within(await card()).getByRole('region', { name: 'Overrides' });
  expect(
    within(overrides)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  ).toEqual([
    expect.stringMatching(/^bob, .*In the provisioning file$/),
    expect.stringMatching(/^dan 🦊, .*Added by otto/),
  ]);
  expect(within(overrides).getAllByRole('button')).toHaveLength(1);
  fireEvent.click(within(overrides).getByRole('button', { name: /Delete dan 🦊/ }));
  click('Delete');
  await waitFor(() => expect(sent).toHaveBeenCalledWith('DELETE', '/schedules/database/overrides/o1', undefined));
});

it('viewers change nothing', async () => {
  signIn([]);
  renderPage(LIST, { path: '/?override=database' });
  await card();
  click(/^Shifts of/);
  expect(screen.getByText(/Nobody on call from/)).toBeTruthy();
  // Only the button that expands the shifts.
  expect(screen.getAllByRole('button')).toHaveLength(1);
});

it('without schedules it says how to provision one; many can be searched', async () => {
  const many = Array.from({ length: 50 }, (_one, index) => ({ ...DATABASE, name: `team-${index}` }));
  renderPage({ ...LIST, schedules: [] });
  const link = await screen.findByRole('link', { name: /How to provision a schedule/ });
  expect(link.getAttribute('href')).toMatch(/\/docs\/channels\.md#on-call$/);
  renderPage({ ...LIST, schedules: many });
  const search = await screen.findByPlaceholderText('Search by schedule or person');
  expect(screen.getByText('50 of 50 schedules')).toBeTruthy();
  fireEvent.change(search, { target: { value: 'TEAM-49' } });
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(['team-49']);
  fireEvent.change(search, { target: { value: 'nobody' } });
  expect(screen.getByText('No schedules match')).toBeTruthy();
});

it('shows an error with a button, and what is loading', async () => {
  let isDown = true;
  serveBridge(() => {
    if (isDown) {
      throw httpError(502);
    }
    return LIST;
  });
  render(
    <MemoryRouter>
      <OnCallPage bridgeUrl="http://bridge:8080" />
    </MemoryRouter>
  );
  expect(screen.getByText('Loading schedules…')).toBeTruthy();
  await screen.findByText('The Nodebell bridge is not responding');
  expect(screen.queryByText('Loading schedules…')).toBeNull();
  isDown = false;
  click('Retry now');
  await card();
});
