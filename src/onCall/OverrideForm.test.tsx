import type { Schedules } from '@nodebell/contract/onCall.ts';
import { focusManager } from '@tanstack/react-query';
import { act, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { choose, fireEvent, screen, showMenus, signIn, within } from '../component.testing';
import { card, click, DATABASE, goBack, input, iso, LIST, renderPage } from './onCall.testing';

beforeEach(() => {
  signIn(['nodebell-notifications-app.inbox:write']);
  showMenus();
});
afterEach(() => {
  vi.restoreAllMocks();
  focusManager.setFocused(undefined);
});

/** The page loads its list again. */
const reload = () =>
  act(() => {
    focusManager.setFocused(false);
    focusManager.setFocused(true);
  });
const form = () => screen.queryByRole('dialog');
/** The drawer moves the focus once it is shown. */
const isOpen = () => waitFor(() => expect(form()!.contains(document.activeElement)).toBe(true));
const ADD = 'Add override for database';
const ADDED: Schedules['schedules'][number]['overrides'][number] = {
  ...{ person: 'bob', from: '2030-01-12T10:00', to: '2030-01-12T12:00', id: 'x', by: 'otto' },
  ...{ begins: iso(4), ends: iso(5) },
};

it('adds an override in the time zone of the schedule', async () => {
  const sent = renderPage(LIST, {
    respond: () => ({ person: 'bob', from: '2030-01-08T10:00', to: '2030-01-08T12:00', id: 'x' }),
  });
  await card();
  click(ADD);
  await isOpen();
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
  await waitFor(() => expect(form()).toBeNull());
});

it('a shift is overridden with its times; the error of the bridge is at its field', async () => {
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
  await isOpen();
  expect([input(/^Start/).value, input(/^End/).value]).toEqual(['2030-01-11T09:00', '2030-01-12T09:00']);
  await choose(/On call/, 'bob');
  screen.getByRole('button', { name: 'Save' }).focus();
  click('Save');
  await waitFor(() => expect(screen.getAllByText(detail).length).toBeGreaterThan(1));
  expect(screen.getByText('Could not save the override')).toBeTruthy();
  expect(document.activeElement).toBe(input(/On call/));
});

it('the form keeps its draft when the list is loaded again, also without the schedule; the list stays behind it', async () => {
  const respond = vi.fn((): unknown => LIST);
  renderPage(respond);
  const before = await card();
  click(/^Shifts of/);
  click(ADD);
  await isOpen();
  fireEvent.change(input(/^Start/), { target: { value: '2030-01-08T10:00' } });
  expect(before.isConnected).toBe(true);
  for (const list of [LIST, { ...LIST, schedules: [] }, LIST]) {
    respond.mockClear().mockReturnValue(list);
    reload();
    await waitFor(() => expect(respond).toHaveBeenCalled());
    await waitFor(() => expect(screen.queryAllByText('No schedules yet')).toHaveLength(1 - list.schedules.length));
    expect(input(/^Start/).value).toBe('2030-01-08T10:00');
  }
});

it('the form closes when the list has the new override, and the focus returns', async () => {
  let answer: (list: Schedules) => void = () => undefined;
  const respond = vi.fn((): unknown => LIST);
  const sent = renderPage(respond, { respond: () => ADDED });
  await card();
  screen.getByRole('button', { name: ADD }).focus();
  click(ADD);
  await isOpen();
  await choose(/On call/, 'bob');
  respond.mockClear().mockReturnValue(new Promise((resolve) => (answer = resolve)));
  click('Save');
  await waitFor(() => expect(respond).toHaveBeenCalled());
  click('Save');
  expect(sent).toHaveBeenCalledTimes(1);
  await act(() => Promise.resolve().then(() => answer({ ...LIST, schedules: [{ ...DATABASE, overrides: [ADDED] }] })));
  await waitFor(() => expect(form()).toBeNull());
  const overrides = within(await card()).getByRole('region', { name: 'Overrides' });
  expect(within(overrides).getAllByRole('listitem')).toHaveLength(1);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: ADD })));
});

it('going back closes the form; when it was closed, it does not open it again', async () => {
  renderPage(LIST);
  await card();
  click(ADD);
  await isOpen();
  expect(form()).not.toBeNull();
  goBack();
  await waitFor(() => expect(form()).toBeNull());
  click(ADD);
  await isOpen();
  click('Cancel');
  await waitFor(() => expect(form()).toBeNull());
  goBack();
  expect(form()).toBeNull();
  goBack();
  await screen.findByText('Another page');
});

it('whoever leaves while it is saved stays where they are', async () => {
  let answer: (override: unknown) => void = () => undefined;
  const respond = vi.fn((): unknown => LIST);
  renderPage(respond, { path: '/?override=database', respond: () => new Promise((resolve) => (answer = resolve)) });
  await card();
  await isOpen();
  await choose(/On call/, 'bob');
  click('Save');
  goBack();
  await screen.findByText('Another page');
  await act(() => Promise.resolve().then(() => answer(ADDED)));
  expect(screen.getByText('Another page')).toBeTruthy();
});

it('the focus moves to the first invalid field, and not while the user types', async () => {
  renderPage(LIST);
  await card();
  click(ADD);
  await isOpen();
  await choose(/On call/, 'bob');
  fireEvent.change(input(/^End/), { target: { value: '' } });
  click('Save');
  expect(document.activeElement).toBe(input(/^End/));
  input(/^Start/).focus();
  fireEvent.change(input(/^Start/), { target: { value: '2030-01-08T10:00' } });
  expect(document.activeElement).toBe(input(/^Start/));
});

it('without people nothing can be saved, and the form says why', async () => {
  renderPage({ ...LIST, people: [] });
  await card();
  click(ADD);
  await isOpen();
  const save = within(form()!).getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save.disabled).toBe(true);
  const reason = document.getElementById(save.getAttribute('aria-describedby')!)!;
  expect(reason.textContent).toMatch(/^Nobody can be on call instead/);
  expect(input(/On call/).placeholder).toBe('No people');
});
