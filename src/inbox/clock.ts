import { rangeUtil } from '@grafana/data';
import type { ResolveRange } from './filter';

/** Both ends of a range as timestamps. A range that ends now has no end, so that later arrivals match. */
export const resolveRange: ResolveRange = (range) => {
  const { from, to } = rangeUtil.convertRawToRange(range);
  return { from: from.toISOString(), to: range.to === 'now' ? '' : to.toISOString() };
};
