/** Options of the inbox panel, stored in the dashboard's JSON. Pure. */
import { PRIORITIES, type Priority } from '@nodebell/contract/notification.ts';

export const SHOWN = ['all', 'unread', 'open'] as const;

export interface InboxPanelOptions {
  /** Package names, or dashboard variables such as `$package`; empty means all. */
  dnpName: string[];
  /** Categories, or variables; empty means all. */
  category: string[];
  /** Empty means all. */
  priority: Priority[];
  show: (typeof SHOWN)[number];
  /** Only notifications within the dashboard's time range. */
  timeRange: boolean;
  /** Includes open threads from before that range. */
  keepOpen: boolean;
  /** Maximum number of rows. */
  limit: number;
}

export const DEFAULTS: InboxPanelOptions = {
  dnpName: [],
  category: [],
  priority: [],
  show: 'all',
  timeRange: true,
  keepOpen: true,
  limit: 50,
};

export const MOST_ROWS = 200;

/** Reads the options of a dashboard, which can be edited by hand; invalid values become defaults. */
export function readOptions(options: unknown): InboxPanelOptions {
  const given: Partial<Record<keyof InboxPanelOptions, unknown>> =
    typeof options === 'object' && options !== null ? options : {};
  const strings = (list: unknown) => (Array.isArray(list) ? list.filter((word) => typeof word === 'string') : []);
  const limit = Number(given.limit);
  return {
    dnpName: strings(given.dnpName),
    category: strings(given.category),
    priority: PRIORITIES.filter((priority) => strings(given.priority).includes(priority)),
    show: SHOWN.find((word) => word === given.show) ?? DEFAULTS.show,
    timeRange: given.timeRange !== false,
    keepOpen: given.keepOpen !== false,
    limit: Number.isInteger(limit) && limit > 0 ? Math.min(limit, MOST_ROWS) : DEFAULTS.limit,
  };
}
