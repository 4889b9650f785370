/** The steps of escalations of a route. Pure. */
import type { PlacedRoute, Route } from '../../../contract/channel.ts';
import { placeName } from '../../../contract/onCall.ts';
import { durationSeconds } from '../../../contract/text.ts';
import type { Escalation, Step } from '../../inbox/notifications/receive.ts';

/** Where a route leads, and when. */
export type Leading = Pick<
  Route,
  'channels' | 'continue' | 'digest' | 'unacknowledged' | 'dropResolved' | 'onCall' | 'escalation' | 'repeatEvery'
>;

/** Milliseconds of a duration. */
export const msOf = (text: string): number => durationSeconds(text) * 1000;

/** A route in effect. */
export interface ActiveRoute extends PlacedRoute {
  /** Channels that its steps may reach. */
  reach?: string[];
}

/** The steps of a route: `unacknowledged` and `onCall` are the first. @param delayed its channels that wait for an acknowledgement */
export function stepsOf({ unacknowledged, onCall, escalation = [] }: Leading, delayed: readonly string[]): Step[] {
  const firstMs = msOf(unacknowledged ?? '0m');
  const first = [...(onCall === undefined ? [] : [placeName({ kind: 'schedule', name: onCall })]), ...delayed];
  return [
    ...first.map((to) => ({ to, afterMs: firstMs, step: 0 })),
    ...escalation
      .toSorted((a, b) => msOf(a.after) - msOf(b.after))
      .flatMap(({ after, onCall: schedule, people = [], channels = [] }, index) =>
        [
          ...(schedule === undefined ? [] : [placeName({ kind: 'schedule', name: schedule })]),
          ...people.map((name) => placeName({ kind: 'person', name })),
          ...channels,
        ].map((to) => ({ to, afterMs: msOf(after), step: index + 1 }))
      ),
  ];
}

/** @returns none: the route has no steps */
export function escalationOf(route: ActiveRoute, delayed: readonly string[]): Escalation[] {
  const { file = '', index, repeatEvery, dropResolved, reach = [] } = route;
  const steps = stepsOf(route, delayed);
  return steps.length === 0
    ? []
    : [
        {
          route: `${file}#${index}`,
          steps,
          reach: [...delayed, ...reach],
          ...(repeatEvery !== undefined && { everyMs: msOf(repeatEvery) }),
          ...(dropResolved === true && { dropResolved }),
        },
      ];
}
