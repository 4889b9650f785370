import type { BackendSrvRequest } from '@grafana/runtime';
import { beforeEach, expect, it } from 'vitest';
import list from '../../../tests/fixtures/grafana-rules/list.json' with { type: 'json' };
import provisioned from '../../../tests/fixtures/grafana-rules/provisioned.json' with { type: 'json' };
import before from '../../../tests/fixtures/grafana-rules/rule.json' with { type: 'json' };
import versions from '../../../tests/fixtures/grafana-rules/versions.json' with { type: 'json' };
import { fireEvent, httpError, render, screen, serveBridge, signIn, within } from '../../component.testing';
import { RulesTab } from './RulesTab';

type Body = typeof provisioned.body;

/** Grafana with the recorded rules: a write increases the version. */
class Grafana {
  params = [80];
  recovery = [70];
  version = 1;
  by = 'admin';
  readonly puts: BackendSrvRequest[] = [];
  week: unknown = undefined;
  versions: unknown = versions.body;
  respondToPut = () => {
    this.version += 1;
  };

  respond = (path: string, request: BackendSrvRequest): unknown => {
    if (path === '/api/ruler/grafana/api/v1/rules') {
      const [memory, ...others] = list.body.Nodes;
      return {
        ...list.body,
        Nodes: [{ ...memory, rules: [this.rule(), ...(memory?.rules.slice(1) ?? [])] }, ...others],
      };
    }
    if (path.endsWith('/rule/mem-high')) {
      return this.rule();
    }
    if (path.endsWith('/rule/mem-high/versions')) {
      return this.versions;
    }
    if (path === '/api/ds/query') {
      return this.week ?? weekOf([60, 99, 60, 99, 60]);
    }
    if (request.method === 'PUT') {
      this.puts.push(request);
      this.params = (request.data as Body).data[2]?.model.conditions?.[0]?.evaluator.params ?? [];
      this.respondToPut();
      return request.data;
    }
    return this.with(provisioned.body);
  };

  rule() {
    const { grafana_alert: alert, ...rest } = this.with(before.body, before.body.grafana_alert.data);
    const updated_by = { uid: 'u', name: this.by };
    return { ...rest, grafana_alert: { ...alert, version: this.version, updated_by } };
  }

  with<T extends object>(body: T, data?: unknown): T {
    const copy = structuredClone(body);
    const queries = data ? (copy as typeof before.body).grafana_alert.data : (copy as unknown as Body).data;
    const condition = queries[2]?.model.conditions?.[0];
    condition?.evaluator.params.splice(0, 1, ...this.params);
    condition?.unloadEvaluator.params.splice(0, 1, ...this.recovery);
    return copy;
  }
}

/** A value every six hours. */
const weekOf = (values: number[]) => {
  const times = values.map((_, index) => Date.now() - (values.length - index) * 21_600_000);
  const fields = [
    { name: 'time', type: 'time' },
    { name: 'value', type: 'number', labels: {} },
  ];
  return { results: { B: { status: 200, frames: [{ schema: { fields }, data: { values: [times, values] } }] } } };
};

let grafana: Grafana;

beforeEach(() => {
  grafana = new Grafana();
  serveBridge(grafana.respond);
  signIn(['alert.rules:read', 'alert.rules:write']);
});

const rowOf = (title: string) => screen.findByRole('button', { name: title });
const field = (name = 'Threshold for Memory high, as a number') => screen.getByRole('spinbutton', { name });

async function open(title = 'Memory high') {
  render(<RulesTab q="" onSearch={() => undefined} />);
  fireEvent.click(await rowOf(title));
}

function type(value: string, name?: string) {
  fireEvent.change(field(name), { target: { value } });
  fireEvent.keyDown(field(name), { key: 'Enter' });
}

const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('lists the rules by folder, with their conditions', async () => {
  render(<RulesTab q="" onSearch={() => undefined} />);
  await rowOf('Memory high');
  expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent.trim())).toEqual([
    'Nodes2 rules',
    'Provisioned1 rule',
  ]);
  const text = screen.getByRole('list', { name: 'Grafana rules' }).textContent;
  expect(text).toContain('Alerts above 80, recovers below 70');
  expect(text).toContain('Alerts outside 10 to 90');
});

it('searches', async () => {
  render(<RulesTab q="disk" onSearch={() => undefined} />);
  await rowOf('Disk almost full');
  expect(screen.getByRole('status').textContent).toBe('1 of 3 rules');
  expect(screen.queryByRole('button', { name: 'Memory high' })).toBeNull();
});

it('previews a value, and saves nothing before that is confirmed', async () => {
  await open();
  expect(await screen.findByText(/Would not have alerted|Would have alerted/)).toBeDefined();
  type('95');
  expect(await screen.findByText(/Times it would have fired/)).toBeDefined();
  expect(grafana.puts).toEqual([]);
  click('Discard');
  expect((field() as HTMLInputElement).value).toBe('80');
});

it('shows the buttons while a slider moves: later they would move away what is being clicked', async () => {
  await open();
  const slider = screen.getByRole('slider', { name: 'Threshold for Memory high' });
  fireEvent.pointerDown(slider);
  fireEvent.change(slider, { target: { value: '85' } });
  expect(screen.getByRole('button', { name: 'Save' })).toBeDefined();
});

it('saves the value and nothing else, and undoes it', async () => {
  await open();
  type('85');
  click('Save');
  expect(await screen.findByText('Saved in Grafana.')).toBeDefined();
  const [put] = grafana.puts;
  expect(put).toMatchObject({
    url: '/api/v1/provisioning/alert-rules/mem-high',
    headers: { 'X-Disable-Provenance': 'true' },
  });
  const expected = structuredClone(provisioned.body);
  expected.data[2]?.model.conditions?.[0]?.evaluator.params.splice(0, 1, 85);
  expect(put?.data).toEqual(expected);
  await expect.poll(() => screen.getByRole<HTMLButtonElement>('button', { name: 'Undo' }).disabled).toBe(false);
  click('Undo');
  await expect.poll(() => grafana.puts.length).toBe(2);
  expect(grafana.puts[1]?.data).toEqual(provisioned.body);
});

it('shows what another user has saved in the meantime, and overwrites it only after another confirmation', async () => {
  await open();
  type('85');
  Object.assign(grafana, { params: [77], version: 2, by: 'ed' });
  click('Save');
  const alert = await screen.findByRole('alert', { name: /Changed in the meantime/ });
  expect(alert.textContent).toContain('Saved by ed');
  expect(alert.textContent).toContain('Alerts above 77');
  expect(alert.textContent).toContain('Yours: Alerts above 85');
  expect(grafana.puts).toEqual([]);
  click('Replace with my values');
  await expect.poll(() => grafana.puts.length).toBe(1);
  expect(grafana.params).toEqual([85]);
});

it('reports a version that another user has saved between check and write', async () => {
  await open();
  type('85');
  grafana.respondToPut = () => {
    const mine = grafana.params;
    grafana.params = [77];
    grafana.version = 2;
    const theirs = grafana.rule();
    Object.assign(grafana, { params: mine, version: 3, versions: [theirs] });
  };
  click('Save');
  expect(await screen.findByText(/Another user saved this rule at the same moment/)).toBeDefined();
});

it('keeps the values of the other user', async () => {
  await open();
  type('85');
  Object.assign(grafana, { params: [77], version: 2 });
  click('Save');
  await screen.findByRole('alert', { name: /Changed in the meantime/ });
  click('Keep the saved values');
  expect((field() as HTMLInputElement).value).toBe('77');
  expect(grafana.puts).toEqual([]);
});

it('rejects a recovery threshold on the wrong side', async () => {
  await open();
  type('90', 'Recovery threshold of Memory high, as a number');
  expect(screen.getByRole('alert').textContent).toContain('would recover while the condition is still met');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
});

it('restores the values of a version', async () => {
  await open();
  grafana.params = [80];
  click('History');
  const history = await screen.findByRole('list', { name: 'History' });
  const rows = within(history).getAllByRole('listitem');
  expect(rows).toHaveLength(2);
  fireEvent.click(within(rows[0] as HTMLElement).getByRole('button', { name: 'Restore these values' }));
  expect((field() as HTMLInputElement).value).toBe('85');
  expect(grafana.puts).toEqual([]);
});

it('shows a provisioned rule read-only, with the line for its file', async () => {
  await open('Disk almost full');
  type('95', 'Threshold for Disk almost full, as a number');
  expect(screen.getByText('- { evaluator: { type: gt, params: [95] } }')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

it('lets a viewer preview, and not save', async () => {
  signIn(['alert.rules:read']);
  await open();
  type('85');
  expect(screen.getByText('You do not have permission to change rules.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

it('shows the error of the data source', async () => {
  grafana.week = { results: { B: { error: 'no such metric' } } };
  await open();
  expect(await screen.findByText(/Could not load the values: no such metric/)).toBeDefined();
});

it('shows why the list could not be loaded', async () => {
  serveBridge(() => {
    throw httpError(403);
  });
  render(<RulesTab q="" onSearch={() => undefined} />);
  expect(await screen.findByText('Could not load the rules')).toBeDefined();
});
