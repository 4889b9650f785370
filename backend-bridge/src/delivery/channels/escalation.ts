/** Whom a step of an escalation reaches. Pure. */
import { type ChannelPerson, placeName, placeOf } from '../../../contract/onCall.ts';
import type { Reminder } from '../../inbox/notifications/receive.ts';
import { onCallAt, type TimedSchedule } from '../schedules/schedule.ts';

/** A step in the outbox, and what is sent for it. */
export interface StepMark {
  /** As in Escalation (inbox/notifications/receive.ts). */
  route: string;
  step: number;
  everyMs?: number;
  /** How often it begins again. */
  left?: number;
  notThrough?: string;
  /** Login of the person for whom it is sent. */
  person?: string;
  /** Reminder of an acknowledged alert; its step is -1. */
  reminder?: Reminder;
}

/** Channels to which a step is sent. */
export interface Reached {
  to: { channel: string; person?: string }[];
  /** Why there are none. */
  nobody?: string;
}

/** @param to as in Step (inbox/notifications/receive.ts) @param at UTC milliseconds @param notThrough a channel that is left out */
export type ReachedBy = (to: string, at: number, notThrough?: string) => Reached;

export interface OnCall {
  schedules: ReadonlyMap<string, TimedSchedule>;
  people: ReadonlyMap<string, ChannelPerson>;
  /** Names in the outbox of a channel for a person; empty: it does not send. */
  placesOf: (channel: string, login: string) => string[];
}

/** Decides at the time at which a step is due. */
export const reachedIn =
  ({ schedules, people, placesOf }: OnCall): ReachedBy =>
  (to, at, notThrough) => {
    const place = placeOf(to);
    if (place === undefined) {
      return { to: [{ channel: to }] };
    }
    const { kind, name } = place;
    const schedule = schedules.get(name);
    if (kind === 'schedule' && schedule === undefined) {
      return { to: [], nobody: `There is no schedule ${name}.` };
    }
    const logins = kind === 'person' ? [name] : onCallAt(schedule!, at);
    if (logins.length === 0) {
      return { to: [], nobody: `Nobody is on call in the schedule ${name}.` };
    }
    const found = logins.flatMap((person) =>
      (people.get(person)?.channels ?? [])
        .filter((channel) => channel !== notThrough)
        .flatMap((channel) => placesOf(channel, person).map((one) => ({ channel: one, person })))
    );
    return found.length > 0 ? { to: found } : { to: [], nobody: `No channel reaches ${logins.join(', ')}.` };
  };

/** @param by login of who has acknowledged it; null: nobody whom the bridge knows */
export function remindedBy(reachedBy: ReachedBy, { to }: Reminder, by: string | null, at: number): Reached {
  const person = by === null ? undefined : reachedBy(placeName({ kind: 'person', name: by }), at);
  if (person && person.to.length > 0) {
    return person;
  }
  const reached = to.map((one) => reachedBy(one, at));
  return {
    to: reached.flatMap((one) => one.to),
    nobody: reached.find(({ nobody }) => nobody)?.nobody ?? 'No channel.',
  };
}
