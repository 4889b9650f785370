import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlacedRoute } from '../../../contract/channel.ts';
import type { ActiveRoute } from './routeSteps.ts';
import { PRIORITIES, STATUSES } from '../../../contract/notification.ts';
import { channelsFor, destinationsOf, explainRoutes, type Routed, routedOf } from './match.ts';

const NAMES = ['a', 'b', 'c'];
const one: fc.Arbitrary<Routed> = fc.record({
  category: fc.constantFrom('hardware', 'other', 'system'),
  dnpName: fc.constantFrom('geth', 'disk'),
  priority: fc.constantFrom(...PRIORITIES),
  status: fc.constantFrom(...STATUSES),
  node: fc.constantFrom('', 'attic', 'attic/shed'),
  labels: fc.constantFrom<Routed['labels'][]>(undefined, { team: 'disks' }, { team: 'net', package: 'own' }),
});
const list = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
const route: fc.Arbitrary<ActiveRoute> = fc
  .record(
    {
      channels: list(NAMES),
      priority: fc.constantFrom(...PRIORITIES),
      categories: list(['hardware', 'other', 'system']),
      packages: list(['geth', 'disk']),
      statuses: list(STATUSES),
      nodes: list(['attic', 'cellar']),
      matchers: fc.constantFrom('team="disks"', 'package!="geth", team=~".+"'),
      continue: fc.boolean(),
    },
    { requiredKeys: ['channels'] }
  )
  .map((some) => ({ ...some, file: 'f.yaml', index: 0, id: '' }));
const routes = fc.array(route, { maxLength: 6 });

/** The conditions of docs/channels.md, literally. */
function accepts(some: PlacedRoute, { category, dnpName, priority, status, node, labels }: Routed): boolean {
  const rank = { low: 0, medium: 1, high: 2, critical: 3 };
  return [
    !(some.priority !== undefined && rank[priority] < rank[some.priority]),
    !(some.categories && !some.categories.includes(category)),
    !(some.packages && !some.packages.includes(dnpName)),
    !(some.statuses && !some.statuses.includes(status)),
    !(some.nodes && !some.nodes.includes(node)),
    !(some.matchers?.startsWith('team') && labels?.team !== 'disks'),
    // A label takes precedence over the package.
    !(some.matchers?.startsWith('package') && (!labels || (labels.package ?? dnpName) === 'geth')),
  ].every(Boolean);
}

function naive(all: readonly PlacedRoute[], notification: Routed): Set<string> {
  const found = new Set<string>();
  for (const some of all) {
    if (!accepts(some, notification)) continue;
    for (const name of some.channels) found.add(name);
    if (!some.continue) return found;
  }
  return found;
}

describe('routes', () => {
  test('as a naive model', () => {
    fc.assert(
      fc.property(routes, one, (all, notification) => {
        expect(new Set(channelsFor(all, notification))).toEqual(naive(all, notification));
      })
    );
  });

  test('the explanation agrees with the outcome', () => {
    fc.assert(
      fc.property(routes, one, (all, notification) => {
        const { channels, routes: explained } = explainRoutes(all, notification, {
          now: 0,
          quietUntil: () => undefined,
          reachedBy: () => ({ to: [] }),
        });
        const used = explained.filter(({ matches, reached }) => matches && reached).flatMap((some) => some.channels);
        expect(new Set(used)).toEqual(new Set(channels));
        expect(new Set(channels)).toEqual(naive(all, notification));
      })
    );
  });

  test('a resolve follows to every channel that any higher priority reaches, and to no other', () => {
    fc.assert(
      fc.property(routes, one, (all, notification) => {
        const { channels, ifAnnounced } = destinationsOf(all, notification);
        const higher = PRIORITIES.slice(PRIORITIES.indexOf(notification.priority));
        const reachable = new Set(higher.flatMap((priority) => [...naive(all, { ...notification, priority })]));
        const expected = notification.status === 'resolved' ? reachable : naive(all, notification);
        expect(new Set([...channels, ...ifAnnounced])).toEqual(expected);
        expect(channels.filter((name) => ifAnnounced.includes(name))).toEqual([]);
      })
    );
  });

  test('defaults are those of a notification; categories differ by case for nobody', () => {
    expect(routedOf({})).toEqual({
      category: 'other',
      dnpName: 'unknown',
      priority: 'low',
      status: 'triggered',
      node: '',
    });
    expect(routedOf({ category: 'HardWare' }).category).toBe('hardware');
  });
});
