/** The bridge filters of a view, and whether an arrival matches the view. Pure. */
import { isRead, NO_NODE, type Notification, unreadOf, PRIORITIES } from '@nodebell/contract/notification.ts';
import type { BridgeFilter } from '../api/query';
import { burstOf } from './bursts';
import { collapses, readFilter, showsThreads, type View } from './view';

/** Resolves a relative range at the time of the request. */
export type ResolveRange = (range: { from: string; to: string }) => { from: string; to: string };

/** The parts of a group, in the order in which they are shown. */
export type Part = 'open' | 'unread' | 'history' | 'any';

const some = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined);

/** The filters, without the tab. */
function filterOf(view: View, resolve: ResolveRange): BridgeFilter {
  return {
    q: view.q.trim() || undefined,
    ...(view.range && resolve(view.range)),
    category: some(view.categories),
    dnpName: some(view.packages),
    node: some(view.nodes),
    priority: some(view.priorities),
    status: some(view.statuses),
    burst: view.burst,
    acknowledged: view.acknowledged === undefined ? undefined : view.acknowledged ? 'true' : 'false',
    assignee: view.assignee,
    snoozed: view.snoozed ? 'true' : undefined,
  };
}

const READ = { read: 'true', unread: 'false' } as const;

/** The filter of the tab. */
function tabFilter(view: View): BridgeFilter {
  const chosen = readFilter(view);
  const read = chosen && READ[chosen];
  switch (view.tab) {
    case 'unread':
      return { read: 'false' };
    case 'open':
      return { open: 'true', read };
    case 'muted':
      return { muted: 'true', read };
    case 'errors':
      return { errors: 'only', muted: 'all', read };
    default:
      return { read };
  }
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

/** Narrows the whole filter to one part of it. */
export function partFilter(whole: BridgeFilter, part: Part): BridgeFilter {
  switch (part) {
    case 'open':
      return { ...whole, open: 'true' };
    case 'unread':
      return { ...whole, open: 'false', read: 'false' };
    case 'history':
      return { ...whole, open: 'false', read: 'true' };
    default:
      return whole;
  }
}

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
  const filter = filterOf(view, resolve);
  const within = (list: string[] | undefined, value: string) => !list || list.includes(value);
  return (
    matchesThread(notification, view) &&
    within(filter.category, notification.category) &&
    within(filter.dnpName, notification.dnpName) &&
    within(filter.node, notification.node ?? NO_NODE) &&
    within(filter.priority, notification.priority) &&
    within(filter.status, notification.status) &&
    (!filter.from || notification.timestamp >= filter.from) &&
    (!filter.to || view.range?.to.startsWith('now') || notification.timestamp < filter.to) &&
    matchesWords(notification, filter.q) &&
    belongsToTab(notification, view)
  );
}

function matchesThread({ thread }: Notification, view: View): boolean {
  const { burst, acknowledged, assignee, snoozed } = view;
  // To whom it is assigned, the bridge knows.
  return (
    (burst === undefined || thread.burst?.id === burst) &&
    (acknowledged === undefined || acknowledged === (thread.acknowledged !== undefined)) &&
    (assignee === undefined || (assignee === 'none' && thread.assignee === undefined)) &&
    (!showsThreads(view) || snoozed === (thread.snoozed !== undefined))
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

/** A search covers full texts, so only the bridge can match a truncated one. */
export function needsReload(notification: Notification, view: View): boolean {
  const isCut = notification.bodyTruncated === true || notification.titleTruncated === true;
  return isCut && !matchesWords(notification, view.q);
}

function matchesWords(notification: Notification, q: string | undefined): boolean {
  if (!q) {
    return true;
  }
  const text = `${notification.title} ${notification.body} ${notification.dnpName}`.toLowerCase();
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
