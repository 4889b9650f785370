import { rangeUtil } from '@grafana/data';
import type { ResolveRange } from './filter';

/** Both ends of a range as moments. A range that ends now has no end, so that what arrives later still belongs. */
export const resolveRange: ResolveRange = (range) => {
  const { from, to } = rangeUtil.convertRawToRange(range);
  return { from: from.toISOString(), to: range.to === 'now' ? '' : to.toISOString() };
};
