import { expect, it, vi } from 'vitest';
import { fireEvent, render, screen } from '../component.testing';
import { PageActions } from './PageMenu';
import { csvAddress } from './queries';
import { EMPTY_VIEW } from './view';

it('links to a file with what the list shows', async () => {
  const view = { ...EMPTY_VIEW, tab: 'open' as const, q: 'disk full' };
  const props = { narrow: false, unread: 0, filtered: true, disabled: false, onSelect: vi.fn(), onDialog: vi.fn() };
  render(<PageActions {...props} onMarkAll={undefined} csvAddress={() => csvAddress(view)} />);
  fireEvent.click(screen.getByRole('button', { name: 'Inbox actions' }));
  const link = await screen.findByRole('menuitem', { name: 'Download CSV' });
  const { pathname, searchParams } = new URL(link.getAttribute('href')!, 'http://localhost');
  expect(pathname).toMatch(/\/api\/v1\/notifications$/);
  expect(Object.fromEntries(searchParams)).toMatchObject({ q: 'disk full', open: 'true', format: 'csv' });
  expect(link.getAttribute('target')).toBe('_self');
});
