import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { readView, writeView, type View } from './view';

export type SetView = (change: Partial<View>, how?: { push?: boolean }) => void;

/** The view, kept in the URL. */
export function useView(): [View, SetView] {
  const [search, setSearch] = useSearchParams();
  const text = search.toString();
  const view = useMemo(() => readView(new URLSearchParams(text)), [text]);
  const setView = useCallback<SetView>(
    (change, how) => setSearch((now) => writeView({ ...readView(now), ...change }), { replace: !how?.push }),
    [setSearch]
  );
  return [view, setView];
}
