import { expect, it, vi } from 'vitest';
import { fireEvent, httpError, render, screen, serveBridge } from '../../component.testing';
import { ImportDialog } from './ImportDialog';

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const type = (value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: 'Settings as YAML' }), { target: { value } });

it('imports what was previewed, and previews again after a change of the text', async () => {
  const bodies: unknown[] = [];
  const onClose = vi.fn();
  serveBridge((_path, { data }) => {
    bodies.push(data);
    return { changed: 2, notes: ['A note'], rejected: [] };
  });
  render(<ImportDialog onClose={onClose} />);
  expect(button('Preview').disabled).toBe(true);
  type('a: 1');
  fireEvent.click(button('Preview'));
  expect(await screen.findByText('2 values would change')).toBeDefined();
  expect(screen.getByText('A note')).toBeDefined();
  type('a: 2');
  expect(screen.queryByText('2 values would change')).toBeNull();
  fireEvent.click(button('Preview'));
  fireEvent.click(await screen.findByRole('button', { name: 'Import' }));
  expect(await screen.findByText('2 values changed')).toBeDefined();
  expect(bodies).toEqual([
    { settings: 'a: 1', dryRun: true },
    { settings: 'a: 2', dryRun: true },
    { settings: 'a: 2', dryRun: false },
  ]);
  fireEvent.click(screen.getAllByRole('button', { name: 'Close' }).at(-1)!);
  expect(onClose).toHaveBeenCalledOnce();
});

it('offers no import where nothing would change, and shows why it failed', async () => {
  serveBridge(() => ({ changed: 0, notes: [], rejected: [] }));
  render(<ImportDialog onClose={vi.fn()} />);
  type('a: 1');
  fireEvent.click(button('Preview'));
  expect(await screen.findByText('These settings are already in effect')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Import' })).toBeNull();
  serveBridge(() => {
    throw httpError(502);
  });
  fireEvent.click(button('Preview'));
  expect(await screen.findByText('The bridge is not responding.')).toBeDefined();
  expect(screen.queryByText('These settings are already in effect')).toBeNull();
});
