import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPoller, FIRST_GAP_MS, GAP_MS, LONGEST_WAIT_MS, type PolledNode } from './poller.ts';

const INTERVAL = 15_000;
let random = 0.5;

beforeEach(() => {
  random = 0.5;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Probe {
  node: PolledNode;
  polls: number[];
  inFlight: number;
  most: number;
}

function probe(
  name: string,
  { failures = () => 0, lasts = 0 }: { failures?: () => number; lasts?: number } = {}
): Probe {
  const one: Probe = {
    polls: [],
    inFlight: 0,
    most: 0,
    node: {
      name,
      intervalMs: INTERVAL,
      poll: async () => {
        one.polls.push(performance.now());
        one.inFlight += 1;
        one.most = Math.max(one.most, one.inFlight);
        await new Promise((resolve) => setTimeout(resolve, lasts));
        one.inFlight -= 1;
        return failures();
      },
    },
  };
  return one;
}

const gaps = (times: number[]): number[] => times.slice(1).map((time, index) => time - times[index]!);
const start = () => createPoller(() => random);

describe('one node', () => {
  it('is polled at once, and then at its interval', async () => {
    const poller = start();
    const one = probe('a');
    poller.add(one.node);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(one.polls).toHaveLength(5);
    expect(gaps(one.polls).every((gap) => gap >= INTERVAL && gap < INTERVAL + 10)).toBe(true);
    await poller.close();
  });

  it('is polled with a jitter of 10%', async () => {
    const poller = start();
    const one = probe('a');
    random = 0;
    poller.add(one.node);
    await vi.advanceTimersByTimeAsync(14_000);
    expect(gaps(one.polls)[0]).toBeCloseTo(13_500, -2);
    random = 1;
    await vi.advanceTimersByTimeAsync(31_000);
    expect(gaps(one.polls).at(-1)).toBeCloseTo(16_500, -2);
    await poller.close();
  });

  it('that takes longer than its interval has one poll in flight', async () => {
    const poller = start();
    const slow = probe('a', { lasts: 3 * INTERVAL });
    poller.add(slow.node);
    await vi.advanceTimersByTimeAsync(20 * INTERVAL);
    expect(slow.most).toBe(1);
    expect(slow.polls.length).toBeGreaterThan(3);
    await vi.advanceTimersByTimeAsync(3 * INTERVAL);
    const closing = poller.close();
    await vi.advanceTimersByTimeAsync(3 * INTERVAL);
    await closing;
  });

  it('that fails is polled with backoff up to two minutes, and at its interval once it responds', async () => {
    const poller = start();
    let failures = 0;
    let fails = true;
    const one = probe('a', { failures: () => (failures = fails ? failures + 1 : 0) });
    poller.add(one.node);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(
      gaps(one.polls)
        .slice(0, 5)
        .map((gap) => Math.round(gap / 1000))
    ).toEqual([15, 30, 60, 120, 120]);
    fails = false;
    await vi.advanceTimersByTimeAsync(LONGEST_WAIT_MS + 2 * INTERVAL + 100);
    expect(Math.round(gaps(one.polls).at(-1)! / 1000)).toBe(15);
    await poller.close();
  });
});

describe('500 nodes', () => {
  it('that are added together are first polled one after another', async () => {
    const poller = createPoller(() => 0.5);
    const nodes = Array.from({ length: 500 }, (_, index) => probe(`n${index}`));
    nodes.forEach(({ node }) => poller.add(node));
    await vi.advanceTimersByTimeAsync(0);
    const polls = () => nodes.reduce((sum, one) => sum + one.polls.length, 0);
    expect(polls()).toBeLessThanOrEqual(2);
    await vi.advanceTimersByTimeAsync(500 * FIRST_GAP_MS);
    expect(polls()).toBe(500);
    await poller.close();
  });

  it('that are all due at once, as after suspend, are polled one after another', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    const poller = createPoller(() => 0.5);
    const times: number[] = [];
    for (let index = 0; index < 500; index += 1) {
      clock.mockReturnValue(index * 1000);
      const poll = (): Promise<number> => {
        times.push(Date.now());
        return new Promise(() => undefined);
      };
      poller.add({ name: `n${index}`, intervalMs: INTERVAL, poll });
    }
    const begin = Date.now();
    await vi.advanceTimersByTimeAsync(1);
    expect(times.length).toBeLessThanOrEqual(2);
    await vi.advanceTimersByTimeAsync(500 * GAP_MS);
    expect(times).toHaveLength(500);
    expect(times.at(-1)! - begin).toBeGreaterThanOrEqual(498 * GAP_MS);
  });
});

describe('removal', () => {
  it('of one node aborts its poll and stops polling', async () => {
    const poller = start();
    const signals: AbortSignal[] = [];
    const node: PolledNode = {
      name: 'a',
      intervalMs: INTERVAL,
      poll: (signal) => {
        signals.push(signal);
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(0)));
      },
    };
    poller.add(node);
    await vi.advanceTimersByTimeAsync(1);
    poller.remove('a');
    poller.remove('never there');
    await vi.advanceTimersByTimeAsync(10 * INTERVAL);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await poller.close();
  });

  it('of all waits for polls in flight, and leaves no timer', async () => {
    const poller = start();
    const slow = probe('a', { lasts: 5_000 });
    poller.add(slow.node);
    poller.add(probe('b').node);
    await vi.advanceTimersByTimeAsync(100);
    let closed = false;
    const closing = poller.close().then(() => (closed = true));
    await vi.advanceTimersByTimeAsync(4_000);
    expect(closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await closing;
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(10 * INTERVAL);
    expect(slow.polls).toHaveLength(1);
  });

  it('a node of the same name replaces the previous one', async () => {
    const poller = start();
    const [before, after] = [probe('a'), probe('a')];
    poller.add(before.node);
    poller.add(after.node);
    await vi.advanceTimersByTimeAsync(2 * INTERVAL);
    expect([before.polls.length, after.polls.length > 0]).toEqual([0, true]);
    await poller.close();
  });
});
