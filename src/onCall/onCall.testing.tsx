/** The page On call with a schedule. */
import type { BackendSrvRequest } from '@grafana/runtime';
import type { Schedules } from '@nodebell/contract/onCall.ts';
import { act } from '@testing-library/react';
import { useEffect } from 'react';
import { MemoryRouter, type NavigateFunction, Route, Routes, useNavigate } from 'react-router-dom';
import { vi } from 'vitest';
import { fireEvent, render, screen, serveBridge } from '../component.testing';
import OnCallPage from './OnCallPage';

const NOW = Date.UTC(2030, 0, 8, 8);
const DAY = 86_400_000;
export const iso = (days: number): string => new Date(NOW + days * DAY).toISOString();

export const DATABASE: Schedules['schedules'][number] = {
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
export const LIST: Schedules = {
  schedules: [DATABASE],
  people: [person('ada'), person('bob')],
  mine: [{ schedule: 'database', until: iso(1) }],
};

interface Given {
  path?: string;
  /** Responds to changes. */
  respond?: () => unknown;
}

/** @param list what the bridge responds @returns the changes that were sent */
export function renderPage(list: Schedules | (() => unknown), { path = '/', respond = () => null }: Given = {}) {
  const sent = vi.fn();
  serveBridge((where, { method, data }: BackendSrvRequest) => {
    if (method === 'GET') {
      return typeof list === 'function' ? list() : list;
    }
    sent(method, where, data);
    return respond();
  });
  render(
    <MemoryRouter initialEntries={['/before', path]} initialIndex={1}>
      <Routes>
        <Route path="/" element={<OnCallPage bridgeUrl="http://bridge:8080" />} />
        <Route path="*" element="Another page" />
      </Routes>
      <Navigator />
    </MemoryRouter>
  );
  return sent;
}

let navigate: NavigateFunction;
function Navigator() {
  const current = useNavigate();
  useEffect(() => {
    navigate = current;
  }, [current]);
  return null;
}
export const goBack = () => act(() => void navigate(-1));

export const card = () => screen.findByRole('listitem', { name: 'database' });
export const click = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
export const input = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);
