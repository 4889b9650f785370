/** Rules on the metrics fire when the bridge's own alerts fire. */
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { chainMetrics } from './metrics.ts';
import { type AlertKind, wantedAlerts } from './alerts.ts';
import type { ChainSource } from './sources.ts';
import { newNodeState, type NodeState } from './nodeState.ts';
import { step } from './state.ts';

const LIMITS = { behind: 60, stalledMinutes: 10, unreachableMinutes: 10, peers: 5 };
const SOURCE = {
  pkg: { dnpName: 'geth.example.eth', chain: { driver: 'ethereum', supported: true } },
  limits: LIMITS,
} as unknown as ChainSource;
const METRICS = {
  behind: 'nodebell_chain_fallen_behind_blocks',
  stalledMinutes: 'nodebell_chain_no_progress_seconds',
  unreachableMinutes: 'nodebell_chain_unanswered_seconds',
} as const;
type Kind = Exclude<AlertKind, 'peers'>;
const KINDS = Object.keys(METRICS) as Kind[];
/** The conditions of the rules. */
const ALERTS: Record<Kind, (value: number) => boolean> = {
  behind: (value) => value > LIMITS.behind,
  stalledMinutes: (value) => value / 60 >= LIMITS.stalledMinutes,
  unreachableMinutes: (value) => value / 60 >= LIMITS.unreachableMinutes,
};

async function figures(nodeState: NodeState, now: number): Promise<Record<Kind, number | undefined>> {
  const registry = new Registry();
  chainMetrics(
    registry,
    () => [{ source: SOURCE, nodeState }],
    () => now
  );
  const lines = (await registry.metrics()).split('\n');
  const valueOf = (kind: Kind): number | undefined => {
    const line = lines.find((one) => one.startsWith(`${METRICS[kind]}{package="geth.example.eth",chain="ethereum"} `));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
  return {
    behind: valueOf('behind'),
    stalledMinutes: valueOf('stalledMinutes'),
    unreachableMinutes: valueOf('unreachableMinutes'),
  };
}

const figuresOf = fc.record({
  kind: fc.constant('figures' as const),
  current: fc.integer({ min: 1000, max: 1300 }),
  target: fc.constantFrom(1100, 1300, undefined),
  peers: fc.constant(9),
  identity: fc.constant({ blockSeconds: 12 }),
  unfinished: fc.constantFrom(undefined, undefined, undefined, 'state-download' as const, 'unverified' as const),
});
const reading = fc.oneof(
  { weight: 4, arbitrary: figuresOf },
  fc.constant({ kind: 'starting' as const, cause: 'warming-up' as const, sentence: 'Not yet.', identity: {} }),
  fc.constantFrom('unreachable' as const, 'stopped' as const, 'error' as const).map((state) => ({
    kind: 'failed' as const,
    state,
    cause: 'refused' as const,
    sentence: 'No.',
  }))
);
const MINUTE = 60_000;

test('rules agree with the alerts at any time of any sequence of polls', async () => {
  const seen = new Set<string>();
  const life = fc.array(fc.tuple(reading, fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 6 })), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(life, async (steps) => {
      let [now, nodeState] = [0, newNodeState(0)];
      for (const [said, times, minutes] of steps) {
        for (let time = 0; time < times; time += 1) {
          now += minutes * MINUTE;
          nodeState = step(nodeState, said, { now, ahead: 0, limits: LIMITS, intervalMs: MINUTE });
          const wanted = wantedAlerts(nodeState, LIMITS, now);
          const metrics = await figures(nodeState, now);
          for (const kind of KINDS) {
            const value = metrics[kind];
            seen.add(`${kind} ${wanted[kind]}`);
            if (wanted[kind] === 'keep') {
              // Time without a response is exported before the limit is reached.
              expect(value === undefined || (kind === 'unreachableMinutes' && !ALERTS[kind](value))).toBe(true);
            } else {
              expect(value !== undefined && ALERTS[kind](value)).toBe(wanted[kind] === 'fire');
              expect(value).toBeDefined();
            }
          }
        }
      }
    }),
    { numRuns: 300 }
  );
  expect(seen.size).toBe(9);
});

test('no metrics before the first poll', async () => {
  expect(Object.values(await figures(newNodeState(0), 0))).toEqual([undefined, undefined, undefined]);
});

test('no two metrics of the nodes are written in the same turn of the event loop', async () => {
  const registry = new Registry();
  let turns = 0;
  const at: number[] = [];
  const node = { source: SOURCE, nodeState: newNodeState(0) };
  const read = () => {
    at.push(turns);
    return [node];
  };
  chainMetrics(registry, read, () => 0);
  let waiting = true;
  const count = (): void => {
    turns += 1;
    if (waiting) {
      setImmediate(count);
    }
  };
  setImmediate(count);
  await registry.metrics();
  waiting = false;
  expect(at.length).toBeGreaterThan(5);
  expect(new Set(at).size).toBe(at.length);
});
