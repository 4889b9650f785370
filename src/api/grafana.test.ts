import { describe, expect, it, vi } from 'vitest';

const fetch = vi.hoisted(() => vi.fn());
vi.mock('@grafana/runtime', () => ({ getBackendSrv: () => ({ fetch }), config: { namespace: 'org-2' } }));

import { of, throwError } from 'rxjs';
import { findDashboard, hasContactPoint, saveDashboard, toErrorMessage } from './grafana';

it('reports whether a dashboard exists', async () => {
  fetch.mockReturnValueOnce(of({ data: {} }));
  expect(await findDashboard('a b')).toBe('there');
  expect(fetch.mock.lastCall?.[0]).toMatchObject({ url: '/api/dashboards/uid/a%20b', showErrorAlert: false });
  fetch.mockReturnValueOnce(throwError(() => ({ status: 404 })));
  expect(await findDashboard('x')).toBe('none');
  fetch.mockReturnValueOnce(throwError(() => ({ status: 500, data: { message: 'down' } })));
  await expect(findDashboard('x')).rejects.toThrow('Grafana rejected the request: down');
});

it('overwrites an existing dashboard', async () => {
  fetch.mockReturnValueOnce(of({ data: {} }));
  await saveDashboard({ uid: 'x' }, 'why');
  expect(fetch.mock.lastCall?.[0]).toMatchObject({
    method: 'POST',
    url: '/api/dashboards/db',
    data: { dashboard: { uid: 'x' }, overwrite: true, message: 'why' },
  });
});

it('reports why a request was rejected', () => {
  expect(toErrorMessage({ status: 403 })).toMatch(/permission to create/);
  expect(toErrorMessage({ status: 404 })).toMatch(/nodebell dashboards/);
  expect(toErrorMessage(undefined)).toBe('Grafana is not responding.');
});

describe('hasContactPoint', () => {
  const BEFORE = '/apis/notifications.alerting.grafana.app/v0alpha1/namespaces/org-2/receivers';
  const NOW = '/apis/notifications.alerting.grafana.app/v1beta1/namespaces/org-2/receivers';
  const requested: string[] = [];
  const respond = (responses: Record<string, unknown>) => {
    requested.length = 0;
    fetch.mockImplementation(({ url }: { url: string }) => {
      requested.push(url);
      return url in responses ? of({ data: responses[url] }) : throwError(() => ({ status: 410 }));
    });
  };

  it('finds a contact point in Grafana 12.4', async () => {
    respond({ [BEFORE]: { items: [{ spec: { title: 'empty' } }, { spec: { title: 'Nodebell' } }] } });
    expect([await hasContactPoint('Nodebell'), await hasContactPoint('Other')]).toEqual([true, false]);
    expect(requested).toEqual([BEFORE, BEFORE]);
  });

  it('finds a contact point in later releases', async () => {
    respond({ [NOW]: { items: [{ spec: { title: 'Nodebell' } }, {}] } });
    expect([await hasContactPoint('Nodebell'), await hasContactPoint('Other')]).toEqual([true, false]);
  });

  it('finds none when the request fails or the response is invalid', async () => {
    respond({});
    expect(await hasContactPoint('Nodebell')).toBe(false);
    respond({ [BEFORE]: 'something else', [NOW]: {} });
    expect(await hasContactPoint('Nodebell')).toBe(false);
  });
});
