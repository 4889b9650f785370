import { type DataSourceSrv, setDataSourceSrv } from '@grafana/runtime';
import { beforeEach, expect, it, vi } from 'vitest';
import recorded from '../../../tests/fixtures/grafana-rules/external.json' with { type: 'json' };
import { httpError, render, screen, serveBridge, showMenus, signIn, within } from '../../component.testing';
import { Grafana } from './grafana.testing';
import { RulesTab } from './RulesTab';

const READ = ['alert.rules:read', 'alert.rules.external:read'];

/** Responses by the uid of a data source. */
let rulers: Record<string, () => unknown>;
const requested = vi.fn();
let isEmpty: boolean;
beforeEach(() => {
  signIn(READ);
  isEmpty = false;
  rulers = { prom: () => recorded.body };
  requested.mockClear();
  const sources = [
    { uid: 'prom', name: 'Prometheus', type: 'prometheus', jsonData: {} },
    { uid: 'loki', name: 'Logs', type: 'loki', jsonData: {} },
    { uid: 'off', name: 'Unmanaged', type: 'prometheus', jsonData: { manageAlerts: false } },
    { uid: 'am', name: 'Alertmanager', type: 'alertmanager', jsonData: {} },
  ];
  const getList = ({ type }: { type: string[] }) => sources.filter((one) => type.includes(one.type));
  setDataSourceSrv({ getList } as unknown as DataSourceSrv);
  const grafana = new Grafana();
  serveBridge((path, request) => {
    const uid = /^\/api\/prometheus\/([^/]+)\/api\/v1\/rules$/.exec(path)?.[1];
    if (uid === undefined) {
      return isEmpty ? {} : grafana.respond(path, request);
    }
    requested(uid);
    const respond = rulers[uid];
    if (respond === undefined) {
      throw httpError(404);
    }
    return respond();
  });
});

const show = (q = '') => render(<RulesTab q={q} onSearch={() => undefined} />);

it('lists the alert rules of other rulers with their queries, read-only', async () => {
  showMenus();
  show();
  const link = await screen.findByText('TargetDown');
  expect(link.getAttribute('href')).toBe('/alerting/Prometheus/TargetDown/find');
  const row = within(link.closest('li')!);
  expect(row.getByText('up == 0')).toBeDefined();
  expect(row.getByText('Group host, pending for 5 min · external-rules.yaml')).toBeDefined();
  expect(row.queryByRole('button')).toBeNull();
  expect(screen.getByText('Prometheus').parentElement?.textContent).toContain('2 rules');
  expect(screen.getByText(/^Read-only: the data source evaluates these rules/)).toBeDefined();
  expect(screen.queryByText('instance:load')).toBeNull();
  // A data source without a ruler is none, and Grafana does not manage the alerts of another.
  expect(screen.queryByText(/^(Logs|Unmanaged)$/)).toBeNull();
  expect(requested.mock.calls.flat().sort()).toEqual(['loki', 'prom']);
});

it('finds them by query, group, file and data source', async () => {
  showMenus();
  show('prometheus up ==');
  expect(await screen.findByText('TargetDown')).toBeDefined();
  expect(screen.queryByText('Watchdog')).toBeNull();
  expect(screen.getByText(/^1 of \d+ rules$/)).toBeDefined();
});

it.each([
  ['is not responding', () => httpError(502, 'bad gateway'), /^Could not load these rules: .+/],
  ['may not be read', () => httpError(403), /^Could not load these rules: You do not have permission/],
])('says that a ruler %s, beside the rules of Grafana', async (_, error, text) => {
  showMenus();
  rulers['prom'] = () => {
    throw error();
  };
  show();
  expect(await screen.findByText(text)).toBeDefined();
  expect(await screen.findByText('Memory high')).toBeDefined();
});

it('says that a response is no list of rules', async () => {
  showMenus();
  rulers['prom'] = () => ({ status: 'success' });
  show();
  expect(await screen.findByText('Could not load these rules: This is not a list of rules.')).toBeDefined();
});

it('are shown where Grafana has no rules of its own', async () => {
  showMenus();
  isEmpty = true;
  show();
  expect(await screen.findByText('TargetDown')).toBeDefined();
  expect(screen.queryByText('No alert rules')).toBeNull();
});

it('requests nothing without the permission', async () => {
  signIn(READ.slice(0, 1));
  isEmpty = true;
  show();
  expect(await screen.findByText('No alert rules')).toBeDefined();
  expect(requested).not.toHaveBeenCalled();
});
