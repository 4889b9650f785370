/**
 * Up to five bridges that send to each other over any channels, under any names: each alert arrives once over each way on which no
 * bridge is twice, or is listed as undelivered.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ChannelList } from '../../backend-bridge/contract/channel.ts';
import { MINUTE, TestBridge } from './support.ts';

const MOST = 5;
/** So few that names often collide. */
const NAMES = ['attic', 'cellar'] as const;
const PACKAGE = 'dms';

interface Link {
  from: number;
  to: number;
  type: 'nodebell' | 'webhook';
  /** The name in the channel. */
  node: string;
  /** That of the token; null: the token has none. */
  as: string | null;
}
interface Topology {
  count: number;
  links: Link[];
}

let bridges: TestBridge[];
beforeAll(async () => {
  bridges = await Promise.all(
    Array.from({ length: MOST }, () => TestBridge.start({ outboundAllow: ['127.0.0.1'], auth: 'sender-open' }))
  );
});
afterAll(() => Promise.all(bridges.map((bridge) => bridge.dispose())));

const kindOf = { type: fc.constantFrom<Link['type']>('nodebell', 'nodebell', 'nodebell', 'webhook') };
const named = { node: fc.constantFrom(...NAMES), as: fc.option(fc.constantFrom(...NAMES)) };
/** Chains, circles in one or both directions, and links between any two, of a bridge to itself as well. */
const topologies: fc.Arbitrary<Topology> = fc.integer({ min: 1, max: MOST }).chain((count) => {
  const place = fc.integer({ min: 0, max: count - 1 });
  const step = (from: number, to: number) =>
    fc.record({ from: fc.constant(from), to: fc.constant(to), ...kindOf, ...named });
  const places = Array.from({ length: count }, (_, index) => index);
  const chain = places.slice(1).map((to) => step(to - 1, to));
  const circle = places.map((from) => step(from, (from + 1) % count));
  const back = places.map((from) => step((from + 1) % count, from));
  const links = fc.oneof(
    fc.tuple(...chain),
    fc.tuple(...circle),
    fc.tuple(...circle, ...back),
    fc.array(fc.record({ from: place, to: place, ...kindOf, ...named }), { maxLength: 7 })
  );
  return fc.record({ count: fc.constant(count), links });
});

/** Alerts that should arrive at each bridge, and be listed as undelivered there, when each bridge has one alert. */
function expected({ count, links }: Topology): { stored: number[]; undelivered: number[] } {
  const result = { stored: Array<number>(count).fill(0), undelivered: Array<number>(count).fill(0) };
  const arrive = (at: number, via: readonly number[]): void => {
    result.stored[at]! += 1;
    for (const { from, to, type } of links) {
      if (from === at && ![...via, at].includes(to)) {
        arrive(to, [...via, at]);
      } else if (from === at && (type === 'webhook' || to === at)) {
        // One that comes back over a link between bridges is meant to: it is not listed.
        result.undelivered[at]! += 1;
      }
    }
  };
  bridges.slice(0, count).forEach((_, at) => arrive(at, []));
  return result;
}

async function build({ count, links }: Topology): Promise<void> {
  for (const [at, bridge] of bridges.slice(0, count).entries()) {
    const own = links.filter(({ from }) => from === at);
    for (const [index, { to, type, node, as }] of own.entries()) {
      const target = bridges[to]!;
      if (type === 'webhook') {
        const url = `${target.url}/api/v1/notifications`;
        await bridge.call('POST', '/api/v1/channels', { name: `c${index}`, type, url });
      } else {
        const sender = { name: 'linked', ...(as !== null && { node: as }) };
        const { token } = await target.call<{ token: string }>('POST', '/api/v1/tokens', sender);
        await bridge.call('POST', '/api/v1/channels', { name: `c${index}`, type, url: target.url, token, node });
      }
    }
    const channels = own.map((_, index) => `c${index}`);
    const routes = channels.length === 0 ? [] : [{ channels, packages: [PACKAGE] }];
    await bridge.call('PUT', '/api/v1/routes', { routes });
  }
}

async function clear(): Promise<void> {
  for (const bridge of bridges) {
    await bridge.call('PUT', '/api/v1/routes', { routes: [] });
    const { channels } = await bridge.call<ChannelList>('GET', '/api/v1/channels');
    for (const { name } of channels) {
      await bridge.call('DELETE', `/api/v1/channels/${name}`);
    }
    const tokens = await bridge.call<{ id: string; revokedAt: string | null }[]>('GET', '/api/v1/tokens');
    for (const { id, revokedAt } of tokens) {
      await (revokedAt === null ? bridge.call('DELETE', `/api/v1/tokens/${id}`) : undefined);
    }
    await bridge.clear();
  }
}

const found = async (count: number) => {
  const all = bridges.slice(0, count);
  const lists = await Promise.all(all.map((bridge) => bridge.call<ChannelList>('GET', '/api/v1/channels')));
  const sum = (member: 'waiting' | 'undelivered') =>
    lists.map(({ channels }) => channels.reduce((total, channel) => total + channel[member], 0));
  const stored = await Promise.all(all.map((bridge) => bridge.list(`dnpName=${PACKAGE}&limit=1000`)));
  return {
    waiting: sum('waiting'),
    stored: stored.map((rows) => rows.length),
    undelivered: sum('undelivered'),
  };
};

/** Until nothing waits at any of them, and nothing has changed while that was asked. */
const settled = (count: number) =>
  vi.waitFor(
    async () => {
      // A channel pauses after what was rejected.
      bridges.forEach(({ clock }) => clock.advance(MINUTE));
      const [before, after] = [await found(count), await found(count)];
      expect(before.waiting).toEqual(Array(count).fill(0));
      expect(after).toEqual(before);
      return after;
    },
    { timeout: 30_000, interval: 20 }
  );

test('each alert arrives once over each way, or is listed as undelivered', async () => {
  await fc.assert(
    fc.asyncProperty(topologies, async (topology) => {
      await build(topology);
      const { count } = topology;
      await Promise.all(
        bridges
          .slice(0, count)
          .map((bridge, at) => bridge.send({ dnpName: PACKAGE, correlationId: `of-${at}`, priority: 'critical' }))
      );
      const { stored, undelivered } = await settled(count);
      expect({ stored, undelivered }).toEqual(expected(topology));
      await clear();
    }),
    { numRuns: 12, endOnFailure: true }
  );
});
