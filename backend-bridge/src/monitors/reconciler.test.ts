import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MonitorState } from '../../contract/endpoint.ts';
import {
  createEffects,
  type Effects,
  endpointKey,
  type MonitorWriter,
  PartlyWritten,
  RECHECK_MS,
} from './reconciler.ts';
import type { WatchedEndpoint } from '../thresholds/types.ts';
import { watch } from '../thresholds/watched.testing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  await effects?.close();
  vi.useRealTimers();
});

let effects: Effects | undefined;

/** A monitor that writes what it is told, unless it fails. */
function setUp(
  watched: WatchedEndpoint[],
  readOnly: ReadonlyMap<string, string> = new Map(),
  others: MonitorWriter[] = []
) {
  const world = {
    watched,
    failure: undefined as string | Error | undefined,
    written: [] as (number | undefined)[][],
    told: [] as MonitorState[],
  };
  const writer: MonitorWriter = {
    monitor: 'gatus',
    concern: ({ shipped }) =>
      shipped.correlationId === 'geth-none'
        ? { kind: 'none' }
        : shipped.correlationId === 'geth-fixed'
          ? { kind: 'read-only', reason: 'It cannot.' }
          : { kind: 'watched' },
    write(endpoints) {
      if (world.failure !== undefined) {
        return Promise.reject(typeof world.failure === 'string' ? new Error(world.failure) : world.failure);
      }
      world.written.push(endpoints.map(({ threshold }) => threshold));
      return Promise.resolve(readOnly);
    },
  };
  effects = createEffects({
    writers: [writer, ...others],
    watched: () => Promise.resolve(world.watched),
    onChange: (told) => world.told.push(told),
    now: Date.now,
  });
  return { world, effects };
}

const settle = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

describe('effects', () => {
  test('are pending until they are written, and then applied', async () => {
    const { world, effects: one } = setUp([watch({}, { threshold: 20 })]);
    expect(one.of(world.watched[0]!)).toEqual([{ monitor: 'gatus', state: 'pending', reason: 'It is being written.' }]);
    one.kick();
    await settle();
    expect(world.written).toEqual([[20]]);
    expect(one.of(world.watched[0]!)).toEqual([{ monitor: 'gatus', state: 'applied', at: expect.any(String) }]);
    expect(world.told).toMatchObject([{ monitor: 'gatus', state: 'applied' }]);
    expect(one.of(watch({}, { threshold: 21 }))).toMatchObject([{ state: 'pending' }]);
  });

  test('nothing is written twice, and what comes while one is under way is not lost', async () => {
    const { world, effects: one } = setUp([watch({}, { threshold: 20 })]);
    one.kick();
    world.watched = [watch({}, { threshold: 21 })];
    one.kick();
    await settle();
    one.kick();
    await settle();
    expect(world.written.at(-1)).toEqual([21]);
    const { length } = world.written;
    one.kick();
    await settle();
    expect(world.written).toHaveLength(length);
  });

  test('what fails is tried again, later each time, with the reason and the time; it is told once', async () => {
    const { world, effects: one } = setUp([watch()]);
    world.failure = 'The disk is full.';
    one.kick();
    await settle();
    const first = one.of(world.watched[0]!)[0]!;
    expect(first).toMatchObject({ state: 'pending', reason: 'The disk is full.' });
    expect(Date.parse(first.nextTryAt!) - Date.parse(first.at!)).toBe(2000);
    await settle(2000);
    const second = one.of(world.watched[0]!)[0]!;
    expect(Date.parse(second.nextTryAt!) - Date.parse(second.at!)).toBe(4000);
    await settle(3 * 60 * 60_000);
    const late = one.of(world.watched[0]!)[0]!;
    expect(Date.parse(late.nextTryAt!) - Date.parse(late.at!)).toBe(5 * 60_000);
    expect(world.told).toMatchObject([{ state: 'pending', reason: 'The disk is full.' }]);
    world.failure = undefined;
    await settle(5 * 60_000);
    expect(one.of(world.watched[0]!)).toMatchObject([{ state: 'applied' }]);
    expect(world.told).toHaveLength(2);
    expect(one.monitors()).toEqual([{ monitor: 'gatus', state: 'applied', at: expect.any(String) }]);
  });

  test('one that the monitor refuses is pending alone, and is tried again', async () => {
    const [refused, file, other] = ['geth-a', 'geth-b', 'geth-c'].map((correlationId) => watch({ correlationId }));
    const { world, effects: one } = setUp([refused!, file!, other!]);
    const states = () => [refused, file, other].map((endpoint) => one.of(endpoint!)[0]);
    world.failure = new PartlyWritten(
      new Map([[endpointKey(refused!), 'It is no rule.']]),
      new Map([[endpointKey(file!), 'A file has it.']])
    );
    one.kick();
    await settle();
    expect(states()).toMatchObject([
      { state: 'pending', reason: 'It is no rule.', nextTryAt: expect.any(String) },
      { state: 'read-only', reason: 'A file has it.' },
      { state: 'applied' },
    ]);
    expect(one.monitors()).toMatchObject([{ state: 'pending', reason: 'It is no rule.' }]);
    world.failure = undefined;
    await settle(2000);
    expect(states()).toMatchObject([{ state: 'applied' }, { state: 'applied' }, { state: 'applied' }]);
  });

  test('what is lost at the monitor is written again', async () => {
    const { world, effects: one } = setUp([watch()]);
    one.kick();
    await settle();
    await settle(RECHECK_MS);
    expect(world.written).toHaveLength(2);
    expect(world.told).toHaveLength(1);
  });

  test('that is looked at in time, and no sooner, while another monitor fails', async () => {
    let tries = 0;
    const failing: MonitorWriter = {
      monitor: 'prometheus',
      concern: () => ({ kind: 'watched' }),
      write: () => Promise.reject(new Error(`It fails for the ${(tries += 1)}th time.`)),
    };
    const { world, effects: one } = setUp([watch()], new Map(), [failing]);
    one.kick();
    await settle(RECHECK_MS - 1);
    expect(world.written).toHaveLength(1);
    await settle(2);
    expect(world.written).toHaveLength(2);
    await settle(10 * RECHECK_MS);
    expect(world.written).toHaveLength(12);
    expect(tries).toBeGreaterThan(20);
  });

  test('one that takes its time keeps no other from what is new, and has it afterwards itself', async () => {
    const gates: (() => void)[] = [];
    const taken: (number | undefined)[] = [];
    const slow: MonitorWriter = {
      monitor: 'grafana',
      concern: () => ({ kind: 'watched' }),
      async write([endpoint]) {
        await new Promise<void>((open) => gates.push(open));
        taken.push(endpoint?.threshold);
        return new Map();
      },
    };
    const { world, effects: one } = setUp([watch({}, { threshold: 20 })], new Map(), [slow]);
    one.kick();
    await settle();
    for (const threshold of [21, 22]) {
      world.watched = [watch({}, { threshold })];
      one.kick();
      await settle();
    }
    expect(world.written).toEqual([[20], [21], [22]]);
    expect(one.of(world.watched[0]!)).toMatchObject([{ state: 'applied' }, { monitor: 'grafana', state: 'pending' }]);
    gates[0]?.();
    await settle();
    gates[1]?.();
    await settle();
    expect(taken).toEqual([20, 22]);
    expect(one.of(world.watched[0]!)).toMatchObject([{ state: 'applied' }, { state: 'applied' }]);
  });

  test('what is to be watched is gathered once for all of them', async () => {
    const gather = vi.fn(() => Promise.resolve([watch()]));
    const writers = (['gatus', 'prometheus'] as const).map((monitor): MonitorWriter => ({
      monitor,
      concern: () => ({ kind: 'watched' }),
      write: () => Promise.resolve(new Map()),
    }));
    effects = createEffects({ writers, watched: gather, onChange: () => undefined, now: Date.now });
    effects.kick();
    await settle();
    expect(gather).toHaveBeenCalledTimes(1);
    expect(effects.monitors()).toMatchObject([{ state: 'applied' }, { state: 'applied' }]);
  });

  test('say what a monitor does not take, does not concern it, or belongs to a file', async () => {
    const fixed = watch({ correlationId: 'geth-fixed' });
    const none = watch({ correlationId: 'geth-none' });
    const file = watch({ correlationId: 'geth-file' });
    const { effects: one } = setUp([fixed, none, file], new Map([[endpointKey(file), 'A file has it.']]));
    one.kick();
    await settle();
    expect([fixed, none, file].map((endpoint) => one.of(endpoint))).toEqual([
      [{ monitor: 'gatus', state: 'read-only', reason: 'It cannot.' }],
      [],
      [{ monitor: 'gatus', state: 'read-only', reason: 'A file has it.' }],
    ]);
  });

  test('of what nobody but the package or the bridge checks', () => {
    const { effects: one } = setUp([]);
    const { watch: _watch, ...shipped } = watch({ correlationId: 'geth-none' }).shipped;
    const of = (kind: 'custom' | 'chain') =>
      one
        .of({ dnpName: 'a.eth', shipped: { ...shipped, kind }, on: true })
        .map(({ monitor, state }) => [monitor, state]);
    expect([of('custom'), of('chain')]).toEqual([[['package', 'applied']], [['bridge', 'applied']]]);
  });
});
