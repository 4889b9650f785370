/** The page Silences with a bridge that responds as wanted. */
import type { Maintenance, Suppressions } from '@nodebell/contract/suppression.ts';
import type { BackendSrvRequest } from '@grafana/runtime';
import { MemoryRouter } from 'react-router-dom';
import { vi } from 'vitest';
import { fireEvent, httpError, render, screen, serveBridge } from '../component.testing';
import SilencesPage from './SilencesPage';

export const HOUR = 3_600_000;
export const iso = (ms: number): string => new Date(ms).toISOString();
export const soon = iso(Date.now() + HOUR);

export const WINDOW: Maintenance = {
  id: 'w1',
  name: 'New disk 💾',
  matchers: 'instance="nas"',
  startsAt: iso(Date.now() - HOUR),
  endsAt: soon,
  by: 'anna',
  updatedAt: iso(Date.now() - HOUR),
  state: 'active',
  from: null,
  until: soon,
  threads: 3,
};
export const WEEKLY: Maintenance = {
  ...WINDOW,
  id: 'w2',
  name: 'Backup',
  file: 'a.yaml',
  startsAt: undefined,
  endsAt: undefined,
  weekly: [{ days: ['sun'], from: '02:00', to: '05:00', zone: 'Europe/Berlin' }],
  state: 'pending',
  // Before the active ones end, which are first nevertheless.
  from: iso(Date.now() + HOUR / 4),
  until: iso(Date.now() + 5 * HOUR),
  threads: 0,
};
export const OVER: Maintenance = { ...WINDOW, id: 'w3', name: 'Router', state: 'expired', until: null, threads: 0 };
export const RULE = {
  name: 'node down',
  source_matchers: ['a="1"'],
  target_matchers: ['b="2"'],
  equal: ['c'],
  file: 'a.yaml',
  threads: 1,
};
export const SILENCE = {
  id: 's1',
  alertmanager: 'nodebell',
  by: 'otto',
  comment: 'Known noise',
  startsAt: iso(Date.now() - HOUR),
  until: iso(Date.now() + HOUR / 2),
  matchers: [{ name: 'alertname', value: 'Noise', isRegex: false, isEqual: true }],
  alerts: [{ correlationId: 'c' }],
  state: 'active',
};

export function renderPage(
  list: Suppressions | (() => Suppressions),
  path = '/',
  respond: () => unknown = () => null,
  silences: object[] | Promise<object> | (() => object[]) = [SILENCE]
) {
  const sent = vi.fn();
  serveBridge((where, { method, data }: BackendSrvRequest) => {
    if (method !== 'GET') {
      sent(method, where, data);
      return respond();
    }
    if (where === '/maintenance') {
      return typeof list === 'function' ? list() : list;
    }
    if (where.includes('alertmanager/grafana')) {
      throw httpError(404);
    }
    if (where.startsWith('/silences') && silences instanceof Promise) {
      return silences;
    }
    return where.startsWith('/silences')
      ? {
          alertmanagers: [{ id: 'nodebell', name: 'Nodebell' }],
          silences: typeof silences === 'function' ? silences() : silences,
        }
      : { texts: [], more: false };
  });
  render(
    <MemoryRouter initialEntries={[path]}>
      <SilencesPage bridgeUrl="http://bridge:8080" />
    </MemoryRouter>
  );
  return sent;
}
export const names = () => screen.getAllByRole('listitem').map((one) => one.getAttribute('aria-label'));
export const click = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
export const type = (label: RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
