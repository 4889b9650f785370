import { rangeUtil } from '@grafana/data';
import { useEffect, useState } from 'react';
import type { ResolveRange } from './filter';

/** The present, for relative times; renders again every so often. */
export function useNow(everyMs = 20_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Both ends of a range as moments. A range that ends now has no end, so that what arrives later still belongs. */
export const resolveRange: ResolveRange = (range) => {
  const { from, to } = rangeUtil.convertRawToRange(range);
  return { from: from.toISOString(), to: range.to === 'now' ? '' : to.toISOString() };
};
