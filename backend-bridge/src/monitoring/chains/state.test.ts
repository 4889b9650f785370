import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChainLimits } from '../../../contract/chain.ts';
import { KEPT_SAMPLES } from './rates.ts';
import type { Failed, Figures, Identity, Reading, Starting } from './drivers/reading.ts';
import { newNodeState, type NodeState } from './nodeState.ts';
import { step } from './state.ts';

const LIMITS: ChainLimits = { behind: 60, stalledMinutes: 10, unreachableMinutes: 10, peers: 5 };
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const INTERVAL = 15 * SECOND;
const START = Date.UTC(2026, 0, 1);

const figures = (current: number, target: number, rest: Partial<Figures> = {}): Figures => ({
  kind: 'figures',
  current,
  target,
  identity: {},
  ...rest,
});
const failed = (cause: Failed['cause'] = 'refused', state: Failed['state'] = 'unreachable'): Failed => ({
  kind: 'failed',
  state,
  cause,
  sentence: cause,
});
const starting: Starting = { kind: 'starting', cause: 'warming-up', sentence: 'Loading…', identity: {} };
const BY_THE_CLOCK: Identity = { network: '1', title: 'Ethereum', blockSeconds: 12 };

/** As present() reports it. */
const secondsLeftOf = (node: NodeState): number | null => (node.state === 'syncing' ? node.secondsLeft : null);

class Node {
  nodeState = newNodeState(START);
  now = START;
  readonly states: string[] = [];
  say(reading: Reading, afterMs = INTERVAL): NodeState {
    this.now += afterMs;
    const before = this.nodeState.state;
    this.nodeState = step(this.nodeState, reading, { now: this.now, ahead: 0, limits: LIMITS, intervalMs: INTERVAL });
    if (this.nodeState.state !== before) {
      this.states.push(this.nodeState.state);
    }
    return this.nodeState;
  }
  /** Repeats a reading, or the readings that a function returns by index, for a time. */
  sayFor(ms: number, reading: Reading | ((index: number) => Reading)): NodeState {
    for (let index = 0; index * INTERVAL < ms; index += 1) {
      this.say(typeof reading === 'function' ? reading(index) : reading);
    }
    return this.nodeState;
  }
}

/** Readings, how long each is repeated, and the states of the node. */
type Sequence = [title: string, states: string[], ...readings: [Reading | ((index: number) => Reading), ms?: number][]];

it.each<Sequence>([
  ['a single response above the limit is ignored', ['synced'], [figures(9, 9)], [figures(9, 900)], [figures(9, 9)]],
  ['blocks that are made on demand do not stall', ['synced'], [figures(2, 2), 300 * MINUTE]],
  ['back and forth is no progress', ['syncing', 'stalled'], [(at) => figures(500 + (at % 2), 1000), 12 * MINUTE]],
  ['an error is never syncing', ['syncing', 'error'], [figures(5, 5000)], [failed('rpc-error', 'error'), MINUTE]],
  [
    'a node that responds again keeps its lenient limit',
    ['synced', 'unreachable', 'synced'],
    [figures(100, 100)],
    [failed(), MINUTE],
    [figures(100, 150)],
  ],
])('%s', (_title, states, ...readings) => {
  const node = new Node();
  readings.forEach(([reading, ms = INTERVAL]) => node.sayFor(ms, reading));
  expect(node.states).toEqual(states);
});

describe('in sync', () => {
  it('up to the limit, and again at half of the limit', () => {
    const node = new Node();
    expect(node.say(figures(40, 100)).state).toBe('synced');
    node.say(figures(40, 101));
    expect(node.say(figures(40, 102)).state).toBe('syncing');
    expect(node.say(figures(60, 102)).state).toBe('syncing');
    expect(node.say(figures(72, 102)).state).toBe('synced');
  });

  it('never flaps at the tip with single outliers and failures', () => {
    const near = fc.integer({ min: 0, max: LIMITS.behind });
    const one = fc.oneof(
      { arbitrary: fc.record({ kind: fc.constant('near' as const), behind: near }), weight: 8 },
      {
        arbitrary: fc.record({ kind: fc.constant('spike' as const), behind: fc.integer({ min: 61, max: 1e6 }) }),
        weight: 1,
      },
      { arbitrary: fc.record({ kind: fc.constant('failure' as const), behind: fc.constant(0) }), weight: 1 }
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 200 }), (sequence) => {
        const node = new Node();
        let block = 1_000_000;
        let before = 'near';
        node.say(figures(block, block));
        for (const { kind, behind } of sequence) {
          // Odd responses come alone.
          const shown = before === 'near' ? kind : 'near';
          block += 1;
          node.say(shown === 'failure' ? failed() : figures(block, block + (shown === kind ? behind : 0)));
          before = shown;
        }
        expect(node.states).toEqual(['synced']);
      })
    );
  });

  it('a node around the limit does not flap', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 31, max: 90 }), { maxLength: 300 }), (behinds) => {
        const node = new Node();
        let block = 1_000_000;
        behinds.forEach((behind) => node.say(figures((block += 1), block + behind)));
        expect(node.states.length).toBeLessThanOrEqual(2);
      })
    );
  });

  it('stalls without new blocks if the block time is known', () => {
    const node = new Node();
    node.sayFor(9 * MINUTE, figures(100, 100, { identity: BY_THE_CLOCK }));
    expect(node.nodeState.state).toBe('synced');
    node.sayFor(2 * MINUTE, figures(100, 100, { identity: BY_THE_CLOCK }));
    expect(node.nodeState).toMatchObject({ state: 'stalled', cause: 'no-new-blocks' });
    expect(node.say(figures(101, 101)).state).toBe('synced');
  });

  it('stalls at once if the timestamp of the newest block is too old', () => {
    const node = new Node();
    const identity: Identity = { blockSeconds: 600 };
    const tip = (hours: number) => Math.floor(START / 1000) - hours * 3600;
    expect(node.say(figures(5, 5, { identity, tipTime: tip(2) })).state).toBe('synced');
    expect(node.say(figures(5, 5, { identity, tipTime: tip(4) }))).toMatchObject({ cause: 'no-new-blocks' });
  });

  it('a node that reports unfinished work is not in sync', () => {
    const node = new Node();
    expect(node.say(figures(100, 100, { unfinished: 'state-download' }))).toMatchObject({
      state: 'syncing',
      cause: 'state-download',
    });
    expect(node.sayFor(60 * MINUTE, figures(100, 100, { unfinished: 'state-download' })).state).toBe('syncing');
  });
});

describe('syncing and stalled', () => {
  it('estimates the time left from the recent rate', () => {
    const node = new Node();
    node.sayFor(5 * MINUTE, (index) => figures(index * 100, 1_000_000));
    const { rates, current } = node.nodeState;
    expect(rates.rate).toBeCloseTo(400);
    expect(secondsLeftOf(node.nodeState)).toBeCloseTo(((1_000_000 - current!) / 400) * 60, -1);
  });

  it('ends a stall also if it is polled less often than every ten minutes', () => {
    let node = newNodeState(START);
    const states = [5, 5, 6, 7, 8].map((current, index) => {
      const polled = { now: START + index * 66 * MINUTE, ahead: 0, limits: LIMITS, intervalMs: 60 * MINUTE };
      return (node = step(node, figures(current, 1000), polled)).state;
    });
    expect(states).toEqual(['syncing', 'stalled', 'stalled', 'syncing', 'syncing']);
  });

  it('is stalled after ten minutes without a block, and not before', () => {
    const node = new Node();
    node.sayFor(9.5 * MINUTE, figures(5, 1000));
    expect(node.nodeState.state).toBe('syncing');
    node.sayFor(MINUTE, figures(5, 1000));
    expect(node.nodeState).toMatchObject({ state: 'stalled' });
  });

  it('a single block does not end a stall; two in time do', () => {
    const node = new Node();
    node.sayFor(12 * MINUTE, figures(5, 1000));
    expect(node.say(figures(6, 1000)).state).toBe('stalled');
    node.sayFor(11 * MINUTE, figures(6, 1000));
    expect(node.say(figures(7, 1000)).state).toBe('stalled');
    expect(node.say(figures(8, 1000)).state).toBe('syncing');
    expect(node.states).toEqual(['syncing', 'stalled', 'syncing']);
  });

  it('time without observation does not count as a stall', () => {
    const node = new Node();
    node.say(figures(5, 1000));
    node.sayFor(20 * MINUTE, failed());
    expect(node.say(figures(5, 1000)).state).toBe('syncing');
    const slept = new Node();
    slept.say(figures(5, 1000));
    expect(slept.say(figures(5, 1000), 600 * MINUTE).state).toBe('syncing');
  });

  it('a restarted chain is followed', () => {
    const node = new Node();
    [1_000_000, 5, 6].forEach((block) => node.say(figures(block, 1_000_000)));
    expect(node.nodeState).toMatchObject({ state: 'syncing', progress: { highest: 6 } });
  });

  it('has a cause if the node does not report the newest block of the chain', () => {
    const node = new Node();
    const { target: _target, ...vague } = figures(5, 0);
    expect(node.say(vague)).toMatchObject({
      state: 'syncing',
      cause: 'no-target',
      secondsLeft: null,
      target: undefined,
    });
  });
});

describe('failing', () => {
  it('a new node fails at once, one that has responded at the second failure', () => {
    const node = new Node();
    expect(node.say(failed('unauthorised', 'error'))).toMatchObject({ state: 'error', cause: 'unauthorised' });
    expect(node.say(figures(5, 5)).state).toBe('synced');
    expect(node.say(failed()).state).toBe('synced');
    expect(node.say(failed())).toMatchObject({ state: 'unreachable', current: 5, figuresAt: START + 2 * INTERVAL });
  });

  it('of two alternating causes the first is shown', () => {
    const node = new Node();
    node.sayFor(60 * MINUTE, (index) => (index % 2 === 0 ? failed('refused') : failed('rpc-error', 'error')));
    expect(node.states).toEqual(['unreachable']);
    node.sayFor(MINUTE, failed('rpc-error', 'error'));
    expect(node.states).toEqual(['unreachable', 'error']);
  });

  it('a node that warms up is starting at once', () => {
    const node = new Node();
    node.say(figures(5, 5));
    expect(node.say(starting)).toMatchObject({ state: 'starting', cause: 'warming-up', sentence: 'Loading…' });
  });
});

describe('any sequence of readings', () => {
  const number = fc.integer({ min: 0, max: 1e6 });
  const reading: fc.Arbitrary<Reading> = fc.oneof(
    fc
      .record({ current: number, more: number, peers: fc.option(number, { nil: undefined }) })
      .map(({ current, more, peers }) => ({
        ...figures(current, current + more),
        ...(peers !== undefined && { peers }),
      })),
    fc.constantFrom(failed(), failed('timeout'), failed('rpc-error', 'error'), failed('name', 'stopped'), starting)
  );

  it('keeps the state small, the figures valid and the times monotonic', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(reading, fc.integer({ min: 0, max: 30 * MINUTE })), { maxLength: 100 }),
        (sequence) => {
          const node = new Node();
          for (const [one, afterMs] of sequence) {
            const shown = node.say(one, afterMs);
            const { samples, rates, changedAt, state } = shown;
            const secondsLeft = secondsLeftOf(shown);
            expect(samples.length).toBeLessThanOrEqual(KEPT_SAMPLES);
            expect(secondsLeft === null || (Number.isFinite(secondsLeft) && secondsLeft >= 0)).toBe(true);
            expect(rates.rate === undefined || rates.rate >= 0).toBe(true);
            expect(changedAt).toBeLessThanOrEqual(node.now);
            if (one.kind === 'failed') {
              expect(node.states.length === 0 || state !== 'waiting').toBe(true);
            }
            // No details of another state are left over.
            expect('secondsLeft' in shown).toBe(state === 'syncing');
            expect('beyond' in shown).toBe(state === 'synced');
            expect('steps' in shown).toBe(state === 'stalled');
          }
        }
      )
    );
  });
});
