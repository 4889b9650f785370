/** Filters of the bridge. */

/** A filter as in a query string; parsed by `filterSchema` of the contract. */
export interface BridgeFilter {
  category?: string[];
  dnpName?: string[];
  node?: string[];
  priority?: string[];
  status?: string[];
  from?: string;
  to?: string;
  /** Read state of the user, or the shared one if the user has none. */
  read?: 'true' | 'false';
  isBanner?: 'true' | 'false';
  muted?: 'true' | 'false' | 'all';
  errors?: 'hidden' | 'only' | 'all';
  latest?: 'true' | 'false';
  open?: 'true' | 'false';
  untilId?: number;
  acknowledged?: 'true' | 'false';
  /** `me` or `none`. */
  assignee?: string;
  snoozed?: 'true' | 'false' | 'all';
  /** The threads of one burst. */
  burst?: number;
  /** One row for each burst. */
  bursts?: 'collapsed';
  /** Matchers of labels, in Alertmanager's syntax. */
  matchers?: string;
  q?: string;
}

/** A filter of the counts. */
export interface FacetsFilter extends BridgeFilter {
  /** Name of a label. */
  groupBy?: string | undefined;
}

/** Notifications by their ids, or all that match. */
export type These = { ids: readonly number[] } | { filter: BridgeFilter };

/** The part of a request body that selects notifications. */
export const selected = (these: These) => ('ids' in these ? { ids: [...these.ids] } : { filter: { ...these.filter } });
