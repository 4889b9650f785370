import { useCallback, useMemo, useState } from 'react';

/** The row that the keys act on, and a request to focus a row. */
export interface ListFocus {
  key: string | undefined;
  setKey: (key: string | undefined) => void;
  request: { key: string } | undefined;
  moveTo: (key: string) => void;
}

export function useListFocus(): ListFocus {
  const [key, setKey] = useState<string>();
  const [request, setRequest] = useState<{ key: string }>();
  const moveTo = useCallback((target: string) => {
    setKey(target);
    setRequest({ key: target });
  }, []);
  return useMemo(() => ({ key, setKey, request, moveTo }), [key, request, moveTo]);
}
