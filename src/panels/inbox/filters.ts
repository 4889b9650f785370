/** The bridge filters of a panel, from its options, variables and time range. Pure. */
import type { BridgeFilter } from '../../api/query';
import type { ListFilters } from '../../inbox/compact/useNotifications';
import type { InboxPanelOptions } from './options';

/** The part of a panel's `replaceVariables` that is used. */
export type Replace = (
  text: string,
  scopedVars: undefined,
  format: (value: string | readonly string[]) => string
) => string;

/** A separator that occurs in no name, for variables with several values. */
const BETWEEN = '\u001f';

/** The value of a variable set to All. */
const EVERYTHING = new Set(['$__all', '.*', '.+', '*', '']);

/** Replaces variables; one with several values becomes several. A variable set to All removes the filter. */
export function expand(values: readonly string[], replace: Replace): string[] {
  const expanded = values.flatMap((word) =>
    replace(word, undefined, (value) => (typeof value === 'string' ? value : value.join(BETWEEN))).split(BETWEEN)
  );
  return expanded.some((word) => EVERYTHING.has(word.trim())) ? [] : [...new Set(expanded)];
}

/** ISO 8601, UTC. Without an end, later arrivals match as well. */
export interface Range {
  from: string;
  to?: string;
}

export function toFilters(options: InboxPanelOptions, range: Range, replace: Replace): ListFilters {
  const some = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined);
  const common: BridgeFilter = {
    dnpName: some(expand(options.dnpName, replace)),
    category: some(expand(options.category, replace)),
    priority: some([...options.priority]),
  };
  const within = options.timeRange ? { from: range.from, ...(range.to !== undefined && { to: range.to }) } : {};
  const openWithin = options.keepOpen && options.timeRange ? { to: range.to } : within;
  return {
    open: { ...common, ...openWithin, open: 'true', ...(options.show === 'unread' && { read: 'false' as const }) },
    others:
      options.show === 'open'
        ? undefined
        : { ...common, ...within, open: 'false', ...(options.show === 'unread' && { read: 'false' as const }) },
  };
}

/** View of the Inbox page with the filters of the panel. */
export const toView = (options: InboxPanelOptions, replace: Replace) => ({
  tab: options.show,
  packages: expand(options.dnpName, replace),
  categories: expand(options.category, replace),
  priorities: [...options.priority],
});
