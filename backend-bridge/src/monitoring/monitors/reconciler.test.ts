import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MonitorState } from '../../../contract/endpoint.ts';
import { endpointKey, type Monitor, type MonitoredEndpoint, type SyncResult } from './monitor.ts';
import { monitored } from './monitored.testing.ts';
import { createReconciler, type Reconciler, RESYNC_MS } from './reconciler.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  await reconciler?.stop();
  vi.useRealTimers();
});

let reconciler: Reconciler | undefined;

const result = (changes: Partial<SyncResult> = {}): SyncResult => ({
  readOnly: new Map(),
  rejected: new Map(),
  active: new Set(),
  ...changes,
});

/** A monitor that records thresholds, unless `failure` is set, or `result` replaced. */
function setUp(endpoints: MonitoredEndpoint[], others: Monitor[] = []) {
  const world = {
    endpoints,
    readFailure: undefined as Error | undefined,
    failure: undefined as string | undefined,
    result: result(),
    synced: [] as (number | undefined)[][],
    changes: [] as MonitorState[],
    log: { error: vi.fn() },
  };
  const monitor: Monitor = {
    name: 'gatus',
    support: ({ shipped }) =>
      shipped.correlationId === 'geth-none'
        ? { kind: 'none' }
        : shipped.correlationId === 'geth-fixed'
          ? { kind: 'read-only', reason: 'It cannot.' }
          : { kind: 'supported' },
    sync(synced) {
      if (world.failure !== undefined) {
        return Promise.reject(new Error(world.failure));
      }
      world.synced.push(synced.map(({ threshold }) => threshold));
      return Promise.resolve(world.result);
    },
  };
  reconciler = createReconciler({
    monitors: [monitor, ...others],
    endpoints: () => (world.readFailure ? Promise.reject(world.readFailure) : Promise.resolve(world.endpoints)),
    onChange: (state) => world.changes.push(state),
    log: world.log,
    now: Date.now,
  });
  return { world, reconciler };
}

const settle = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

describe('the reconciler', () => {
  test('effects are pending until the sync, and then applied', async () => {
    const { world, reconciler: one } = setUp([monitored({}, { threshold: 20 })]);
    expect(one.effectsOf(world.endpoints[0]!)).toEqual([
      { monitor: 'gatus', state: 'pending', reason: 'It is being written.' },
    ]);
    one.trigger();
    await settle();
    expect(world.synced).toEqual([[20]]);
    expect(one.effectsOf(world.endpoints[0]!)).toEqual([
      { monitor: 'gatus', state: 'applied', at: expect.any(String) },
    ]);
    expect(world.changes).toMatchObject([{ monitor: 'gatus', state: 'applied' }]);
    expect(one.effectsOf(monitored({}, { threshold: 21 }))).toMatchObject([{ state: 'pending' }]);
  });

  test('nothing is synced twice, and a change during a sync is not lost', async () => {
    const { world, reconciler: one } = setUp([monitored({}, { threshold: 20 })]);
    one.trigger();
    world.endpoints = [monitored({}, { threshold: 21 })];
    one.trigger();
    await settle();
    one.trigger();
    await settle();
    expect(world.synced.at(-1)).toEqual([21]);
    const { length } = world.synced;
    one.trigger();
    await settle();
    expect(world.synced).toHaveLength(length);
  });

  test('failures are retried with backoff, with reason and time, and reported once', async () => {
    const { world, reconciler: one } = setUp([monitored()]);
    world.failure = 'The disk is full.';
    one.trigger();
    await settle();
    const first = one.effectsOf(world.endpoints[0]!)[0]!;
    expect(first).toMatchObject({ state: 'pending', reason: 'The disk is full.' });
    expect(Date.parse(first.nextTryAt!) - Date.parse(first.at!)).toBe(2000);
    await settle(2000);
    const second = one.effectsOf(world.endpoints[0]!)[0]!;
    expect(Date.parse(second.nextTryAt!) - Date.parse(second.at!)).toBe(4000);
    await settle(3 * 60 * 60_000);
    const late = one.effectsOf(world.endpoints[0]!)[0]!;
    expect(Date.parse(late.nextTryAt!) - Date.parse(late.at!)).toBe(5 * 60_000);
    expect(world.changes).toMatchObject([{ state: 'pending', reason: 'The disk is full.' }]);
    world.failure = undefined;
    await settle(5 * 60_000);
    expect(one.effectsOf(world.endpoints[0]!)).toMatchObject([{ state: 'applied' }]);
    expect(world.changes).toHaveLength(2);
    expect(one.states()).toEqual([{ monitor: 'gatus', state: 'applied', at: expect.any(String) }]);
  });

  test('a change that failed may be in effect: taking it back is pending, and is written at once', async () => {
    const [before, after] = [monitored({}, { threshold: 20 }), monitored({}, { threshold: 21 })];
    const { world, reconciler: one } = setUp([before]);
    one.trigger();
    await settle();
    Object.assign(world, { failure: 'Prometheus does not respond.', endpoints: [after] });
    one.trigger();
    await settle();
    expect(one.effectsOf(before)).toMatchObject([{ state: 'pending' }]);
    Object.assign(world, { failure: undefined, endpoints: [before] });
    one.trigger();
    await settle();
    expect(world.synced).toEqual([[20], [20]]);
    expect(one.effectsOf(before)).toMatchObject([{ state: 'applied' }]);
  });

  test('a rejected endpoint alone is pending, and is retried', async () => {
    const [rejected, file, other] = ['geth-a', 'geth-b', 'geth-c'].map((correlationId) => monitored({ correlationId }));
    const { world, reconciler: one } = setUp([rejected!, file!, other!]);
    const states = () => [rejected, file, other].map((endpoint) => one.effectsOf(endpoint!)[0]);
    world.result = result({
      rejected: new Map([[endpointKey(rejected!), 'Invalid rule.']]),
      readOnly: new Map([[endpointKey(file!), 'A file has it.']]),
    });
    one.trigger();
    await settle();
    expect(states()).toMatchObject([
      { state: 'pending', reason: 'Invalid rule.', nextTryAt: expect.any(String) },
      { state: 'read-only', reason: 'A file has it.' },
      { state: 'applied' },
    ]);
    expect(one.states()).toMatchObject([{ state: 'pending', reason: 'Invalid rule.' }]);
    world.result = result();
    await settle(2000);
    expect(states()).toMatchObject([{ state: 'applied' }, { state: 'applied' }, { state: 'applied' }]);
  });

  test('a monitor is synced again after a while without changes', async () => {
    const { world, reconciler: one } = setUp([monitored()]);
    one.trigger();
    await settle();
    await settle(RESYNC_MS);
    expect(world.synced).toHaveLength(2);
    expect(world.changes).toHaveLength(1);
  });

  test('and although the clock was set back', async () => {
    const { world, reconciler: one } = setUp([monitored({}, { threshold: 20 })]);
    one.trigger();
    await settle();
    vi.setSystemTime(Date.now() - 24 * 60 * 60_000);
    await settle(RESYNC_MS);
    expect(world.synced).toEqual([[20], [20]]);
  });

  test('that happens on time while another monitor fails', async () => {
    let tries = 0;
    const failing: Monitor = {
      name: 'prometheus',
      support: () => ({ kind: 'supported' }),
      sync: () => Promise.reject(new Error(`It fails for the ${(tries += 1)}th time.`)),
    };
    const { world, reconciler: one } = setUp([monitored()], [failing]);
    one.trigger();
    await settle(RESYNC_MS - 1);
    expect(world.synced).toHaveLength(1);
    await settle(2);
    expect(world.synced).toHaveLength(2);
    await settle(10 * RESYNC_MS);
    expect(world.synced).toHaveLength(12);
    expect(tries).toBeGreaterThan(20);
  });

  test('a slow monitor does not delay others, and gets the latest change afterwards', async () => {
    const gates: (() => void)[] = [];
    const taken: (number | undefined)[] = [];
    const slow: Monitor = {
      name: 'grafana',
      support: () => ({ kind: 'supported' }),
      async sync([endpoint]) {
        await new Promise<void>((open) => gates.push(open));
        taken.push(endpoint?.threshold);
        return result();
      },
    };
    const { world, reconciler: one } = setUp([monitored({}, { threshold: 20 })], [slow]);
    one.trigger();
    await settle();
    for (const threshold of [21, 22]) {
      world.endpoints = [monitored({}, { threshold })];
      one.trigger();
      await settle();
    }
    expect(world.synced).toEqual([[20], [21], [22]]);
    expect(one.effectsOf(world.endpoints[0]!)).toMatchObject([
      { state: 'applied' },
      { monitor: 'grafana', state: 'pending' },
    ]);
    gates[0]?.();
    await settle();
    gates[1]?.();
    await settle();
    expect(taken).toEqual([20, 22]);
    expect(one.effectsOf(world.endpoints[0]!)).toMatchObject([{ state: 'applied' }, { state: 'applied' }]);
  });

  test('endpoints are read once for all monitors', async () => {
    const endpoints = vi.fn(() => Promise.resolve([monitored()]));
    const monitors = (['gatus', 'prometheus'] as const).map((name): Monitor => ({
      name,
      support: () => ({ kind: 'supported' }),
      sync: () => Promise.resolve(result()),
    }));
    reconciler = createReconciler({ monitors, endpoints, onChange: vi.fn(), log: { error: vi.fn() }, now: Date.now });
    reconciler.trigger();
    await settle();
    expect(endpoints).toHaveBeenCalledTimes(1);
    expect(reconciler.states()).toMatchObject([{ state: 'applied' }, { state: 'applied' }]);
  });

  test('endpoints that cannot be read are in the log once, and are read again', async () => {
    const { world, reconciler: one } = setUp([monitored()]);
    world.readFailure = new Error('database is locked');
    one.trigger();
    await settle(10_000);
    expect(world.log.error.mock.calls).toEqual([[expect.anything(), expect.stringMatching(/could not sync .* 2 s$/)]]);
    world.readFailure = undefined;
    await settle(2000);
    expect(one.states()).toMatchObject([{ state: 'applied' }]);
  });

  test('effects of endpoints that are read-only, not supported, or provisioned', async () => {
    const fixed = monitored({ correlationId: 'geth-fixed' });
    const none = monitored({ correlationId: 'geth-none' });
    const file = monitored({ correlationId: 'geth-file' });
    const { world, reconciler: one } = setUp([fixed, none, file]);
    world.result = result({ readOnly: new Map([[endpointKey(file), 'A file has it.']]) });
    one.trigger();
    await settle();
    expect([fixed, none, file].map((endpoint) => one.effectsOf(endpoint))).toEqual([
      [{ monitor: 'gatus', state: 'read-only', reason: 'It cannot.' }],
      [],
      [{ monitor: 'gatus', state: 'read-only', reason: 'A file has it.' }],
    ]);
  });

  test('effects of endpoints that the package or the bridge checks', () => {
    const { reconciler: one } = setUp([]);
    const { definition: _definition, ...shipped } = monitored({ correlationId: 'geth-none' }).shipped;
    const of = (kind: 'custom' | 'chain') =>
      one
        .effectsOf({ dnpName: 'a.eth', shipped: { ...shipped, kind }, on: true })
        .map(({ monitor, state }) => [monitor, state]);
    expect([of('custom'), of('chain')]).toEqual([[['package', 'applied']], [['bridge', 'applied']]]);
  });
});
