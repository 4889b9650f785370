/** Reads the outbox: what is to be sent, and the outcomes. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Route } from '../../../contract/channel.ts';
import type { ChannelPerson, OnCallSchedule } from '../../../contract/onCall.ts';
import { hasMembers } from '../../inbox/notifications/rows.ts';
import { isFiring } from '../../inbox/notifications/ownAlerts.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { StoredChannel } from './kinds/channel.ts';
import { readBatch } from './forwardStore.ts';
import { type MergedSchedule, readOverrides, withOverrides } from '../schedules/overrideStore.ts';
import { floodOf, waitingBySender } from './floodStore.ts';
import { dueSteps } from './dueSteps.ts';
import { disturbing, type Passing } from './heldWrites.ts';
import { digestOf } from './digest.ts';
import { SENDING, UNACKNOWLEDGED } from '../schedules/hours.ts';
import type { OnCallStates } from '../schedules/onCallState.ts';
import { statusOf } from './status.ts';
import { undeliveredOf, type UndeliveredPage } from './undeliveredRows.ts';
import { changedResponse, newestOf, outboxRows, toWaiting, type Waiting } from './waiting.ts';

/** Channels and routes of one file, without secrets. */
export interface ChannelFile {
  /** Empty: the page. */
  file: string;
  channels: StoredChannel[];
  routes: Route[];
  /** With overrides that were added after those of the file. */
  schedules: MergedSchedule[];
  people: ChannelPerson[];
  states: OnCallStates;
}

/** Held notifications by reason. */
export interface HeldGroup {
  /** hours.ts, or the schedule of a digest. */
  hold: string;
  /** The first and the last, by the clock of the reason. */
  due: number;
  last: number;
}

const waiting = sql.lit<'waiting'>('waiting');
const held = sql.lit<'held'>('held');

/** Queries of the outbox, on the reading connection. */
export class OutboxStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Status of one channel, or of its devices. */
  statusOf(channels: readonly string[]) {
    return statusOf(this.#db, channels);
  }

  async files(): Promise<ChannelFile[]> {
    const rows = await this.#db.selectFrom('channel_files').selectAll().orderBy('file').execute();
    const added = await readOverrides(this.#db);
    return rows.map(({ file, channels, routes, schedules, people, on_call }) => ({
      file,
      schedules: (JSON.parse(schedules ?? '[]') as OnCallSchedule[]).map((one) => withOverrides(one, added)),
      people: JSON.parse(people ?? '[]') as ChannelPerson[],
      states: JSON.parse(on_call ?? '{}') as OnCallStates,
      channels: JSON.parse(channels) as StoredChannel[],
      routes: JSON.parse(routes) as Route[],
    }));
  }

  /**
   * The next ones that are due: of a thread, none before an earlier one that is retried, unless some recipients have that.
   * @param steady the bridge's own clock
   * @param except senders that are left out
   * @param isDetailed with {@link Waiting.details}
   */
  async next(
    channel: string,
    steady: number,
    { limit, except, isDetailed }: { limit: number; except: readonly string[]; isDetailed: boolean }
  ): Promise<Waiting[]> {
    const rows = await outboxRows(this.#db, channel, isDetailed)
      .where('o.state', '=', waiting)
      .where('o.due_ts', '<=', steady)
      .where((all) =>
        all.not(
          all.exists(
            all
              .selectFrom('outbox as e')
              .select('e.id')
              .whereRef('e.thread_id', '=', 'o.thread_id')
              .whereRef('e.channel', '=', 'o.channel')
              .where('e.state', '=', waiting)
              .whereRef('e.id', '<', 'o.id')
              .where('e.due_ts', '>', steady)
              .where('e.hold', 'is', null)
          )
        )
      )
      .$if(except.length > 0, (query) => query.where(sql<SqlBool>`not (${inList('o.sender', except)})`))
      .orderBy('o.id')
      .limit(limit)
      .execute();
    return rows.map(toWaiting);
  }

  /** A row that waits or is held. */
  async one(channel: string, id: number, isDetailed: boolean): Promise<Waiting | undefined> {
    const row = await outboxRows(this.#db, channel, isDetailed).where('o.id', '=', id).executeTakeFirst();
    return row && toWaiting(row);
  }

  /** Held rows by reason. A few index lookups for each reason, however many rows there are. */
  async held(channel: string): Promise<HeldGroup[]> {
    const groups: HeldGroup[] = [];
    const rows = this.#db.selectFrom('outbox').where('channel', '=', channel).where('state', '=', held);
    const dueOf = async (hold: string, order: 'asc' | 'desc'): Promise<number> => {
      const of = rows.where('hold', '=', hold).select('due_ts').orderBy('due_ts', order).limit(1);
      return (await of.executeTakeFirst())?.due_ts ?? 0;
    };
    for (;;) {
      const row = await rows
        .select((all) => all.fn.min<string | null>('hold').as('hold'))
        .where('hold', '>', groups.at(-1)?.hold ?? '')
        .executeTakeFirst();
      const hold = row?.hold ?? '';
      if (hold === '') {
        return groups;
      }
      groups.push({ hold, due: await dueOf(hold, 'asc'), last: await dueOf(hold, 'desc') });
    }
  }

  /** Whether anything waits that does not pass in quiet hours. */
  async disturbs(passing: Passing): Promise<boolean> {
    const { rows } = await sql`${disturbing(passing)} limit 1`.execute(this.#db);
    return rows.length > 0;
  }

  digest(channel: string) {
    return digestOf(this.#db, channel);
  }

  /** All that waits of a thread, or is held for a digest, by arrival. */
  thread(channel: string, threadId: number) {
    return this.#db
      .selectFrom('outbox as o')
      .innerJoin('notifications as n', 'n.id', 'o.notification_id')
      .select(['o.id', 'o.state', 'o.drop_resolved', 'n.status', 'n.status_given', 'n.ts as arrivedTs'])
      .where('o.channel', '=', channel)
      .where('o.thread_id', '=', threadId)
      .where((all) =>
        all.or([
          all('o.state', '=', waiting),
          all.and([all('o.state', '=', held), all('o.hold', 'not in', [SENDING, UNACKNOWLEDGED])]),
        ])
      )
      .orderBy('o.id')
      .execute();
  }

  steps(steady: number, limit: number) {
    return dueSteps(this.#db, steady, limit);
  }

  /** When the next one after `steady` is due, by the bridge's own clock; undefined: none is. */
  async nextDue(channel: string, steady: number): Promise<number | undefined> {
    const row = await this.#db
      .selectFrom('outbox')
      .select((all) => all.fn.min<number | null>('due_ts').as('due'))
      .where('channel', '=', channel)
      .where('state', '=', waiting)
      .where('due_ts', '>', steady)
      .executeTakeFirst();
    return row?.due ?? undefined;
  }

  newest() {
    return newestOf(this.#db);
  }

  bySender(channel: string) {
    return waitingBySender(this.#db, channel);
  }

  flood(channel: string, senders: readonly string[]) {
    return floodOf(this.#db, channel, senders);
  }

  /** The oldest ones, by arrival. @param before received before, by the bridge's own clock */
  async oldest(
    channel: string,
    { before, limit, state = 'waiting' }: { before: number; limit: number; state?: 'waiting' | 'held' }
  ): Promise<number[]> {
    const rows = await this.#db
      .selectFrom('outbox')
      .select('id')
      .where('channel', '=', channel)
      .where('state', '=', state === 'waiting' ? waiting : held)
      .where('ts', '<=', before)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  batch(channel: string, limits: { rows: number; bytes: number }) {
    return readBatch(this.#db, channel, limits);
  }
  changedResponse(channel: string, threadId?: number) {
    return changedResponse(this.#db, channel, threadId);
  }
  async count(state: 'waiting' | 'held' | 'undelivered', channels: readonly string[]): Promise<number> {
    const row = await this.#db
      .selectFrom('outbox')
      .select((all) => all.fn.countAll<number>().as('count'))
      .where(inList('channel', channels))
      .where('state', '=', sql.lit(state))
      .executeTakeFirstOrThrow();
    return row.count;
  }
  /** Held rows by reason. */
  heldGroups(channels: readonly string[]) {
    return this.#db
      .selectFrom('outbox')
      .select((all) => ['hold', all.fn.countAll<number>().as('count'), all.fn.min<number>('due_ts').as('due')])
      .where(inList('channel', channels))
      .where('state', '=', held)
      .groupBy('hold')
      .execute();
  }

  /** Names of channels for which anything waits, or is held. */
  async channelsWaiting(): Promise<string[]> {
    const waits = await channelsWith(this.#db, sql<SqlBool>`state = 'waiting'`);
    return [...new Set([...waits, ...(await channelsWith(this.#db, sql<SqlBool>`state = 'held'`))])];
  }

  /** Names of channels for which deliveries are kept. */
  channelsDone(): Promise<string[]> {
    return channelsWith(this.#db, sql<SqlBool>`done_ts is not null`);
  }

  undelivered(page: UndeliveredPage) {
    return undeliveredOf(this.#db, page);
  }

  /** The correlation ids of this bridge's own open threads that begin with this. */
  async openOf(dnpName: string, prefix: string): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('threads')
      .select('correlation_id')
      .where('dnp_name', '=', dnpName)
      .where('correlation_id', '>=', prefix)
      .where('correlation_id', '<', `${prefix}\uffff`)
      .where('node', '=', '')
      .where('state', '=', 'open')
      .where(hasMembers())
      .execute();
    return rows.map((row) => row.correlation_id);
  }

  isFiring(correlationId: string): Promise<boolean> {
    return isFiring(this.#db, correlationId);
  }
}

/** Names of channels of such entries. One lookup in the index for each, however many entries it has. */
async function channelsWith(db: Database, isSuch: RawBuilder<SqlBool>): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const row = await db
      .selectFrom('outbox')
      .select((all) => all.fn.min<string | null>('channel').as('name'))
      .where(isSuch)
      .where('channel', '>', names.at(-1) ?? '')
      .executeTakeFirst();
    if (row?.name == null) {
      return names;
    }
    names.push(row.name);
  }
}
