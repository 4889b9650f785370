/** The view of the page, kept in the URL so that links reproduce it. Pure. */
import { LIMITS } from '@nodebell/contract/limits.ts';
import type { OriginFilter } from '../api/notifications';
import { FILTERS, type FilterValues, NO_FILTERS } from './filters/table';

export const TABS = ['all', 'unread', 'open', 'muted', 'errors'] as const;
export type Tab = (typeof TABS)[number];

export interface View extends FilterValues {
  tab: Tab;
  q: string;
  /** As typed: `now-7d`, or ISO 8601. Both or neither. */
  range: { from: string; to: string } | undefined;
  /** Name of the label that the list is grouped by; empty: by category. */
  groupBy: string;
  /** The threads of one burst. */
  burst: number | undefined;
  /** The notification whose detail is shown. */
  id: number | undefined;
  /** The alert whose notification is to be shown; without `id` only. contract/inboxLink.ts has the links. */
  alert: AlertLink | undefined;
}

export type AlertLink = Pick<OriginFilter, 'fingerprint' | 'ruleUid' | 'has'>;

export const EMPTY_VIEW: View = {
  tab: 'all',
  q: '',
  range: undefined,
  ...NO_FILTERS,
  groupBy: '',
  burst: undefined,
  id: undefined,
  alert: undefined,
};

const oneOf = <T extends string>(allowed: readonly T[], word: string | null): T | undefined =>
  allowed.find((candidate) => candidate === word);

/** Parses a view. Unknown values are ignored, so that an outdated or mistyped link still opens. */
export function readView(search: URLSearchParams): View {
  const from = search.get('from');
  const to = search.get('to');
  const id = readId(search.get('id'));
  return {
    tab: oneOf(TABS, search.get('tab')) ?? 'all',
    q: search.get('q')?.slice(0, 500) ?? '',
    range: from && to && isMoment(from) && isMoment(to) ? { from, to } : undefined,
    ...FILTERS.reduce((values, { param, set }) => ({ ...values, ...set(search.getAll(param)) }), NO_FILTERS),
    groupBy: search.get('groupBy')?.slice(0, LIMITS.labelNameBytes.value) ?? '',
    burst: readId(search.get('burst')),
    id,
    alert: id === undefined ? readAlert(search) : undefined,
  };
}

/** An incomplete label is left to the bridge to reject: without it the link would show another alert. */
function readAlert(search: URLSearchParams): AlertLink | undefined {
  const fingerprint = search.get('fingerprint');
  const ruleUid = search.get('ruleUid');
  if (fingerprint) {
    return { fingerprint };
  }
  return ruleUid ? { ruleUid: [ruleUid], has: search.getAll('has') } : undefined;
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
  FILTERS.forEach(({ param, get }) => get(view).forEach((value) => put(param, value)));
  put('groupBy', view.groupBy);
  put('burst', view.burst);
  put('id', view.id);
  put('fingerprint', view.alert?.fingerprint);
  view.alert?.ruleUid?.forEach((uid) => put('ruleUid', uid));
  view.alert?.has?.forEach((label) => put('has', label));
  return search;
}

/** The number of active filters, for the Filters button on narrow screens. The search is always visible. */
export function countFilters(view: View): number {
  const effective = { ...view, read: readFilter(view) };
  return FILTERS.filter(({ get }) => get(effective).length > 0).length + Number(view.range !== undefined);
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
  return { ...EMPTY_VIEW, tab: view.tab, groupBy: view.groupBy, burst: view.burst, id: view.id };
}

/** Whether a notification is open, or is being searched for. */
export const showsDetail = ({ id, alert }: View): boolean => id !== undefined || alert !== undefined;

/** Rows are threads, except in a search, which finds single notifications. */
export function showsThreads(view: View): boolean {
  return view.tab === 'open' || ((view.tab === 'all' || view.tab === 'unread') && view.q.trim() === '');
}

/** Whether the threads of a burst are one row. Not in the view of one burst, nor by a label, which can differ between them. */
export function collapses(view: View): boolean {
  return view.burst === undefined && view.groupBy === '' && view.q.trim() === '' && showsThreads(view);
}
