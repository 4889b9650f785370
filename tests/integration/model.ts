/** A naive inbox: a list of notifications, from which every response is computed. The store must return the same. */
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
}

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
}

export interface ModelThread {
  /** Newest last, without those with errors. */
  members: Kept[];
  head: Kept | undefined;
  state: 'open' | 'resolved' | 'event';
  openedTs: number | null;
  closedTs: number | null;
  closedByHand: boolean;
  lastTs: number;
  stale: boolean;
  banner: boolean;
  count: number;
  unseen: number;
}

export const RANKS = ['low', 'medium', 'high', 'critical'];
const STALE = 7 * 86_400_000;
export const isShown = ({ errors, muted }: Kept): boolean => errors === undefined && !muted;
const word = (kept: Kept): 'open' | 'resolved' | 'event' =>
  !kept.statusGiven ? 'event' : kept.status === 'triggered' ? 'open' : 'resolved';

/** Members that affect the state: a muted one can only resolve, once something is visible. */
function speaking(members: Kept[]): Kept[] {
  return members.filter(
    (one, index) => !(one.muted && word(one) !== 'resolved' && members.slice(0, index).some(isShown))
  );
}

/** Length of the trailing run of this status. */
function run(members: Kept[], said: string, before = members.length): number {
  let length = 0;
  while (length < before && word(members[before - 1 - length]!) === said) {
    length += 1;
  }
  return length;
}

export function threadOfMembers(all: Kept[], now: number): ModelThread {
  const members = all.filter(({ errors }) => errors === undefined);
  const spoken = speaking(members);
  const newest = spoken.at(-1);
  const state = newest ? word(newest) : 'event';
  const closing = run(spoken, 'resolved');
  const opening = run(spoken, 'open', spoken.length - closing);
  const firstClosing = closing > 0 ? spoken[spoken.length - closing]! : undefined;
  const beforeClosing = spoken[spoken.length - closing - 1];
  const lastTs = (members.at(-1) ?? all[0])!.ts;
  const shown = members.filter(isShown);
  return {
    members,
    head: shown.at(-1),
    state,
    openedTs: opening > 0 && state !== 'event' ? spoken[spoken.length - closing - opening]!.ts : null,
    closedTs: firstClosing?.ts ?? null,
    closedByHand: firstClosing?.byHand ?? false,
    lastTs,
    stale: state === 'open' && now - lastTs >= STALE,
    banner: [...(beforeClosing ? [beforeClosing] : []), ...spoken.slice(spoken.length - closing)].some(
      ({ isBanner }) => isBanner
    ),
    count: shown.length,
    unseen: shown.filter(({ seen }) => !seen).length,
  };
}

const words = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

export class ModelInbox {
  kept: Kept[] = [];
  readonly trash = new Map<string, Kept[]>();
  readonly off = new Set<string>();
  readonly switched = new Set<string>();
  /** Ids of unread notifications by reader, including deleted ones. */
  readonly unread = new Map<string, Set<number>>();
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
    { priority = 'low', status, isBanner = false, errors, ...rest }: Sent,
    { id, ts, byHand = false, handled = false }: { id: number; ts: number; byHand?: boolean; handled?: boolean }
  ): void {
    this.lastId = Math.max(this.lastId, id);
    const { title, body, category, dnpName, correlationId } = rest;
    if (!byHand && !handled) {
      this.unread.forEach((ids) => ids.add(id));
    }
    this.kept.push({
      id,
      ts,
      title,
      body,
      category,
      dnpName,
      correlationId,
      priority,
      isBanner,
      errors,
      byHand,
      status: status ?? 'triggered',
      statusGiven: status !== undefined,
      muted: this.off.has(category),
      seen: byHand || handled,
    });
  }

  membersOf(of: Pick<Kept, 'dnpName' | 'correlationId'>): Kept[] {
    return this.kept.filter((one) => one.dnpName === of.dnpName && one.correlationId === of.correlationId);
  }

  threads(now: number): ModelThread[] {
    const groups = Map.groupBy(this.kept, ({ dnpName, correlationId }) => JSON.stringify([dnpName, correlationId]));
    return [...groups.values()].map((members) => threadOfMembers(members, now));
  }

  /** Requests a banner, or resolves one. */
  concernsBanner(one: Kept, now: number): boolean {
    const before = this.membersOf(one).filter(({ id, errors }) => id < one.id && errors === undefined);
    return one.isBanner || (one.status === 'resolved' && before.length > 0 && threadOfMembers(before, now).banner);
  }

  /** Newest first: threads, or single notifications. */
  match(filter: NotificationFilter, now: number, reader?: string): Array<{ one: Kept; thread: ModelThread }> {
    const byThread = filter.latest === true || filter.open !== undefined;
    const rows = byThread
      ? this.threads(now).flatMap((thread) => (thread.head ? [{ one: thread.head, thread }] : []))
      : this.kept.map((one) => ({ one, thread: threadOfMembers(this.membersOf(one), now) }));
    return rows
      .filter(
        ({ one, thread }) =>
          this.matchesCommon(filter, one) &&
          (byThread ? matchesThread(filter, one, thread) : this.matchesSingle(filter, one, now)) &&
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
      matchesText(filter.q, one)
    );
  }

  private matchesSingle(filter: NotificationFilter, one: Kept, now: number): boolean {
    const { isBanner, seen, status } = filter;
    return (
      isListed(filter, one) &&
      (seen === undefined || seen === one.seen) &&
      (!status?.length || status.includes(one.status)) &&
      (isBanner === undefined || isBanner === this.concernsBanner(one, now))
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

function matchesText(q: string | undefined, { title, body, dnpName }: Kept): boolean {
  if (q === undefined || q.trim() === '') {
    return true;
  }
  const wanted = words(q);
  const said = [title, body, dnpName].flatMap(words);
  return (
    wanted.length > 0 &&
    wanted.every((one, index) =>
      said.some((each) => (index === wanted.length - 1 ? each.startsWith(one) : each === one))
    )
  );
}
