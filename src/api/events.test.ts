import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BridgeEvent } from '@nodebell/contract/event.ts';
import { SharedStream, type Channel } from './events';
import type { Source, StreamStatus } from './stream';

interface Tab {
  onMessage?: (message: never) => void;
  lead?: () => void;
  open: boolean;
}

/** The tabs of one browser: the first becomes the leader; when it closes, the next one does. */
class FakeBrowser {
  readonly sources: Array<{
    after: number | undefined;
    source: Source;
    onMessage: Map<string, (event: MessageEvent<string>) => void>;
  }> = [];
  readonly #tabs: Tab[] = [];

  tab() {
    const tab: Tab = { open: true };
    this.#tabs.push(tab);
    const others = () => this.#tabs.filter((each) => each !== tab && each.open);
    const elect = () => this.#tabs.find((each) => each.open)?.lead?.();
    const channel: Channel = {
      post: (message) => tab.open && others().forEach((each) => each.onMessage?.(message as never)),
      listen: (onMessage) => {
        tab.onMessage = onMessage;
      },
      lead: () =>
        new Promise((resolve) => {
          tab.lead = resolve;
          elect();
        }),
      close: () => {
        tab.open = false;
        elect();
      },
    };
    const received: BridgeEvent[] = [];
    const statuses: StreamStatus[] = [];
    const stream = new SharedStream({ channel, connect: (after) => this.#connect(after) });
    stream.subscribe({ onEvent: (event) => received.push(event), onStatus: (status) => statuses.push(status) });
    return { stream, received, statuses };
  }

  #connect(after: number | undefined): Source {
    const onMessage = new Map<string, (event: MessageEvent<string>) => void>();
    const source: Source = {
      onopen: null,
      onerror: null,
      addEventListener: (type, listener) => onMessage.set(type, listener),
      close: () => undefined,
    };
    this.sources.push({ after, source, onMessage });
    return source;
  }

  say(id: number) {
    this.sources.at(-1)?.onMessage.get('settings')?.({ lastEventId: String(id), data: '{}' } as MessageEvent<string>);
  }
}

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('ten tabs', () => {
  it('share one connection and all receive every event', async () => {
    const browser = new FakeBrowser();
    const tabs = Array.from({ length: 10 }, () => browser.tab());
    await settle();
    expect(browser.sources).toHaveLength(1);
    browser.sources[0]?.source.onopen?.();
    browser.say(5);
    expect(tabs.map(({ received }) => received.map(({ id }) => id))).toEqual(Array(10).fill([5]));
    expect(tabs.every(({ statuses }) => statuses.at(-1) === 'open')).toBe(true);
  });

  it('lose no events when the leader closes: the next one resumes after the last event', async () => {
    const browser = new FakeBrowser();
    const [first, second] = [browser.tab(), browser.tab()];
    await settle();
    browser.say(5);
    first.stream.close();
    await settle();
    expect(browser.sources.at(-1)?.after).toBe(5);
    browser.say(6);
    expect(second.received.map(({ id }) => id)).toEqual([5, 6]);
  });

  it('pass the position in the stream to a new tab', async () => {
    const browser = new FakeBrowser();
    const first = browser.tab();
    await settle();
    browser.sources[0]?.source.onopen?.();
    browser.say(8);
    const late = browser.tab();
    await settle();
    expect(late.statuses.at(-1)).toBe('open');
    first.stream.close();
    await settle();
    expect(browser.sources.at(-1)?.after).toBe(8);
  });
});

it('a tab without messages from a leader counts as disconnected', async () => {
  const silent: Channel = {
    post: () => undefined,
    listen: () => undefined,
    lead: () => new Promise(() => undefined),
    close: () => undefined,
  };
  const statuses: StreamStatus[] = [];
  new SharedStream({ channel: silent, connect: () => expect.unreachable() }).subscribe({
    onEvent: () => undefined,
    onStatus: (status) => statuses.push(status),
  });
  await vi.advanceTimersByTimeAsync(5000);
  expect(statuses).toEqual(['connecting', 'cut']);
});
