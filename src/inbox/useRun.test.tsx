import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MAX_LIMIT } from '@nodebell/contract/query.ts';
import { restoreDeleted } from '../api/notifications';
import { httpError, serveBridge } from '../component.testing';
import { firstLoad, type Loaded } from './loaded';
import { rowsKey } from './queries';
import { addFirstPage, allRows, noRows } from './rows';
import { aGroup, aNotification } from './inbox.testing';
import { useGroups } from './useGroups';
import { useUndo } from './Undo';
import { type Undoable, useRun } from './useRun';
import { EMPTY_VIEW } from './view';

const [FIRST, SECOND] = [2, 1].map((id) => aNotification({ id }));
const LOADED = firstLoad(addFirstPage(noRows(['any'], false), 'any', [FIRST!, SECOND!], 2));
const VIEW = { ...EMPTY_VIEW, q: 'title' };

/** Whether the bridge responds. */
let isUp: boolean;
/** Bodies of requests. */
let bodies: unknown[];
let client: QueryClient;
beforeEach(() => {
  isUp = false;
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(rowsKey(VIEW), LOADED);
  bodies = [];
  serveBridge((path, { data }) => {
    if (!isUp) {
      throw httpError(502);
    }
    bodies.push(data);
    const done = { changed: 1, restored: 1, deleted: 1, resolved: 0, undo: 'a', undoUntil: '2026-11-22T10:00:00.000Z' };
    return path.startsWith('/notifications?') ? [aNotification({ id: 1 })] : done;
  });
});
afterEach(() => vi.useRealTimers());

const hook = <T,>(use: () => T) =>
  renderHook(use, { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> });
const rowsNow = () => allRows(client.getQueryData<Loaded>(rowsKey(VIEW))!.rows);

const FIRST_ONLY = { rows: [FIRST!], ids: [2], filters: [], count: 1, wholeThreads: false };
const ALL = { rows: 'all', ids: [], filters: [{}], count: 2, wholeThreads: false } as const;

it.each([
  ['single rows', FIRST_ONLY],
  ['all that match', ALL],
])('marks %s at once; unread again if it fails', async (_, targets) => {
  const { result } = hook(() => useRun(VIEW, vi.fn()));
  act(() => result.current.run('read', targets));
  expect(rowsNow()[0]!.seen).toBe(true);
  await waitFor(() => expect(rowsNow()).toEqual([FIRST, SECOND]));
});

it('deletes rows at once; the undo restores them at their positions', async () => {
  isUp = true;
  const offer = vi.fn<(done: Undoable) => void>();
  const { result } = hook(() => ({ ...useRun(VIEW, offer), undo: useUndo() }));
  act(() => result.current.run('delete', FIRST_ONLY));
  expect(rowsNow()).toEqual([SECOND]);
  await waitFor(() => expect(offer).toHaveBeenCalledWith(expect.objectContaining({ id: 'delete', count: 1 })));
  act(() => result.current.undo.offer(offer.mock.lastCall![0]));
  act(() => result.current.undo.undo());
  await waitFor(() => expect(rowsNow()).toEqual([FIRST, SECOND]));
});

it('offers no undo where nothing was changed', async () => {
  isUp = true;
  const offer = vi.fn();
  const { result } = hook(() => useRun(VIEW, offer));
  await act(() => result.current.runAsync('resolve', ALL));
  expect(offer).not.toHaveBeenCalled();
});

it('sends ids in chunks and bursts as filters, one after another', async () => {
  isUp = true;
  const { result } = hook(() => useRun(VIEW, vi.fn()));
  const ids = Array.from({ length: MAX_LIMIT + 1 }, (_, index) => index + 1);
  await act(() => result.current.runAsync('delete', { ...FIRST_ONLY, ids, filters: [{ burst: 5 }] }));
  expect(bodies).toEqual([
    { ids: ids.slice(0, MAX_LIMIT), wholeThreads: false },
    { ids: [MAX_LIMIT + 1], wholeThreads: false },
    { filter: { burst: 5 } },
  ]);
});

it('what was changed before a request failed can be undone', async () => {
  const paths: string[] = [];
  serveBridge((path) => {
    if (paths.push(path) === 2) {
      throw httpError(502);
    }
    return { deleted: 1, restored: 1, undo: 'a', undoUntil: '2026-11-22T10:00:00.000Z' };
  });
  const offer = vi.fn<(done: Undoable) => void>();
  const { result } = hook(() => useRun(VIEW, offer));
  const ids = Array.from({ length: MAX_LIMIT + 1 }, (_, index) => index + 1);
  const deleting = result.current.runAsync('delete', { ...FIRST_ONLY, ids, count: ids.length });
  await act(() => expect(deleting).rejects.toThrow());
  expect(offer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: 'delete', count: MAX_LIMIT }));
  await offer.mock.lastCall![0].undo();
  expect(paths.at(-1)).toBe('/notifications/restore');
});

it('nothing can be undone where the first request failed', async () => {
  const offer = vi.fn();
  const { result } = hook(() => useRun(VIEW, offer));
  await act(() => expect(result.current.runAsync('delete', FIRST_ONLY)).rejects.toThrow());
  expect(offer).not.toHaveBeenCalled();
});

it('what could not be undone can be undone while there is time', async () => {
  const { result } = hook(useUndo);
  const undo = () => restoreDeleted('a');
  act(() => result.current.offer({ id: 'delete', undo, count: 1 }));
  act(() => result.current.undo());
  expect(result.current.last).toBeUndefined();
  await waitFor(() => expect(result.current.last?.undo).toBe(undo));
  isUp = true;
  act(() => result.current.undo());
  await waitFor(() => expect(client.isMutating()).toBe(0));
  expect(result.current.last).toBeUndefined();
});

it('rows that could not be loaded are requested again', async () => {
  vi.useFakeTimers();
  const facets = { total: 50, unseen: 0, open: 0, exact: true, lastId: 2, categories: [], packages: [] };
  const group = aGroup({ value: 'other', count: 50 });
  const { result } = hook(() => useGroups(VIEW, { facets, loaded: LOADED, key: '' }));
  result.current.onSight([{ type: 'loading', key: 'loading', group }]);
  await vi.advanceTimersByTimeAsync(9000);
  expect(rowsNow()).toHaveLength(2);
  isUp = true;
  await vi.advanceTimersByTimeAsync(2000);
  expect(rowsNow()).toHaveLength(3);
});
