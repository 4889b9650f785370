import type { Endpoint, EndpointPatch } from '@nodebell/contract/endpoint.ts';
import { act } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { BridgeError } from '../../api/errors';
import { fireEvent, render, screen } from '../../component.testing';
import { anEndpoint, aSwitch, aThreshold } from '../thresholds.testing';
import { EndpointRow } from './EndpointRow';

const slider = () => screen.getByRole<HTMLInputElement>('slider');
const field = () => screen.getByRole<HTMLInputElement>('spinbutton');
const text = () => screen.getByRole('listitem').textContent;

function type(value: string) {
  fireEvent.change(field(), { target: { value } });
  fireEvent.keyDown(field(), { key: 'Enter' });
}

/** Saves like the bridge: the next render has the saved threshold. */
function renderRow(change: Partial<Endpoint> = {}, { viewer = false } = {}) {
  const endpoint = anEndpoint(change);
  const row = (one: Endpoint, save: ((patch: EndpointPatch) => Promise<unknown>) | undefined) => (
    <ul>
      <EndpointRow endpoint={one} save={save} explained={false} />
    </ul>
  );
  const save = vi.fn((_: EndpointPatch): Promise<unknown> => Promise.resolve());
  const { rerender } = render(row(endpoint, viewer ? undefined : save));
  return {
    save,
    /** The bridge responds with this value. */
    apply: (value: number) =>
      rerender(row({ ...endpoint, threshold: aThreshold({ value, origin: 'user' }) }, viewer ? undefined : save)),
  };
}

const settled = () => act(() => new Promise((resolve) => setTimeout(resolve)));

describe('the number field', () => {
  it.each([
    ['101', 'Must be between 0 and 100 %. 80 % stays in effect.'],
    ['eighty', 'Not a number. 80 % stays in effect.'],
    ['82,5', 'Use a point for decimals'],
    ['', 'Enter a number'],
  ])('rejects %j with an error, and saves nothing', async (typed, reason) => {
    const { save } = renderRow();
    type(typed);
    expect(screen.getByRole('alert').textContent).toContain(reason);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    fireEvent.blur(field());
    await settled();
    expect(save).not.toHaveBeenCalled();
  });

  it('accepts a decimal after an error, and shows it on the slider', async () => {
    const { save } = renderRow();
    type('101');
    type('82.5');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(save.mock.calls).toEqual([[{ threshold: 82.5 }]]);
    expect(slider().value).toBe('82.5');
    await settled();
  });
});

it('resets to the default of the package', async () => {
  const { save } = renderRow({ threshold: aThreshold({ value: 60, origin: 'user' }) });
  fireEvent.click(screen.getByRole('button', { name: 'Reset to 80 %' }));
  expect(save.mock.calls).toEqual([[{ threshold: null }]]);
  expect(text()).toContain('80');
  await settled();
});

it('reverts a failed save, with the error and a retry', async () => {
  const { save, apply } = renderRow();
  save.mockRejectedValueOnce(new BridgeError('unreachable', 'bad gateway', 502));
  type('60');
  await settled();
  expect(screen.getByRole('alert').textContent).toContain(
    'Not saved, 80 % stays in effect: The bridge is not responding.'
  );
  expect(slider().value).toBe('80');
  save.mockImplementation(() => Promise.resolve(apply(60)));
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await settled();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(slider().value).toBe('60');
  expect(save.mock.lastCall).toEqual([{ threshold: 60 }]);
});

it('shows the last value during slow saves, and never the previous one again', async () => {
  const { save, apply } = renderRow();
  const responses: Array<() => void> = [];
  save.mockImplementation(() => new Promise<void>((resolve) => responses.push(resolve)));
  type('40');
  expect(slider().value).toBe('40');
  type('30');
  expect(slider().value).toBe('30');
  responses[0]?.();
  apply(40);
  await settled();
  expect(slider().value).toBe('30');
  responses[1]?.();
  apply(30);
  await settled();
  expect(slider().value).toBe('30');
});

it('shows a value out of range, and does not change it by focus', async () => {
  const { save } = renderRow({ threshold: aThreshold({ value: 150, shipped: 150, outOfRange: 'above the range' }) });
  expect(field().value).toBe('150');
  expect(text()).toContain('150 % is outside the range 0 to 100 %.');
  for (const control of [field(), slider()]) {
    fireEvent.focus(control);
    fireEvent.blur(control);
  }
  await settled();
  expect(save).not.toHaveBeenCalled();
});

it('announces the value with its unit', () => {
  renderRow();
  expect(slider().getAttribute('aria-valuetext')).toBe('80 %');
});

it('a Viewer sees values and states, and can change nothing', () => {
  renderRow(
    { threshold: aThreshold({ value: 60, origin: 'user', recommends: { from: 80, to: 85, detail: '' } }) },
    { viewer: true }
  );
  expect(text()).toMatch(/Alerts above 60/);
  expect(text()).toContain('On');
  expect(screen.queryByRole('switch')).toBeNull();
  expect(slider().disabled).toBe(true);
  expect(field().disabled).toBe(true);
  expect(screen.queryAllByRole('button')).toEqual([]);
});

it('without a metric there is the condition, and why it has no threshold', () => {
  const { threshold: _, metric: __, ...rest } = anEndpoint();
  const endpoint: Endpoint = {
    ...rest,
    condition: { shipped: '[BODY].result == false', effective: '[BODY].result == false' },
    readOnly: 'No threshold: the condition compares with `false`.',
  };
  render(
    <ul>
      <EndpointRow endpoint={endpoint} save={undefined} explained={false} />
    </ul>
  );
  expect(screen.queryByRole('slider')).toBeNull();
  expect(text()).toContain('[BODY].result == false');
  expect(text()).toContain('No threshold: the condition compares with false.');
});

it('a new recommendation is shown, and can be used or dismissed', async () => {
  const { save } = renderRow({
    threshold: aThreshold({ value: 60, shipped: 85, origin: 'user', recommends: { from: 80, to: 85, detail: '' } }),
  });
  expect(text()).toContain('The package now recommends 85 %. Your value is 60 %.');
  fireEvent.click(screen.getByRole('button', { name: 'Keep 60 %' }));
  expect(save.mock.lastCall).toEqual([{ threshold: 60 }]);
  await settled();
  fireEvent.click(screen.getByRole('button', { name: 'Use 85 %' }));
  expect(save.mock.lastCall).toEqual([{ threshold: null }]);
  await settled();
});

it('a provisioned threshold is read-only and names its file', () => {
  renderRow({ threshold: aThreshold({ origin: 'provisioned', file: 'settings.yaml' }) });
  expect(text()).toContain('Read-only: provisioned from settings.yaml');
  expect(slider().disabled).toBe(true);
  expect(screen.queryAllByRole('button')).toEqual([]);
});

it('shows the state of its settings in each monitor', () => {
  const nextTryAt = new Date(Date.now() + 30_000).toISOString();
  renderRow({
    effects: [
      { monitor: 'gatus', state: 'pending', reason: 'The file cannot be written.', nextTryAt },
      { monitor: 'prometheus', state: 'applied' },
      { monitor: 'grafana', state: 'read-only', reason: 'A file provisions the rule.' },
    ],
    cautions: ['Gatus truncates decimals.'],
  });
  expect(text()).toMatch(/Gatus pending: The file cannot be written. Retrying in \d+ s/);
  expect(text()).toContain('Prometheus rule applied');
  expect(text()).toContain('Grafana rule read-only: A file provisions the rule.');
  expect(text()).toContain('Gatus truncates decimals.');
});

it('shows why it is not active', () => {
  renderRow({ active: false, inactive: 'It needs lighthouse, which is not registered.' });
  expect(text()).toContain('Not active: It needs lighthouse, which is not registered.');
});

describe('the switch', () => {
  it('saves, and disables the threshold while off', async () => {
    const { save } = renderRow();
    fireEvent.click(screen.getByRole('switch', { name: 'Notify about CPU usage' }));
    expect(save.mock.calls).toEqual([[{ enabled: false }]]);
    expect(slider().disabled).toBe(true);
    await settled();
  });

  it('keeps its value and is disabled while its category is muted', () => {
    renderRow({ mutedBy: ['category'] });
    const toggle = screen.getByRole<HTMLInputElement>('switch');
    expect(text()).toContain('Muted by category Hardware');
    expect([toggle.checked, toggle.disabled]).toEqual([true, true]);
  });

  it('is disabled if provisioned', () => {
    renderRow({ enabled: aSwitch({ origin: 'provisioned', file: 'settings.yaml' }) });
    expect(screen.getByRole<HTMLInputElement>('switch').disabled).toBe(true);
  });
});
