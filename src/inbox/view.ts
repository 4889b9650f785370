/** The view of the page, kept in the URL so that links reproduce it. Pure. */
import { foldCategory, PRIORITIES, STATUSES, type Priority, type Status } from '@nodebell/contract/notification.ts';

export const TABS = ['all', 'unread', 'open', 'muted', 'errors'] as const;
export type Tab = (typeof TABS)[number];

export interface View {
  tab: Tab;
  q: string;
  /** As typed: `now-7d`, or ISO 8601. Both or neither. */
  range: { from: string; to: string } | undefined;
  categories: string[];
  packages: string[];
  /** `-`: without one. */
  nodes: string[];
  priorities: Priority[];
  statuses: Status[];
  read: 'read' | 'unread' | undefined;
  /** Filter by responses. */
  acknowledged: boolean | undefined;
  assignee: 'me' | 'none' | undefined;
  snoozed: boolean;
  /** The threads of one burst. */
  burst: number | undefined;
  /** The notification whose detail is shown. */
  id: number | undefined;
}

export const EMPTY_VIEW: View = {
  tab: 'all',
  q: '',
  range: undefined,
  categories: [],
  packages: [],
  nodes: [],
  priorities: [],
  statuses: [],
  read: undefined,
  acknowledged: undefined,
  assignee: undefined,
  snoozed: false,
  burst: undefined,
  id: undefined,
};

const oneOf = <T extends string>(allowed: readonly T[], word: string | null): T | undefined =>
  allowed.find((candidate) => candidate === word);

const unique = (words: string[]) => [...new Set(words.filter((word) => word !== ''))];

/** Parses a view. Unknown values are ignored, so that an outdated or mistyped link still opens. */
export function readView(search: URLSearchParams): View {
  const from = search.get('from');
  const to = search.get('to');
  return {
    tab: oneOf(TABS, search.get('tab')) ?? 'all',
    q: search.get('q')?.slice(0, 500) ?? '',
    range: from && to && isMoment(from) && isMoment(to) ? { from, to } : undefined,
    categories: unique(search.getAll('category').map(foldCategory)),
    packages: unique(search.getAll('dnpName')),
    nodes: unique(search.getAll('node')),
    priorities: PRIORITIES.filter((priority) => search.getAll('priority').includes(priority)),
    statuses: STATUSES.filter((status) => search.getAll('status').includes(status)),
    read: oneOf(['read', 'unread'] as const, search.get('read')),
    acknowledged: ({ true: true, false: false } as Record<string, boolean>)[search.get('acknowledged') ?? ''],
    assignee: oneOf(['me', 'none'] as const, search.get('assignee')),
    snoozed: search.get('snoozed') === 'true',
    burst: readId(search.get('burst')),
    id: readId(search.get('id')),
  };
}

function readId(text: string | null): number | undefined {
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** `now`, `now-7d`, `now/d`, `now-1d/d`, or a date. */
function isMoment(text: string): boolean {
  return /^now([-+]\d+[smhdwMyQ])?(\/[smhdwMyQ])?$/.test(text) || !Number.isNaN(Date.parse(text));
}

/** Serialises a view. Defaults are omitted. */
export function writeView(view: View): URLSearchParams {
  const search = new URLSearchParams();
  const put = (name: string, value: string | number | undefined) => value && search.append(name, String(value));
  put('tab', view.tab === 'all' ? undefined : view.tab);
  put('q', view.q);
  put('from', view.range?.from);
  put('to', view.range?.to);
  view.categories.forEach((category) => put('category', category));
  view.packages.forEach((name) => put('dnpName', name));
  view.nodes.forEach((name) => put('node', name));
  view.priorities.forEach((priority) => put('priority', priority));
  view.statuses.forEach((status) => put('status', status));
  put('read', view.read);
  put('acknowledged', view.acknowledged === undefined ? undefined : String(view.acknowledged));
  put('assignee', view.assignee);
  put('snoozed', view.snoozed ? 'true' : undefined);
  put('burst', view.burst);
  put('id', view.id);
  return search;
}

/** The number of active filters, for the Filters button on narrow screens. The search is always visible. */
export function countFilters(view: View): number {
  const lists = [view.categories, view.packages, view.nodes, view.priorities, view.statuses];
  const others = [view.range, readFilter(view), view.acknowledged !== undefined, view.assignee, view.snoozed];
  return lists.filter((list) => list.length > 0).length + others.filter(Boolean).length;
}

/** The tab Unread implies the read state. */
export function readFilter(view: View): View['read'] {
  return view.tab === 'unread' ? undefined : view.read;
}

export function hasFilters(view: View): boolean {
  return view.q.trim() !== '' || countFilters(view) > 0;
}

/** The view without filters. */
export function clearFilters(view: View): View {
  return { ...EMPTY_VIEW, tab: view.tab, burst: view.burst, id: view.id };
}

/** Rows are threads, except in a search, which finds single notifications. */
export function showsThreads(view: View): boolean {
  return view.tab === 'open' || ((view.tab === 'all' || view.tab === 'unread') && view.q.trim() === '');
}

/** Whether the threads of a burst are one row. Not in the view of one burst. */
export function collapses(view: View): boolean {
  return view.burst === undefined && view.q.trim() === '' && showsThreads(view);
}
