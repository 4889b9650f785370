/** The bridge filters of a view, and whether an arrival matches the view. Pure. */
import { isRead, type Notification, unreadOf, PRIORITIES } from '@nodebell/contract/notification.ts';
import type { BridgeFilter } from '../api/query';
import { burstOf } from '../components/bursts';
import { needsBridge } from '../components/matchers';
import { FILTERS } from './filters/table';
import { collapses, readFilter, showsThreads, type View } from './view';

/** Resolves a relative range at the time of the request. */
export type ResolveRange = (range: { from: string; to: string }) => { from: string; to: string };

/** The parts of a group, in the order in which they are shown. */
export type Part = 'open' | 'unread' | 'history' | 'any';

/** The filters, without the tab. */
function filterOf(view: View, resolve: ResolveRange): BridgeFilter {
  return {
    q: view.q.trim() || undefined,
    ...(view.range && resolve(view.range)),
    ...Object.fromEntries(FILTERS.map(({ param, query }) => [param, query(view)])),
    // The tab decides.
    read: undefined,
    burst: view.burst,
  };
}

const TAB_FILTERS: Record<View['tab'], BridgeFilter> = {
  all: {},
  unread: { read: 'false' },
  open: { open: 'true' },
  muted: { muted: 'true' },
  errors: { errors: 'only', muted: 'all' },
};

function tabFilter(view: View): BridgeFilter {
  const read = readFilter(view);
  return { ...(read && { read: read === 'read' ? 'true' : 'false' }), ...TAB_FILTERS[view.tab] };
}

/** The whole view as one filter. */
export function wholeFilter(view: View, resolve: ResolveRange): BridgeFilter {
  return { ...filterOf(view, resolve), ...tabFilter(view), latest: showsThreads(view) ? 'true' : undefined };
}

/** The filter behind the counters on the tabs: the filters alone. */
export function counterFilter(view: View, resolve: ResolveRange): BridgeFilter {
  const threads = view.q.trim() === '';
  return { ...filterOf(view, resolve), latest: threads ? 'true' : undefined };
}

/** The parts of a group in this view: open, unread and history. */
export function partsOf(view: View): Part[] {
  if (!showsThreads(view)) {
    return ['any'];
  }
  if (view.tab === 'open') {
    return ['open'];
  }
  const read = readFilter(view);
  if (view.tab === 'unread' || read === 'unread') {
    return ['open', 'unread'];
  }
  return read === 'read' ? ['open', 'history'] : ['open', 'unread', 'history'];
}

/** The filter of the rows, one for each burst. */
export function rowsFilter(view: View, resolve: ResolveRange): BridgeFilter {
  return { ...wholeFilter(view, resolve), ...(collapses(view) && { bursts: 'collapsed' }) };
}

/** The threads that the row of a burst stands for: all that match, whatever their state. */
export function burstFilter(view: View, resolve: ResolveRange, burst: number): BridgeFilter {
  return { ...filterOf(view, resolve), latest: 'true', burst };
}

const PART_FILTERS: Record<Part, BridgeFilter> = {
  open: { open: 'true' },
  unread: { open: 'false', read: 'false' },
  history: { open: 'false', read: 'true' },
  any: {},
};

/** Narrows the whole filter to one part of it. */
export const partFilter = (whole: BridgeFilter, part: Part): BridgeFilter => ({ ...whole, ...PART_FILTERS[part] });

/** The part that a thread belongs to now. */
export function partFor(notification: Notification): Exclude<Part, 'any'> {
  const burst = burstOf(notification);
  if (burst) {
    return burst.open > 0 ? 'open' : burst.unread > 0 ? 'unread' : 'history';
  }
  const { state, stale } = notification.thread;
  return state === 'open' && !stale ? 'open' : unreadOf(notification.thread) > 0 ? 'unread' : 'history';
}

/** Notifications with `errors` are not part of the inbox, so they have no read state there. */
export function isUnread(notification: Notification, threads: boolean): boolean {
  if (notification.errors !== undefined) {
    return false;
  }
  return threads ? (burstOf(notification)?.unread ?? unreadOf(notification.thread)) > 0 : !isRead(notification);
}

/**
 * Whether a notification that has just arrived belongs to the view.
 * For a search this is an approximation; the bridge decides.
 */
export function belongs(notification: Notification, view: View, resolve: ResolveRange): boolean {
  const { q, from, to } = filterOf(view, resolve);
  const { thread, timestamp } = notification;
  return (
    FILTERS.every(({ fits }) => fits(notification, view)) &&
    (view.burst === undefined || thread.burst?.id === view.burst) &&
    (!showsThreads(view) || view.snoozed === (thread.snoozed !== undefined)) &&
    (!from || timestamp >= from) &&
    (!to || view.range?.to.startsWith('now') || timestamp < to) &&
    matchesWords(notification, q) &&
    belongsToTab(notification, view)
  );
}

function belongsToTab(notification: Notification, view: View): boolean {
  const hasErrors = notification.errors !== undefined;
  if (view.tab === 'errors') {
    return hasErrors;
  }
  if (hasErrors || notification.muted !== (view.tab === 'muted')) {
    return false;
  }
  if (readFilter(view) === 'read') {
    return isRead(notification);
  }
  return view.tab !== 'open' || partFor(notification) === 'open';
}

/** A search covers full texts, so only the bridge can match a truncated one, or a regular expression. */
export function needsReload(notification: Notification, view: View): boolean {
  if (needsBridge(view.matchers)) {
    return true;
  }
  const isCut = notification.bodyTruncated === true || notification.titleTruncated === true;
  return isCut && !matchesWords(notification, view.q);
}

function matchesWords(notification: Notification, q: string | undefined): boolean {
  if (!q) {
    return true;
  }
  const { title, body, dnpName, labels = {} } = notification;
  const text = [title, body, dnpName, ...Object.entries(labels).flat()].join(' ').toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Critical first, then newest; only unread and unresolved ones. */
export function topBanners(banners: readonly Notification[]): Notification[] {
  const rank = ({ priority }: Notification) => PRIORITIES.indexOf(priority);
  return banners
    .filter(
      (banner) =>
        banner.isBanner &&
        !isRead(banner) &&
        banner.status === 'triggered' &&
        banner.errors === undefined &&
        !banner.thread.acknowledged
    )
    .toSorted((a, b) => rank(b) - rank(a) || b.id - a.id);
}
