import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, render, screen, serveBridge, showMenus } from '../../component.testing';
import { GroupByField } from './GroupByField';

beforeEach(() => {
  showMenus();
  serveBridge((path) => {
    const prefix = new URLSearchParams(path.split('?')[1] ?? '').get('prefix') ?? '';
    return { texts: ['instance', 'severity', 'team'].filter((name) => name.startsWith(prefix)), more: false };
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
  await waitFor(() => expect(options()).toEqual(['By category', 'By severity']));
  fireEvent.click(screen.getByRole('option', { name: 'By severity' }));
  expect(onChange.mock.calls).toEqual([['severity']]);
});

it('goes back to the category', async () => {
  const { field, onChange } = show('team');
  fireEvent.click(field);
  fireEvent.click(await screen.findByRole('option', { name: 'By category' }));
  expect(onChange.mock.calls).toEqual([['']]);
});
