/** Query strings for the bridge. Pure. */

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
  q?: string;
}

type Value = string | number | boolean | readonly string[] | undefined;

/**
 * Writes parameters; lists become repeated names, and what is undefined or empty is left out.
 * @returns the query with its question mark, or an empty string
 */
export function toSearch(params: Readonly<Record<string, Value>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== '') {
        search.append(name, String(item));
      }
    }
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
