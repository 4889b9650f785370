import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BridgeEvent } from '@nodebell/contract/event.ts';
import { keepStream, type Source, type StreamStatus } from './stream';

class FakeSource implements Source {
  static opened: FakeSource[] = [];
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  closed = false;
  readonly #listeners = new Map<string, (event: MessageEvent<string>) => void>();
  readonly after: number | undefined;

  constructor(after: number | undefined) {
    this.after = after;
    FakeSource.opened.push(this);
  }
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void) {
    this.#listeners.set(type, listener);
  }
  close() {
    this.closed = true;
  }
  say(type: string, id: number, data: unknown) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    this.#listeners.get(type)?.({ lastEventId: String(id), data: text } as MessageEvent<string>);
  }
}

const events: BridgeEvent[] = [];
const statuses: StreamStatus[] = [];
let stop: () => void;
const last = () => FakeSource.opened.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSource.opened = [];
  events.length = 0;
  statuses.length = 0;
  stop = keepStream({
    connect: (after) => new FakeSource(after),
    onEvent: (event) => events.push(event),
    onStatus: (status) => statuses.push(status),
    random: () => 0.5,
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe('the stream', () => {
  it('passes on valid events', () => {
    last().say('deleted', 4, { ids: [1, 2] });
    expect(events).toEqual([{ id: 4, type: 'deleted', data: { ids: [1, 2] } }]);
  });

  it('passes on every event without an id and does not resume after it', () => {
    last().say('settings', 4, {});
    const data = { now: '2026-01-01T00:00:00.000Z', nodes: [], removed: ['geth.dnp.dappnode.eth'] };
    last().say('chain', 4, data);
    last().say('chain', 4, data);
    last().say('chain', 4, 'not json');
    expect(events.slice(1)).toEqual([
      { id: 4, type: 'chain', data },
      { id: 4, type: 'chain', data },
    ]);
    last().say('settings', 5, {});
    expect(events).toHaveLength(4);
  });

  it('reloads everything after an invalid message', () => {
    last().say('deleted', 4, 'not json');
    last().say('notification', 5, { notification: { id: 'x' } });
    expect(events.map(({ type }) => type)).toEqual(['reset', 'reset']);
  });

  it('resumes after the last event, even if it was `hello`', () => {
    last().say('hello', 0, {});
    last().onerror?.();
    vi.advanceTimersByTime(1000);
    expect(last().after).toBe(0);
    last().say('settings', 7, {});
    last().onerror?.();
    vi.advanceTimersByTime(5000);
    expect(last().after).toBe(7);
  });

  it('ignores duplicates of an overlapping replay', () => {
    last().say('settings', 7, {});
    last().say('settings', 7, {});
    last().say('settings', 6, {});
    expect(events).toHaveLength(1);
  });

  it('accepts lower ids after the bridge was reset', () => {
    last().say('settings', 700, {});
    last().say('reset', 3, {});
    last().say('settings', 4, {});
    expect(events.map(({ id }) => id)).toEqual([700, 3, 4]);
  });

  it('backs off after each failure, up to 30 s, and resets after a success', () => {
    const waits: number[] = [];
    for (let failures = 0; failures < 8; failures += 1) {
      const before = FakeSource.opened.length;
      last().onerror?.();
      let waited = 0;
      while (FakeSource.opened.length === before) {
        vi.advanceTimersByTime(500);
        waited += 500;
      }
      waits.push(waited / 1000);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
    last().onopen?.();
    last().onerror?.();
    const before = FakeSource.opened.length;
    vi.advanceTimersByTime(1000);
    expect(FakeSource.opened.length).toBe(before + 1);
    expect(statuses.slice(-2)).toEqual(['open', 'cut']);
  });

  it('closes when the last listener leaves', () => {
    last().onerror?.();
    stop();
    vi.advanceTimersByTime(60_000);
    expect(FakeSource.opened).toHaveLength(1);
    expect(last().closed).toBe(true);
  });
});
