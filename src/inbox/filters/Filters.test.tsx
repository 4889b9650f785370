import { createRef } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, render, screen } from '../../component.testing';
import type { Facets } from '@nodebell/contract/query.ts';
import { EMPTY_VIEW, type View } from '../view';
import { Filters } from './Filters';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function renderFilters(view: Partial<View> = {}, narrow = false, facets?: Facets) {
  const setView = vi.fn();
  const filters = (changed: Partial<View>) => (
    <Filters
      view={{ ...EMPTY_VIEW, ...changed }}
      setView={setView}
      facets={facets}
      narrow={narrow}
      searchRef={createRef<HTMLInputElement>()}
    />
  );
  const { rerender } = render(filters(view));
  return { setView, show: (changed: Partial<View>) => rerender(filters(changed)) };
}

const search = () => screen.getByPlaceholderText<HTMLInputElement>(/^Search/);

it('searches after a pause in typing', () => {
  const { setView } = renderFilters();
  fireEvent.change(search(), { target: { value: 'pe' } });
  vi.advanceTimersByTime(200);
  fireEvent.change(search(), { target: { value: ' peers ' } });
  vi.advanceTimersByTime(200);
  expect(setView).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(setView.mock.calls).toEqual([[{ q: 'peers' }]]);
});

it('shows the search of a link, and does not search again', () => {
  const { setView, show } = renderFilters({ q: 'disk' });
  expect(search().value).toBe('disk');
  show({ q: 'peers' });
  expect(search().value).toBe('peers');
  vi.advanceTimersByTime(1000);
  expect(setView).not.toHaveBeenCalled();
});

it('clears all filters at once', () => {
  const { setView } = renderFilters({ categories: ['hardware'], priorities: ['low'] });
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(setView.mock.lastCall?.[0]).toMatchObject({ categories: [], priorities: [] });
});

it('without filters there is nothing to clear', () => {
  renderFilters();
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull();
});

it('on narrow screens filters collapse into a button with their count', () => {
  renderFilters({ categories: ['hardware'], priorities: ['low'] }, true);
  const button = screen.getByRole('button', { name: /^Filters/ });
  expect(button.textContent).toContain('2');
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull();
  fireEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByRole('button', { name: 'Clear' })).toBeDefined();
});

it('shows the filter of nodes only if there are nodes', () => {
  const facets = { total: 0, unseen: 0, open: 0, exact: true, lastId: 0, categories: [], packages: [] };
  renderFilters({}, false, facets);
  expect(screen.queryByPlaceholderText('All nodes')).toBeNull();
  renderFilters({}, false, { ...facets, nodes: [{ node: 'attic', open: 1 }] });
  expect(screen.getByPlaceholderText('All nodes')).toBeTruthy();
});

it('says how many groups are not listed', () => {
  const facets = { total: 0, unseen: 0, open: 0, exact: true, lastId: 0, categories: [], packages: [], moreGroups: 12 };
  renderFilters({}, false, facets);
  expect(screen.queryByText(/more groups are not listed/)).toBeNull();
  renderFilters({ groupBy: 'instance' }, false, facets);
  expect(screen.getByText('12 more groups are not listed. Add filters to narrow the list.')).toBeTruthy();
});
