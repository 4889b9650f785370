/** Options of the inbox panel, stored in the dashboard's JSON. Pure. */
import { PRIORITIES, type Priority } from '@nodebell/contract/notification.ts';

export const SHOWN = ['all', 'unread', 'open'] as const;

export interface InboxPanelOptions {
  /** Names of packages, or variables of the dashboard such as `$package`; none means all. */
  dnpName: string[];
  /** Categories, or variables; none means all. */
  category: string[];
  /** None means all. */
  priority: Priority[];
  show: (typeof SHOWN)[number];
  /** Only what arrived within the dashboard's time range. */
  timeRange: boolean;
  /** Open threads are shown also when they opened before that range. */
  keepOpen: boolean;
  /** Rows at most. */
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

/** Options as they stand in a dashboard, which anybody may have written by hand. */
export function readOptions(options: unknown): InboxPanelOptions {
  const given: Partial<Record<keyof InboxPanelOptions, unknown>> =
    typeof options === 'object' && options !== null ? options : {};
  const words = (list: unknown) => (Array.isArray(list) ? list.filter((word) => typeof word === 'string') : []);
  const limit = Number(given.limit);
  return {
    dnpName: words(given.dnpName),
    category: words(given.category),
    priority: PRIORITIES.filter((priority) => words(given.priority).includes(priority)),
    show: SHOWN.find((word) => word === given.show) ?? DEFAULTS.show,
    timeRange: given.timeRange !== false,
    keepOpen: given.keepOpen !== false,
    limit: Number.isInteger(limit) && limit > 0 ? Math.min(limit, MOST_ROWS) : DEFAULTS.limit,
  };
}
