/** State of schedules that is not in their files: copies of calendars, and the people last announced as on call. */
import type { OnCallSchedule } from '../../../contract/onCall.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { Written } from '../../platform/storage/write.ts';
import type { CalendarShift } from './calendar.ts';

/** For the other replicas: they read the routes again. */
export const ROUTES_CHANGED = { type: 'routes', data: {} } as const;

export interface CalendarCopy {
  /** Hash of where it comes from, and of the time zone. */
  source: string;
  shifts: CalendarShift[];
  /** Time of the copy, UTC milliseconds; null: there is none. */
  readAt: number | null;
  /** Time of the last attempt. */
  triedAt: number;
  /** Why it failed; null: it did not. */
  failure: string | null;
}

export interface OnCallState {
  calendar?: CalendarCopy;
  /** The people on call when they were last compared, UTC milliseconds. */
  announced?: { people: string[]; at: number };
}

/** By name of the schedule. */
export type OnCallStates = Record<string, OnCallState>;

export interface OnCallNote {
  file: string;
  schedule: string;
  state: OnCallState;
}

/** Stores parts of the state of a schedule. Runs in the writer thread. */
export async function noteOnCall(trx: Transacting, { file, schedule, state }: OnCallNote): Promise<Written<void>> {
  const row = await trx
    .selectFrom('channel_files')
    .select(['schedules', 'on_call'])
    .where('file', '=', file)
    .executeTakeFirst();
  if (row === undefined) {
    return { result: undefined, events: [] };
  }
  const before = JSON.parse(row.on_call ?? '{}') as OnCallStates;
  const states = (JSON.parse(row.schedules ?? '[]') as OnCallSchedule[]).map(({ name }) => [
    name,
    { ...before[name], ...(name === schedule && state) },
  ]);
  await trx
    .updateTable('channel_files')
    .set({ on_call: JSON.stringify(Object.fromEntries(states)) })
    .where('file', '=', file)
    .execute();
  return { result: undefined, events: [ROUTES_CHANGED] };
}
