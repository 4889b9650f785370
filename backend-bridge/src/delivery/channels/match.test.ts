import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlacedRoute } from '../../../contract/channel.ts';
import { PRIORITIES, STATUSES } from '../../../contract/notification.ts';
import { channelsFor, destinationsOf, explainRoutes, type Routed, routedOf } from './match.ts';

const NAMES = ['a', 'b', 'c'];
const one: fc.Arbitrary<Routed> = fc.record({
  category: fc.constantFrom('hardware', 'other', 'system'),
  dnpName: fc.constantFrom('geth', 'disk'),
  priority: fc.constantFrom(...PRIORITIES),
  status: fc.constantFrom(...STATUSES),
  node: fc.constantFrom('', 'attic', 'attic/shed'),
});
const list = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
const route: fc.Arbitrary<PlacedRoute> = fc
  .record(
    {
      channels: list(NAMES),
      priority: fc.constantFrom(...PRIORITIES),
      categories: list(['hardware', 'other', 'system']),
      packages: list(['geth', 'disk']),
      statuses: list(STATUSES),
      nodes: list(['attic', 'cellar']),
      continue: fc.boolean(),
    },
    { requiredKeys: ['channels'] }
  )
  .map((some) => ({ ...some, file: 'f.yaml', index: 0 }));
const routes = fc.array(route, { maxLength: 6 });

/** The rules of docs/channels.md, literally. */
function naive(all: readonly PlacedRoute[], { category, dnpName, priority, status, node }: Routed): Set<string> {
  const rank = { low: 0, medium: 1, high: 2, critical: 3 };
  const found = new Set<string>();
  for (const some of all) {
    if (some.priority !== undefined && rank[priority] < rank[some.priority]) continue;
    if (some.categories && !some.categories.includes(category)) continue;
    if (some.packages && !some.packages.includes(dnpName)) continue;
    if (some.statuses && !some.statuses.includes(status)) continue;
    if (some.nodes && !some.nodes.includes(node)) continue;
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
