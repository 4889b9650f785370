import { waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it } from 'vitest';
import { fireEvent, httpError, render, returnToTab, screen, serveBridge, signIn, within } from '../component.testing';
import OnCallPage from './OnCallPage';
import { card, click, DATABASE, iso, LIST, renderPage } from './onCall.testing';

beforeEach(() => signIn(['nodebell-notifications-app.inbox:write']));

it('shows what is wrong with a calendar, and whom no channel reaches in it', async () => {
  const calendar = { readAt: null, failure: 'calendar.example.org responded with 404.', unknown: ['Eve', 'mallory'] };
  renderPage({ ...LIST, schedules: [{ ...DATABASE, rotations: [], overrides: [], calendar }] });
  const text = (await card()).textContent;
  expect(text).toContain('Could not read the calendar: calendar.example.org responded with 404.');
  expect(text).toContain('Unknown names in the calendar: Eve, mallory');
  expect(text).toContain('No channel reaches dan 🦊');
});

it.each([
  ['read', { readAt: iso(0), failure: null }, 'Provisioned by calls.yaml · Calendar read Tue 8 Jan, 09:00'],
  ['not read yet', { readAt: null, failure: null }, 'Provisioned by calls.yaml · Calendar not read yet'],
  [
    'stale',
    { readAt: iso(0), failure: 'The server responds with 404.' },
    'Stale calendar, last read Tue 8 Jan, 09:00: The server responds with 404.',
  ],
])('shows when the calendar was read, in the time zone of the schedule: %s', async (_name, calendar, expected) => {
  renderPage({ ...LIST, schedules: [{ ...DATABASE, calendar: { ...calendar, unknown: [] } }] });
  expect((await card()).textContent.replace(/(Tue),/, '$1')).toContain(expected);
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

it('a tab that is shown again reads who is on call; the focus stays in the shifts', async () => {
  let list = LIST;
  renderPage(() => list);
  expect((await card()).textContent).toContain('You are on call');
  click(/^Shifts of/);
  const button = screen.getAllByRole('button', { name: /^Override / })[0]!;
  button.focus();
  const [first, ...shifts] = DATABASE.shifts;
  list = { ...LIST, mine: [], schedules: [{ ...DATABASE, shifts: [{ ...first!, from: iso(0.25) }, ...shifts] }] };
  returnToTab();
  await waitFor(() => expect(screen.queryByText(/You are on call/)).toBeNull());
  expect(document.activeElement).toBe(button);
});
