import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, render, screen, serveBridge, showMenus } from '../../component.testing';
import { GroupByField } from './GroupByField';

let names: string[];
beforeEach(() => {
  names = ['instance', 'severity', 'team'];
  showMenus();
  serveBridge((path) => {
    const prefix = new URLSearchParams(path.split('?')[1] ?? '').get('prefix') ?? '';
    const texts = names.filter((name) => name.startsWith(prefix));
    return { texts: texts.slice(0, 5), more: texts.length > 5 };
  });
});
afterEach(() => void vi.restoreAllMocks());

function show(value = '') {
  const onChange = vi.fn();
  render(<GroupByField value={value} onChange={onChange} />);
  return { onChange, field: screen.getByRole<HTMLInputElement>('combobox', { name: 'Group by' }) };
}
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

it.each([
  ['', 'By category'],
  ['team', 'By team'],
])('shows what the list is grouped by: %j', (value, text) => {
  expect(show(value).field.value).toBe(text);
});

it('offers the category and the names of labels that begin with what is typed', async () => {
  const { field, onChange } = show('team');
  fireEvent.click(field);
  await waitFor(() => expect(options()).toEqual(['By category', 'By instance', 'By severity', 'By team']));
  fireEvent.change(field, { target: { value: 'sev' } });
  await waitFor(() => expect(options()).toEqual(['By severity']));
  fireEvent.click(screen.getByRole('option', { name: 'By severity' }));
  expect(onChange.mock.calls).toEqual([['severity']]);
});

it('goes back to the category', async () => {
  const { field, onChange } = show('team');
  fireEvent.click(field);
  fireEvent.click(await screen.findByRole('option', { name: 'By category' }));
  expect(onChange.mock.calls).toEqual([['']]);
});

it('Enter chooses the label whose name begins with what is typed, or the category', async () => {
  const { field, onChange } = show('team');
  fireEvent.click(field);
  for (const [typed, wanted] of [
    ['sev', ['By severity']],
    ['CAT', ['By category']],
  ] as const) {
    fireEvent.change(field, { target: { value: typed } });
    await waitFor(() => expect(options()).toEqual(wanted));
    fireEvent.keyDown(field, { key: 'Enter' });
  }
  expect(onChange.mock.calls).toEqual([['severity'], ['']]);
});

it('says that there are more labels, which cannot be chosen', async () => {
  names = Array.from({ length: 9 }, (_one, index) => `🦊 ${'long '.repeat(20)}${index}`);
  const { field, onChange } = show();
  fireEvent.click(field);
  await waitFor(() => expect(options()).toContain('More labels; type the name'));
  fireEvent.click(screen.getByRole('option', { name: 'More labels; type the name' }));
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.change(field, { target: { value: names[8] } });
  await waitFor(() => expect(options()).toEqual([`By ${names[8]}`]));
});
