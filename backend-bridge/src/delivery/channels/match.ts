/** Selects the channels of a notification. Pure. */
import { LRUCache } from 'lru-cache';
import { holdingMembers, type PlacedRoute, type Route } from '../../../contract/channel.ts';
import { channelsIn } from '../../../contract/routeNames.ts';
import type { Comparison, RouteTestResult } from '../../../contract/routeTest.ts';
import { type ChannelType, DESCRIPTORS } from '../../../contract/channelTypes/index.ts';
import { DEFAULTS, foldCategory, PRIORITIES, type Priority, type Status } from '../../../contract/notification.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { compileRegex } from '../../../contract/matcherRegex.ts';
import { compileMatchers, formatMatchers, type Labels, parseMatchers } from '../../../contract/matchers.ts';
import { isoTime } from '../../../contract/text.ts';
import type { Destinations, Hold } from '../../inbox/notifications/receive.ts';
import type { Reached, ReachedBy } from './escalation.ts';
import { type ActiveRoute, escalationOf, type Leading, msOf, stepsOf } from './routeSteps.ts';
import { nextDigest } from '../schedules/hours.ts';
import { ofDevice } from './kinds/channel.ts';

/** Fields that routes compare. */
export interface Routed {
  category: string;
  dnpName: string;
  priority: Priority;
  status: Status;
  /** Empty: none. */
  node: string;
  labels?: Labels | undefined;
}

/** With the defaults of a notification. */
export const routedOf = (payload: { [K in keyof Routed]?: Routed[K] | undefined }): Routed => ({
  category: foldCategory(payload.category ?? DEFAULTS.category),
  dnpName: payload.dnpName ?? DEFAULTS.dnpName,
  priority: payload.priority ?? DEFAULTS.priority,
  status: payload.status ?? DEFAULTS.status,
  node: payload.node ?? '',
  labels: payload.labels,
});

/** Labels for the matchers of routes, windows and inhibition rules: its own take precedence over its members. */
export const labelsOf = (payload: Parameters<typeof routedOf>[0]): Labels => {
  const { dnpName, category, node, priority, labels } = routedOf(payload);
  return { category, package: dnpName, node, priority, ...labels };
};

/** By text. An invalid one, which cannot be stored, matches nothing. */
const compiled = new LRUCache<string, (labels: Labels) => boolean>({
  max: LIMITS.routes.value,
  memoMethod: (text) => {
    try {
      return compileMatchers(parseMatchers(text, compileRegex), compileRegex);
    } catch {
      return () => false;
    }
  },
});

type Criteria = Pick<Route, 'priority' | 'categories' | 'packages' | 'statuses' | 'nodes' | 'matchers'>;

function comparisons(route: Criteria, one: Routed): Comparison[] {
  const { priority, categories, packages, statuses, nodes, matchers } = route;
  const among = (what: Comparison['what'], found: string, allowed: string[] | undefined): Comparison[] =>
    allowed === undefined ? [] : [{ what, found, allowed, holds: allowed.includes(found) }];
  const isAtLeast = PRIORITIES.indexOf(one.priority) >= PRIORITIES.indexOf(priority ?? 'low');
  return [
    ...(priority === undefined
      ? []
      : [{ what: 'priority' as const, found: one.priority, allowed: [priority], holds: isAtLeast }]),
    ...among('category', one.category, categories),
    ...among('package', one.dnpName, packages),
    ...among('status', one.status, statuses),
    ...among('node', one.node, nodes),
    ...(matchers === undefined ? [] : [labelsComparison(matchers, one)]),
  ];
}

function labelsComparison(matchers: string, one: Routed): Comparison {
  const found = formatMatchers(
    Object.entries(one.labels ?? {}).map(([name, value]) => ({ name, value, isRegex: false, isEqual: true }))
  );
  return { what: 'labels', found, allowed: [matchers], holds: compiled.memo(matchers)(labelsOf(one)) };
}

function inWords({ what, found, allowed, holds }: Comparison): string {
  const among = `${holds ? '' : 'not '}${what === 'labels' ? 'matched by' : 'one of'}`;
  const how = what === 'priority' ? (holds ? 'at least' : 'below') : among;
  return `${what} ${found === '' ? '(none)' : found} is ${how} ${allowed.join(', ')}`;
}

const matches = (route: Criteria, one: Routed): boolean => comparisons(route, one).every(({ holds }) => holds);

/** The first route that matches, and those after it as long as `continue` is set. */
function routesFor<R extends Criteria & Leading>(routes: readonly R[], one: Routed): R[] {
  const found: R[] = [];
  for (const route of routes) {
    if (matches(route, one)) {
      found.push(route);
      if (route.continue !== true) {
        break;
      }
    }
  }
  return found;
}

/** The channels of routes, each with the first route to it. */
function leading<R extends Leading>(routes: readonly R[]): Map<string, R> {
  const found = new Map<string, R>();
  for (const route of routes) {
    route.channels.filter((name) => !found.has(name)).forEach((name) => found.set(name, route));
  }
  return found;
}

/** Names of the channels to which the routes lead, in the order of the routes. */
export const channelsFor = (routes: readonly (Criteria & Leading)[], one: Routed): string[] => [
  ...leading(routesFor(routes, one)).keys(),
];

function holdOf({ digest, dropResolved }: Leading): Hold {
  return { ...(digest !== undefined && { digest }), ...(dropResolved === true && { dropResolved }) };
}

/**
 * A resolved alert often has a lower priority than it had while it fired. It follows its thread to the channels to which any higher
 * priority would lead. Steps of escalations are for what fires; a resolve follows to whom they have reached.
 * @param atOnce channels for which nothing waits
 */
export function destinationsOf(
  routes: readonly ActiveRoute[],
  one: Routed,
  atOnce: ReadonlySet<string> = new Set()
): Destinations {
  const matching = routesFor(routes, one);
  const direct = leading(matching);
  const isResolved = one.status === 'resolved';
  const higher = isResolved ? PRIORITIES.slice(PRIORITIES.indexOf(one.priority) + 1) : [];
  const followed = higher.map((priority) => routesFor(routes, { ...one, priority }));
  const isDelayed = (name: string, { unacknowledged }: Leading): boolean =>
    unacknowledged !== undefined && !atOnce.has(name);
  const channels = [...direct].flatMap(([name, route]) => (isDelayed(name, route) ? [] : name));
  const escalations = matching.flatMap((route) =>
    escalationOf(
      route,
      [...direct].flatMap(([name, first]) => (first === route && isDelayed(name, route) ? name : [])),
      routes
    )
  );
  const all = new Map([...followed.flatMap((some) => [...leading(some)]), ...direct]);
  const reached = isResolved ? [...followed.flat(), ...matching].flatMap(({ reach = [] }) => reach) : [];
  const delayed = isResolved ? [] : escalations.flatMap(({ reach }) => reach);
  const holds = [...all].flatMap(([name, route]) => {
    const hold = holdOf(route);
    return Object.keys(hold).length === 0 ? [] : [[name, hold] as const];
  });
  return {
    channels,
    ifAnnounced: [...new Set([...all.keys(), ...reached])].filter(
      (name) => !channels.includes(name) && !delayed.includes(name)
    ),
    ...(holds.length > 0 && { holds: Object.fromEntries(holds) }),
    ...(!isResolved && escalations.length > 0 && { escalations }),
  };
}

/** A member of a route that some of its channels cannot have. */
export interface Misfit {
  member: keyof Route;
  /** Names of these channels. */
  names: string[];
  allowed: string;
  detail: string;
}

/** The message of what it throws; undefined: it throws nothing. */
export function messageOf(compile: () => unknown): string | undefined {
  try {
    compile();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Matchers are valid, only web push has devices of persons, and another bridge decides itself what waits. */
export function misfitsOf(route: Route, known: readonly { name: string; type: ChannelType }[]): Misfit[] {
  const { persons } = route;
  const namesOf = (is: (type: ChannelType) => boolean): string[] =>
    channelsIn(route).filter((name) => known.some((one) => one.name === name && is(one.type)));
  const shared = persons === undefined ? [] : namesOf((type) => !DESCRIPTORS[type].hasDevices);
  const bridges = namesOf((type) => DESCRIPTORS[type].isBridge === true);
  const invalid = messageOf(() => parseMatchers(route.matchers ?? '', compileRegex));
  const found = [
    {
      member: 'matchers' as const,
      names: invalid === undefined ? [] : [route.matchers ?? ''],
      allowed: 'valid matchers',
      detail: invalid ?? '',
    },
    {
      member: 'persons' as const,
      names: shared,
      allowed: 'channels of type webpush',
      detail: `Only a channel of type webpush has devices of persons; ${shared.join(', ')} ${shared.length === 1 ? 'is' : 'are'} of another type.`,
    },
    ...holdingMembers(route).map((member) => ({
      member,
      names: bridges,
      allowed: 'channels of other types than nodebell',
      detail: `The other bridge decides what waits: put ${bridges.join(', ')} into a route without "${member}".`,
    })),
  ];
  return found.filter(({ names }) => names.length > 0);
}

/** A channel and its quiet hours now: until when, UTC milliseconds; undefined: it has none now, or the notification passes. */
export type QuietUntil = (channel: string, priority: Priority) => number | undefined;

/**
 * All routes with the reasons why they match or not.
 * @param now UTC milliseconds
 */
export function explainRoutes(
  routes: readonly PlacedRoute[],
  one: Routed,
  { now, quietUntil, reachedBy }: { now: number; quietUntil: QuietUntil; reachedBy: ReachedBy }
): RouteTestResult {
  let reached = true;
  const explained = routes.map((route) => {
    const compared = comparisons(route, one);
    const result = {
      ...route,
      matches: compared.every(({ holds }) => holds),
      reached,
      why: compared.length === 0 ? ['matches every notification'] : compared.map(inWords),
      comparisons: compared,
    };
    reached &&= !(result.matches && route.continue !== true);
    return result;
  });
  const matching = routesFor(routes, one);
  const led = [...leading(matching)];
  const waits = led.flatMap(([channel, { digest, unacknowledged }]): RouteTestResult['waits'] => {
    const wait = (why: RouteTestResult['waits'][number]['why'], until: number): RouteTestResult['waits'] => [
      { channel, why, until: isoTime(until) },
    ];
    const until = quietUntil(channel, one.priority);
    if (digest !== undefined) {
      return wait('digest', nextDigest(digest, now));
    }
    return unacknowledged !== undefined
      ? wait('unacknowledged', now + msOf(unacknowledged))
      : until === undefined
        ? []
        : wait('quiet hours', until);
  });
  const steps = (one.status === 'resolved' ? [] : matching)
    .flatMap((route) => stepsOf(route, []))
    .map(({ to, afterMs }) => ({ at: isoTime(now + afterMs), to, ...reachedNames(reachedBy(to, now + afterMs)) }));
  const first = steps.flatMap(({ at, channels }) => (at === isoTime(now) ? channels : []));
  return { channels: [...new Set([...led.map(([name]) => name), ...first])], routes: explained, waits, steps };
}

const reachedNames = ({ to, nobody }: Reached) => ({
  people: [...new Set(to.flatMap(({ person }) => person ?? []))],
  channels: [...new Set(to.map(({ channel }) => ofDevice(channel).name))],
  ...(nobody !== undefined && { nobody }),
});
