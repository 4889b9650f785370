import { waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import provisioned from '../../../tests/fixtures/grafana-rules/provisioned.json' with { type: 'json' };
import {
  fireEvent,
  httpError,
  render,
  screen,
  serveBridge,
  serveQueries,
  signIn,
  within,
} from '../../component.testing';
import { Grafana } from './grafana.testing';
import { RulesTab } from './RulesTab';

let grafana: Grafana;

beforeEach(() => {
  grafana = new Grafana();
  serveBridge(grafana.respond);
  serveQueries();
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

function save(value: string) {
  type(value);
  click('Save');
}

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
  save('85');
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

it('keeps what is not saved while a search finds nothing', async () => {
  const tab = (q: string) => <RulesTab q={q} onSearch={() => undefined} />;
  const { rerender } = render(tab(''));
  fireEvent.click(await rowOf('Memory high'));
  type('85');
  rerender(tab('no such rule'));
  expect(await screen.findByText('No rules found')).toBeDefined();
  rerender(tab(''));
  await rowOf('Memory high');
  expect((field() as HTMLInputElement).value).toBe('85');
});

it('a row that is closed while it is saved is saved', async () => {
  await open();
  save('85');
  click('Memory high');
  expect(await screen.findByText(/Alerts above 85/)).toBeDefined();
  await waitFor(() => expect(screen.queryByText('Not saved')).toBeNull());
});

it('keeps a value that is chosen while another one is being saved', async () => {
  await open();
  save('85');
  type('88');
  // The row has the saved value, the slider the other one.
  await waitFor(() => expect(screen.getAllByText(/Alerts above 85/)).toHaveLength(1));
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(false));
  expect((field() as HTMLInputElement).value).toBe('88');
});

it('does not offer to undo what another user has changed since', async () => {
  await open();
  save('85');
  expect(await screen.findByText('Saved in Grafana.')).toBeDefined();
  Object.assign(grafana, { params: [77], version: 3 });
  new BroadcastChannel('nodebell-rules').postMessage('saved');
  await waitFor(() => expect(screen.getAllByText(/Alerts above 77/)).toHaveLength(2));
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
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
  click('Discard');
  expect(screen.queryByText('Not saved')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull();
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
  expect(await screen.findByText(/Could not load the history: no such metric/)).toBeDefined();
});

it('shows why the list could not be loaded', async () => {
  serveBridge(() => {
    throw httpError(403);
  });
  render(<RulesTab q="" onSearch={() => undefined} />);
  expect(await screen.findByText('Could not load the rules')).toBeDefined();
});
