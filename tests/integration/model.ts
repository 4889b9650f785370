/** A naive inbox: a list of notifications, from which every response is computed. The store must return the same. */
import { compileRegex } from '../../backend-bridge/contract/matcherRegex.ts';
import { compileMatchers, type Labels, parseMatchers } from '../../backend-bridge/contract/matchers.ts';
import type { Priority, Status } from '../../backend-bridge/contract/notification.ts';
import type { NotificationFilter } from '../../backend-bridge/contract/query.ts';

export interface Kept {
  id: number;
  ts: number;
  title: string;
  body: string;
  category: string;
  dnpName: string;
  priority: Priority;
  status: Status;
  statusGiven: boolean;
  correlationId: string;
  isBanner: boolean;
  errors: string | undefined;
  byHand: boolean;
  muted: boolean;
  seen: boolean;
  /** It requested a banner, or resolved one. */
  concernsBanner: boolean;
  labels: Labels;
}

const keyOf = ({ dnpName, correlationId }: Pick<Kept, 'dnpName' | 'correlationId'>): string =>
  JSON.stringify([dnpName, correlationId]);

/** The relevant members of a received notification. */
export interface Sent {
  title: string;
  body: string;
  category: string;
  dnpName: string;
  correlationId: string;
  priority?: Priority | undefined;
  status?: Status | undefined;
  isBanner?: boolean | undefined;
  errors?: string | undefined;
  labels?: Labels | undefined;
}

/** State of a thread, which only arrivals change. */
interface State {
  state: 'open' | 'resolved' | 'event';
  openedTs: number | null;
  closedTs: number | null;
  closedByHand: boolean;
  lastTs: number;
  banner: boolean;
}
const NEW: State = { state: 'event', openedTs: null, closedTs: null, closedByHand: false, lastTs: 0, banner: false };

export interface ModelThread extends State {
  /** Newest last, without those with errors. */
  members: Kept[];
  head: Kept | undefined;
  stale: boolean;
  count: number;
  unseen: number;
}

export const RANKS = ['low', 'medium', 'high', 'critical'];
const STALE = 7 * 86_400_000;
export const isShown = ({ errors, muted }: Kept): boolean => errors === undefined && !muted;
const stateOf = (kept: Kept): State['state'] =>
  !kept.statusGiven ? 'event' : kept.status === 'triggered' ? 'open' : 'resolved';

/** @param isVisible whether the thread has a shown member: then a muted one can only resolve it */
function after(before: State, one: Kept, isVisible: boolean): State {
  if (one.errors !== undefined) {
    return { ...before, lastTs: before.lastTs || one.ts };
  }
  const state = stateOf(one);
  if (one.muted && state !== 'resolved' && isVisible) {
    return { ...before, lastTs: one.ts };
  }
  const since = before.state === state ? before : { openedTs: one.ts, closedTs: one.ts, closedByHand: one.byHand };
  const next = { ...NEW, state, lastTs: one.ts, banner: one.isBanner };
  if (state === 'resolved') {
    const { closedTs, closedByHand } = since;
    return { ...next, openedTs: before.openedTs, closedTs, closedByHand, banner: one.isBanner || before.banner };
  }
  return state === 'open' ? { ...next, openedTs: since.openedTs } : next;
}

const words = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

export class ModelInbox {
  kept: Kept[] = [];
  readonly trash = new Map<string, Kept[]>();
  readonly off = new Set<string>();
  readonly switched = new Set<string>();
  /** Ids of unread notifications by reader, including deleted ones. */
  readonly unread = new Map<string, Set<number>>();
  private readonly states = new Map<string, State>();
  lastId = 0;

  /** Adds a reader. */
  visit(reader: string): void {
    const unseen = this.kept.filter((one) => isShown(one) && !one.seen);
    this.unread.set(reader, this.unread.get(reader) ?? new Set(unseen.map(({ id }) => id)));
  }

  /** Unread for the reader, or for all. Hidden notifications only have the shared state. */
  isUnread(one: Kept, reader: string | undefined): boolean {
    return reader === undefined || !isShown(one) ? !one.seen : this.unread.get(reader)!.has(one.id);
  }

  unreadOf(thread: ModelThread, reader: string | undefined): number {
    return thread.members.filter((one) => isShown(one) && this.isUnread(one, reader)).length;
  }

  receive(
    { priority = 'low', status, isBanner = false, errors, labels = {}, ...rest }: Sent,
    { id, ts, byHand = false, handled = false }: { id: number; ts: number; byHand?: boolean; handled?: boolean }
  ): void {
    this.lastId = Math.max(this.lastId, id);
    const { title, body, category, dnpName, correlationId } = rest;
    if (!byHand && !handled) {
      this.unread.forEach((ids) => ids.add(id));
    }
    const one: Kept = {
      id,
      ts,
      title,
      body,
      category,
      dnpName,
      correlationId,
      priority,
      isBanner,
      labels,
      errors,
      byHand,
      status: status ?? 'triggered',
      statusGiven: status !== undefined,
      muted: this.off.has(category),
      seen: byHand || handled,
      concernsBanner: isBanner,
    };
    const members = this.membersOf(one);
    // A thread whose members are all deleted starts afresh.
    const before = members.length > 0 ? this.states.get(keyOf(one))! : NEW;
    one.concernsBanner ||= one.status === 'resolved' && before.banner;
    this.states.set(keyOf(one), after(before, one, members.some(isShown)));
    this.kept.push(one);
  }

  membersOf(of: Pick<Kept, 'dnpName' | 'correlationId'>): Kept[] {
    return this.kept.filter((one) => one.dnpName === of.dnpName && one.correlationId === of.correlationId);
  }

  threads(now: number): ModelThread[] {
    return [...Map.groupBy(this.kept, keyOf).values()].map((members) => this.threadOf(members[0]!, now));
  }

  /** The thread of a notification; it need not have members. */
  threadOf(of: Pick<Kept, 'dnpName' | 'correlationId'>, now: number): ModelThread {
    const members = this.membersOf(of).filter(({ errors }) => errors === undefined);
    const shown = members.filter(isShown);
    const state = this.states.get(keyOf(of)) ?? NEW;
    return {
      ...state,
      members,
      head: shown.at(-1),
      stale: state.state === 'open' && now - state.lastTs >= STALE,
      count: shown.length,
      unseen: shown.filter(({ seen }) => !seen).length,
    };
  }

  /** Newest first: threads, or single notifications. */
  match(filter: NotificationFilter, now: number, reader?: string): Array<{ one: Kept; thread: ModelThread }> {
    const byThread = filter.latest === true || filter.open !== undefined;
    const rows = byThread
      ? this.threads(now).flatMap((thread) => (thread.head ? [{ one: thread.head, thread }] : []))
      : this.kept.map((one) => ({ one, thread: this.threadOf(one, now) }));
    return rows
      .filter(
        ({ one, thread }) =>
          this.matchesCommon(filter, one) &&
          (byThread ? matchesThread(filter, one, thread) : this.matchesSingle(filter, one)) &&
          (filter.read === undefined ||
            filter.read === !(byThread ? this.unreadOf(thread, reader) > 0 : this.isUnread(one, reader)))
      )
      .sort(({ one: a }, { one: b }) => b.ts - a.ts || b.id - a.id);
  }

  private matchesCommon(filter: NotificationFilter, one: Kept): boolean {
    const among = <T>(values: T[] | undefined, value: T): boolean => !values?.length || values.includes(value);
    return (
      among(filter.category, one.category) &&
      among(filter.dnpName, one.dnpName) &&
      among(filter.priority, one.priority) &&
      among(filter.correlationId, one.correlationId) &&
      one.ts >= (filter.from ?? 0) &&
      one.ts < (filter.to ?? Infinity) &&
      one.id <= (filter.untilId ?? Infinity) &&
      compileMatchers(parseMatchers(filter.matchers ?? ''), compileRegex)(one.labels) &&
      matchesText(filter.q, one)
    );
  }

  private matchesSingle(filter: NotificationFilter, one: Kept): boolean {
    const { isBanner, seen, status } = filter;
    return (
      isListed(filter, one) &&
      (seen === undefined || seen === one.seen) &&
      (!status?.length || status.includes(one.status)) &&
      (isBanner === undefined || isBanner === one.concernsBanner)
    );
  }
}

/** Filters by errors and by muted. */
function isListed(filter: NotificationFilter, one: Kept): boolean {
  const { errors = 'hidden' } = filter;
  const muted = filter.muted ?? (errors === 'only' ? 'all' : 'false');
  const endsBanner = filter.muted === undefined && filter.isBanner === true && one.status === 'resolved';
  return (
    (errors === 'all' || (errors === 'only') === (one.errors !== undefined)) &&
    (muted === 'all' || (muted === 'true') === one.muted || endsBanner)
  );
}

function matchesThread(filter: NotificationFilter, _one: Kept, thread: ModelThread): boolean {
  const { open, seen, isBanner, status } = filter;
  return (
    (open === undefined || open === (thread.state === 'open' && !thread.stale)) &&
    (seen === undefined || seen === (thread.unseen === 0)) &&
    (isBanner === undefined || isBanner === thread.banner) &&
    (!status?.length || status.includes(thread.state === 'resolved' ? 'resolved' : 'triggered'))
  );
}

function matchesText(q: string | undefined, { title, body, dnpName, labels }: Kept): boolean {
  if (q === undefined || q.trim() === '') {
    return true;
  }
  const wanted = words(q);
  const said = [title, body, dnpName, ...Object.entries(labels).flat()].flatMap(words);
  return (
    wanted.length > 0 &&
    wanted.every((one, index) =>
      said.some((each) => (index === wanted.length - 1 ? each.startsWith(one) : each === one))
    )
  );
}
