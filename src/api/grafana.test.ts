import { expect, it, vi } from 'vitest';

const fetch = vi.hoisted(() => vi.fn());
vi.mock('@grafana/runtime', () => ({ getBackendSrv: () => ({ fetch }) }));

import { of, throwError } from 'rxjs';
import { findDashboard, toErrorMessage, saveDashboard } from './grafana';

it('tells whether a dashboard is there', async () => {
  fetch.mockReturnValueOnce(of({ data: {} }));
  expect(await findDashboard('a b')).toBe('there');
  expect(fetch.mock.lastCall?.[0]).toMatchObject({ url: '/api/dashboards/uid/a%20b', showErrorAlert: false });
  fetch.mockReturnValueOnce(throwError(() => ({ status: 404 })));
  expect(await findDashboard('x')).toBe('none');
  fetch.mockReturnValueOnce(throwError(() => ({ status: 500, data: { message: 'down' } })));
  await expect(findDashboard('x')).rejects.toThrow('Grafana rejected the request: down');
});

it('saves over what is there', async () => {
  fetch.mockReturnValueOnce(of({ data: {} }));
  await saveDashboard({ uid: 'x' }, 'why');
  expect(fetch.mock.lastCall?.[0]).toMatchObject({
    method: 'POST',
    url: '/api/dashboards/db',
    data: { dashboard: { uid: 'x' }, overwrite: true, message: 'why' },
  });
});

it('says why it was refused', () => {
  expect(toErrorMessage({ status: 403 })).toMatch(/permission to create/);
  expect(toErrorMessage({ status: 404 })).toMatch(/nodebell dashboards/);
  expect(toErrorMessage(undefined)).toBe('Grafana is not responding.');
});
