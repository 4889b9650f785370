import type { BackendSrvRequest } from '@grafana/runtime';
import type { PersonHours } from '@nodebell/contract/hours.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { choose, fireEvent, httpError, render, screen, serveBridge, showMenus, signIn } from '../component.testing';
import { OwnQuietHours } from './OwnQuietHours';

const NONE: PersonHours = { quietHours: [], passing: 'critical' };
const NIGHT = { days: ['mon-fri'], from: '22:00', to: '07:00', zone: 'Europe/Berlin' };

beforeEach(() => {
  signIn(['nodebell-notifications-app.push:own']);
  showMenus();
});
afterEach(() => vi.restoreAllMocks());

function renderHours(stored: PersonHours, fails: () => Error | undefined = () => undefined) {
  const sent = vi.fn();
  let current = stored;
  serveBridge((_path, { method, data }: BackendSrvRequest) => {
    const error = fails();
    if (error) {
      throw error;
    }
    if (method === 'PUT') {
      sent(data);
      current = data as PersonHours;
      return null;
    }
    return current;
  });
  render(<OwnQuietHours />);
  return sent;
}
const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

it('none yet: they are set, and shown as a sentence', async () => {
  const sent = renderHours(NONE);
  expect(await screen.findByText('None: your devices are notified day and night.')).toBeDefined();
  click('Set quiet hours');
  for (const day of ['Sat', 'Sun']) {
    fireEvent.click(screen.getByRole('checkbox', { name: day }));
  }
  type('From', '21:30');
  await choose(/^Time zone/, 'Europe/Berlin');
  await choose(/^Sent in quiet hours/, 'Critical and important');
  click('Save quiet hours');
  expect(await screen.findByText('Mon–Fri 21:30–07:00 (Europe/Berlin)')).toBeDefined();
  expect(screen.getByText(/Sent anyway: Critical and important/)).toBeDefined();
  expect(sent).toHaveBeenCalledWith({ quietHours: [{ ...NIGHT, from: '21:30' }], passing: 'high' });
});

it('says what is allowed where hours are invalid, and sends nothing', async () => {
  const sent = renderHours({ quietHours: [NIGHT], passing: 'none' });
  expect(await screen.findByText('All notifications wait until they end.')).toBeDefined();
  click('Edit quiet hours');
  type('To', '22:00');
  for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']) {
    fireEvent.click(screen.getByRole('checkbox', { name: day }));
  }
  click('Save quiet hours');
  expect(await screen.findByText('Choose at least one day')).toBeDefined();
  expect(screen.getByText(/Another time than the first/)).toBeDefined();
  type('To', '');
  expect(screen.getByText('A time such as 22:00')).toBeDefined();
  expect(sent).not.toHaveBeenCalled();
});

it('hours that never end are refused before they are sent', async () => {
  const sent = renderHours(NONE);
  fireEvent.click(await screen.findByRole('button', { name: 'Set quiet hours' }));
  type('From', '00:00');
  type('To', '00:00');
  click('Save quiet hours');
  expect(await screen.findByText(/cover the whole week/)).toBeDefined();
  expect(sent).not.toHaveBeenCalled();
});

it('a failed save keeps what was typed; cancelling keeps what was stored', async () => {
  const bridge: { error?: Error } = {};
  renderHours({ quietHours: [NIGHT], passing: 'critical' }, () => bridge.error);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit quiet hours' }));
  type('From', '23:15');
  bridge.error = httpError(502);
  click('Save quiet hours');
  expect(await screen.findByText('Could not save your quiet hours')).toBeDefined();
  expect(screen.getByDisplayValue('23:15')).toBeDefined();
  click('Cancel');
  expect(document.activeElement?.textContent).toBe('Edit quiet hours');
  expect(await screen.findByText('Mon–Fri 22:00–07:00 (Europe/Berlin)')).toBeDefined();
});

it('Escape closes an open menu, then the form, and nothing around it', async () => {
  const around = vi.fn();
  serveBridge(() => ({ quietHours: [NIGHT], passing: 'critical' }));
  render(
    <div onKeyDown={around}>
      <OwnQuietHours />
    </div>
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Edit quiet hours' }));
  const zone = screen.getByLabelText('Time zone');
  fireEvent.click(zone);
  expect(zone.getAttribute('aria-expanded')).toBe('true');
  fireEvent.keyDown(zone, { key: 'Escape' });
  expect(zone.getAttribute('aria-expanded')).toBe('false');
  fireEvent.keyDown(screen.getByLabelText('From'), { key: 'Escape' });
  expect(await screen.findByRole('button', { name: 'Edit quiet hours' })).toBeDefined();
  expect(around).not.toHaveBeenCalled();
});

it('removes them all', async () => {
  const sent = renderHours({ quietHours: [NIGHT], passing: 'critical' });
  fireEvent.click(await screen.findByRole('button', { name: 'Edit quiet hours' }));
  click('Remove: Quiet hours 1');
  expect(document.activeElement?.textContent).toBe('Add quiet hours');
  click('Save quiet hours');
  expect(await screen.findByText(/^None/)).toBeDefined();
  expect(sent).toHaveBeenCalledWith(NONE);
});

it('an error while loading, and again', async () => {
  let error: Error | undefined = httpError(502);
  renderHours({ quietHours: [NIGHT], passing: 'critical' }, () => error);
  expect(await screen.findByText('Could not load your quiet hours')).toBeDefined();
  error = undefined;
  click('Retry');
  expect(await screen.findByText('Mon–Fri 22:00–07:00 (Europe/Berlin)')).toBeDefined();
});
