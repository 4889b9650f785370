/** Which channels a notification goes to. Pure. */
import type { PlacedRoute, Route, RouteTestResult } from '../../contract/channel.ts';
import { DEFAULTS, foldCategory, PRIORITIES, type Priority, type Status } from '../../contract/notification.ts';

/** What routes compare. */
export interface Routed {
  category: string;
  dnpName: string;
  priority: Priority;
  status: Status;
  /** Empty: none. */
  node: string;
}

/** With the defaults of a notification. */
export const routedOf = (payload: {
  category?: string | undefined;
  dnpName?: string | undefined;
  priority?: Priority | undefined;
  status?: Status | undefined;
  node?: string | undefined;
}): Routed => ({
  category: foldCategory(payload.category ?? DEFAULTS.category),
  dnpName: payload.dnpName ?? DEFAULTS.dnpName,
  priority: payload.priority ?? DEFAULTS.priority,
  status: payload.status ?? DEFAULTS.status,
  node: payload.node ?? '',
});

type Criteria = Pick<Route, 'priority' | 'categories' | 'packages' | 'statuses' | 'nodes'>;

/** Each comparison of a route, with its words. */
function comparisons(route: Criteria, one: Routed): { holds: boolean; words: string }[] {
  const { priority, categories, packages, statuses, nodes } = route;
  const among = (what: string, value: string, list: readonly string[] | undefined) => {
    const holds = list?.includes(value) ?? true;
    const words = `${what} ${value === '' ? '(none)' : value} is ${holds ? '' : 'not '}one of ${list?.join(', ')}`;
    return list === undefined ? [] : [{ holds, words }];
  };
  const isAtLeast = PRIORITIES.indexOf(one.priority) >= PRIORITIES.indexOf(priority ?? 'low');
  return [
    ...(priority === undefined
      ? []
      : [{ holds: isAtLeast, words: `priority ${one.priority} is ${isAtLeast ? 'at least' : 'below'} ${priority}` }]),
    ...among('category', one.category, categories),
    ...among('package', one.dnpName, packages),
    ...among('status', one.status, statuses),
    ...among('node', one.node, nodes),
  ];
}

const matches = (route: Criteria, one: Routed): boolean => comparisons(route, one).every(({ holds }) => holds);

/** The channels of the first route that matches, and of those after it as long as `continue` is set. */
export function channelsFor(
  routes: readonly (Criteria & Pick<Route, 'channels' | 'continue'>)[],
  one: Routed
): string[] {
  const channels = new Set<string>();
  for (const route of routes) {
    if (matches(route, one)) {
      route.channels.forEach((name) => channels.add(name));
      if (route.continue !== true) {
        break;
      }
    }
  }
  return [...channels];
}

/** Where a notification goes. */
export interface Destinations {
  channels: string[];
  /** Of a resolved one: where it goes if its thread was announced there. */
  ifAnnounced: string[];
}

/**
 * A resolved alert often has a lower priority than it had while it fired. It follows its thread to the channels to which any higher
 * priority would lead.
 */
export function destinationsOf(routes: readonly PlacedRoute[], one: Routed): Destinations {
  const channels = channelsFor(routes, one);
  const higher = PRIORITIES.slice(PRIORITIES.indexOf(one.priority) + 1);
  const all = one.status === 'resolved' ? higher.flatMap((priority) => channelsFor(routes, { ...one, priority })) : [];
  return { channels, ifAnnounced: [...new Set(all)].filter((name) => !channels.includes(name)) };
}

/** All routes with the reasons why they match or not. */
export function explainRoutes(routes: readonly PlacedRoute[], one: Routed): RouteTestResult {
  let reached = true;
  const explained = routes.map((route) => {
    const compared = comparisons(route, one);
    const result = {
      ...route,
      matches: compared.every(({ holds }) => holds),
      reached,
      why: compared.length === 0 ? ['matches every notification'] : compared.map(({ words }) => words),
    };
    reached &&= !(result.matches && route.continue !== true);
    return result;
  });
  return { channels: channelsFor(routes, one), routes: explained };
}
