import { useState } from 'react';

/**
 * The entry of a list that a form edits. It stays when the entry is removed meanwhile: the form keeps its draft, and saving reports the error.
 * @param key of the entry that is searched for
 */
export function useLastFound<Entry>(found: Entry | undefined, key: string | null): Entry | undefined {
  const [last, setLast] = useState<{ key: string | null; entry: Entry }>();
  if (found !== undefined && found !== last?.entry) {
    setLast({ key, entry: found });
  }
  return found ?? (last?.key === key ? last.entry : undefined);
}
