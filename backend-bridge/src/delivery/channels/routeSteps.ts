/** The steps of escalations of a route. Pure. */
import { createHash } from 'node:crypto';
import type { PlacedRoute, Route } from '../../../contract/channel.ts';
import { placeName } from '../../../contract/onCall.ts';
import { durationSeconds } from '../../../contract/text.ts';
import type { Escalation, Step } from '../../inbox/notifications/receive.ts';

/** Where a route leads, and when. */
export type Leading = Pick<
  Route,
  | 'channels'
  | 'continue'
  | 'digest'
  | 'unacknowledged'
  | 'dropResolved'
  | 'onCall'
  | 'escalation'
  | 'repeatEvery'
  | 'remindAcknowledged'
>;

/** Milliseconds of a duration. */
export const msOf = (text: string): number => durationSeconds(text) * 1000;

/** A route in effect. */
export interface ActiveRoute extends PlacedRoute {
  /** Identifies it among all, wherever it is in its file. */
  id: string;
  /** Channels that its steps may reach. */
  reach?: string[];
}

/** Members that identify a route. Its times and steps can change while they run. */
const OWN = [
  ...(['channels', 'onCall', 'priority', 'categories', 'packages', 'statuses'] as const),
  ...(['nodes', 'matchers', 'persons'] as const),
];

/** Ids that stay when routes are added, removed or moved. Equal routes of a file are counted. */
export function routeIds(routes: readonly PlacedRoute[]): string[] {
  const seen = new Map<string, number>();
  return routes.map((route) => {
    const own = createHash('sha256').update(JSON.stringify(OWN.map((member) => route[member] ?? null)));
    const id = `${route.file ?? ''}#${own.digest('base64url').slice(0, 16)}`;
    const earlier = seen.get(id) ?? 0;
    seen.set(id, earlier + 1);
    return earlier === 0 ? id : `${id}.${earlier}`;
  });
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

const hasSteps = ({ unacknowledged, onCall, escalation, remindAcknowledged }: Leading): boolean =>
  [unacknowledged, onCall, escalation, remindAcknowledged].some((member) => member !== undefined);

/** @param all routes @returns none: the route has no steps, and reminds nobody */
export function escalationOf(
  route: ActiveRoute,
  delayed: readonly string[],
  all: readonly ActiveRoute[]
): Escalation[] {
  const { id, channels, onCall, repeatEvery, remindAcknowledged, dropResolved, reach = [] } = route;
  const steps = stepsOf(route, delayed);
  const schedules = onCall === undefined ? [] : [placeName({ kind: 'schedule', name: onCall })];
  return steps.length === 0 && remindAcknowledged === undefined
    ? []
    : [
        {
          route: id,
          known: all.flatMap((one) => (hasSteps(one) ? one.id : [])),
          steps,
          reach: [...delayed, ...reach],
          ...(repeatEvery !== undefined && { everyMs: msOf(repeatEvery) }),
          ...(remindAcknowledged !== undefined && {
            reminder: { remindMs: msOf(remindAcknowledged), to: [...channels, ...schedules] },
          }),
          ...(dropResolved === true && { dropResolved }),
        },
      ];
}
