import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { httpError, serveBridge } from '../component.testing';
import { firstLoad, type Loaded } from './loaded';
import { rowsKey } from './queries';
import { addFirstPage, allRows, noRows } from './rows';
import { aNotification } from './testData';
import { useActions } from './useActions';
import { useGroups } from './useGroups';
import { useUndo } from './Undo';
import { EMPTY_VIEW } from './view';

const [FIRST, SECOND] = [2, 1].map((id) => aNotification({ id }));
const LOADED = firstLoad(addFirstPage(noRows(['any'], false), 'any', [FIRST!, SECOND!], 2));
const VIEW = { ...EMPTY_VIEW, q: 'title' };

/** Whether the bridge responds. */
let isUp: boolean;
let client: QueryClient;
beforeEach(() => {
  isUp = false;
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(rowsKey(VIEW), LOADED);
  serveBridge((path) => {
    if (!isUp) {
      throw httpError(502);
    }
    return path.startsWith('/notifications?') ? [aNotification({ id: 1 })] : { changed: 1, restored: 1 };
  });
});
afterEach(() => vi.useRealTimers());

const hook = <T,>(use: () => T) =>
  renderHook(use, { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> });
const rowsNow = () => allRows(client.getQueryData<Loaded>(rowsKey(VIEW))!.rows);

it.each(['mark', 'markAll'] as const)('%s: what could not be marked is unread again', async (name) => {
  const { result } = hook(() => useActions(VIEW, vi.fn()));
  act(() => (name === 'mark' ? result.current.mark({ rows: [FIRST!], seen: true }) : result.current.markAll({})));
  expect(rowsNow()[0]!.seen).toBe(true);
  await waitFor(() => expect(rowsNow()).toEqual([FIRST, SECOND]));
});

it('what could not be undone can be undone while there is time', async () => {
  const { result } = hook(useUndo);
  const done = {
    what: 'deleted',
    undo: ['a'],
    count: 1,
    before: undefined,
    keys: new Set<string>(),
    view: VIEW,
  } as const;
  act(() => result.current.offer({ ...done, undo: ['a'] }));
  act(() => result.current.undo());
  expect(result.current.last).toBeUndefined();
  await waitFor(() => expect(result.current.last?.undo).toEqual(['a']));
  isUp = true;
  act(() => result.current.undo());
  await waitFor(() => expect(client.isMutating()).toBe(0));
  expect(result.current.last).toBeUndefined();
});

it('rows that could not be loaded are requested again', async () => {
  vi.useFakeTimers();
  const facets = { total: 50, unseen: 0, open: 0, exact: true, lastId: 2, categories: [], packages: [] };
  const group = { category: 'other', count: 50, unseen: 0, open: 0, openPriority: null, lastAt: null, enabled: true };
  const { result } = hook(() => useGroups(VIEW, { facets, loaded: LOADED, key: '' }));
  result.current.onSight([{ type: 'loading', key: 'loading', group }]);
  await vi.advanceTimersByTimeAsync(9000);
  expect(rowsNow()).toHaveLength(2);
  isUp = true;
  await vi.advanceTimersByTimeAsync(2000);
  expect(rowsNow()).toHaveLength(3);
});
