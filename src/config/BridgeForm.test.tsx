import { expect, it, vi } from 'vitest';
import { fireEvent, render, screen } from '../component.testing';
import { BridgeForm } from './BridgeForm';

function renderForm(props: Partial<Parameters<typeof BridgeForm>[0]> = {}) {
  const handlers = { onSave: vi.fn(() => Promise.resolve(true)), onTest: vi.fn() };
  const saved = { bridgeUrl: 'http://bridge:8080', tokenSet: true, busy: undefined, failure: undefined };
  const { container } = render(<BridgeForm {...saved} {...handlers} {...props} />);
  const input = (id: string) => container.querySelector<HTMLInputElement>(`#nodebell-bridge-${id}`)!;
  const type = (id: string, value: string) => fireEvent.change(input(id), { target: { value } });
  return { ...handlers, container, input, type };
}

const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save & test' });
const test = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Test connection' });

it('without a URL nothing can be tested', () => {
  renderForm({ bridgeUrl: '', tokenSet: false });
  expect([save().disabled, test().disabled]).toEqual([true, true]);
});

it('tests what is saved, and saves what has changed', () => {
  const { onTest, type } = renderForm();
  expect([save().disabled, test().disabled]).toEqual([true, false]);
  fireEvent.click(test());
  expect(onTest).toHaveBeenCalledTimes(1);
  type('url', 'http://other:8080');
  expect([save().disabled, test().disabled]).toEqual([false, true]);
});

it('rejects an invalid URL with an error', () => {
  const { onSave, type } = renderForm({ bridgeUrl: '' });
  type('url', 'bridge:8080');
  fireEvent.click(save());
  expect(screen.getByRole('alert').textContent).toContain('starts with http://');
  expect(onSave).not.toHaveBeenCalled();
});

it('saves the URL without a trailing slash, and leaves the token unchanged', () => {
  const { onSave, type, input } = renderForm();
  type('url', 'http://other:8080/');
  fireEvent.click(save());
  expect(onSave.mock.calls).toEqual([[{ bridgeUrl: 'http://other:8080' }]]);
  expect(input('url').value).toBe('http://other:8080');
});

it('never shows a saved token; a new one replaces it and is gone after saving', async () => {
  const { onSave, type, input, container } = renderForm();
  expect([input('token').value, input('token').disabled]).toEqual(['configured', true]);
  fireEvent.click(screen.getByRole('button', { name: /reset/i }));
  expect(input('token').value).toBe('');
  type('token', ' nb_secret ');
  fireEvent.click(save());
  expect(onSave.mock.calls).toEqual([[{ bridgeUrl: 'http://bridge:8080', bridgeToken: 'nb_secret' }]]);
  await vi.waitFor(() => expect(input('token').value).toBe('configured'));
  expect(save().disabled).toBe(true);
  expect(container.innerHTML).not.toContain('nb_secret');
});

it('keeps a token that could not be saved, so that it can be saved again', async () => {
  const onSave = vi.fn(() => Promise.resolve(false));
  const { type, input } = renderForm({ onSave });
  fireEvent.click(screen.getByRole('button', { name: /reset/i }));
  type('token', 'nb_secret');
  fireEvent.click(save());
  await vi.waitFor(() => expect(save().disabled).toBe(false));
  expect(input('token').value).toBe('nb_secret');
  fireEvent.click(save());
  expect(onSave.mock.calls).toEqual(Array(2).fill([{ bridgeUrl: 'http://bridge:8080', bridgeToken: 'nb_secret' }]));
});

it.each([
  ['saving', 'Saving…'],
  ['testing', 'Testing…'],
] as const)('its buttons do nothing while %s', (busy, label) => {
  const { onSave, onTest } = renderForm({ busy });
  expect(screen.getByRole('button', { name: label }).ariaBusy).toBe('true');
  screen.getAllByRole('button', { name: /^(Sav|Test)/ }).forEach((button) => fireEvent.click(button));
  expect([onSave, onTest].flatMap(({ mock }) => mock.calls)).toEqual([]);
});

it('takes no changes while it is saved, since they would be lost', () => {
  const { type, input } = renderForm({ busy: 'saving', tokenSet: false });
  type('url', 'http://other:8080');
  type('token', 'nb_secret');
  expect([input('url').value, input('token').value]).toEqual(['http://bridge:8080', '']);
});

it('shows why the settings were not saved', () => {
  renderForm({ failure: 'You need the permission plugins:write' });
  expect(screen.getByRole('alert').textContent).toBe(
    'Could not save the settings. You need the permission plugins:write'
  );
});
