/** Notifications as they are read for a response or an event: with their thread, its burst, and what people did with it. */
import type { Notification } from '../../../contract/notification.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { type OwnState, ownColumns, type ReaderId } from '../readers/unread.ts';
import { addResponses } from '../responses/conditions.ts';
import { addFlapping } from './flapping.ts';
import { type ThreadFields, toNotification } from './rows.ts';
import { servedColumns, type ServedRow, type TextLimits } from './texts.ts';

const THREAD_COLUMNS = [
  't.state',
  't.opened_ts',
  't.closed_ts',
  't.last_ts',
  't.closed_by_hand',
  't.count',
  't.unseen',
  't.answered',
  't.burst',
  'b.name as burst_name',
] as const;

export type JoinedRow = ServedRow & ThreadFields & Partial<OwnState>;

/** The rows for {@link served}. With a reader, read and unread are the reader's own. */
export const joinedRows = (db: Database, reader?: ReaderId, limits?: TextLimits) =>
  db
    .selectFrom('notifications as n')
    .innerJoin('threads as t', 't.id', 'n.thread_id')
    .leftJoin('bursts as b', 'b.id', 't.burst')
    .select([...servedColumns(limits), ...THREAD_COLUMNS])
    .$if(reader !== undefined, (query) => query.select([...ownColumns(reader!)]));

export interface Served {
  threadId: number;
  /** Somebody responded to the thread, or hid it. */
  answered: boolean;
  notification: Notification;
}

/** @param limits with which the rows were read */
export async function served(
  db: Database,
  rows: readonly JoinedRow[],
  { now, reader, limits }: { now: number; reader?: ReaderId; limits?: TextLimits }
): Promise<Served[]> {
  const found = rows.map((row) => ({
    threadId: row.thread_id,
    answered: row.answered === 1,
    notification: toNotification(row, row, now, row.own_unread === undefined ? undefined : (row as OwnState), limits),
  }));
  await addFlapping(db, found, now);
  await addResponses(db, found, reader);
  return found;
}
