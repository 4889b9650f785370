import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { JournalEvent } from '../storage/events.ts';
import { createEventStream, type EventStream } from './stream.ts';

/** As much of a response as the stream uses; it has read everything unless it is told otherwise. */
class FakeResponse extends EventEmitter {
  text = '';
  writableLength = 0;
  writableNeedDrain = false;
  destroyed = false;
  ended = false;
  writeHead(): this {
    return this;
  }
  write(text: string): boolean {
    this.text += text;
    return !this.writableNeedDrain;
  }
  end(): void {
    this.ended = true;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
  get heard(): string[] {
    return [...this.text.matchAll(/^id: (\d+)\nevent: (\w+)/gm)].map(([, id, type]) => `${id} ${type}`);
  }
}

const event = (id: number): JournalEvent => ({ id, type: 'settings', data: { category: `c${id}` } });
let stream: EventStream | undefined;
afterEach(() => stream?.close());

/** @param reading called after each look into the journal, before its answer arrives */
function start(kept: JournalEvent[], reading: (looks: number) => void = () => undefined) {
  let looks = 0;
  const errors: unknown[] = [];
  stream = createEventStream({
    journal: {
      after: (id, limit) => {
        const found = kept.filter((one) => one.id > id).slice(0, limit);
        looks += 1;
        reading(looks);
        return Promise.resolve(found);
      },
      bounds: () => Promise.resolve({ oldest: kept[0]?.id ?? 1, newest: kept.at(-1)?.id ?? 0 }),
    },
    byIds: () => Promise.resolve([]),
    onError: (error) => errors.push(error),
  });
  const connect = (lastId?: number) => {
    const response = new FakeResponse();
    return { response, connected: stream!.connect(response as unknown as ServerResponse, lastId) };
  };
  return { stream, connect, errors };
}
/** All that was published has been sent. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('what happens while a client is told what it missed', () => {
  it.each([1, 2])('is heard once, after look %i into the journal', async (when) => {
    const kept = [event(1)];
    const { stream: events, connect } = start(kept, (looks) => {
      if (looks === when) {
        kept.push(event(2));
        events.publish([event(2)]);
      }
    });
    const { response, connected } = connect(0);
    await connected;
    events.publish([event(3)]);
    await settled();
    expect(response.heard).toEqual(['0 hello', '1 settings', '2 settings', '3 settings']);
  });

  it('is heard by one that is new only when it comes after its hello', async () => {
    const kept = [event(1), event(2)];
    const { stream: events, connect } = start(kept);
    const { response, connected } = connect();
    events.publish([event(2)]);
    await connected;
    events.publish([event(3)]);
    await settled();
    expect(response.heard).toEqual(['2 hello', '3 settings']);
  });
});

describe('what is only told', () => {
  const news = { now: '2026-01-01T00:00:00.000Z', nodes: [], removed: ['geth'] };

  it('is heard by those who listen, carries no id, and is in no journal', async () => {
    const { stream: events, connect } = start([event(1)]);
    const first = connect();
    events.tell('chain', news);
    await first.connected;
    events.tell('chain', news);
    events.publish([event(2)]);
    await settled();
    expect(first.response.text).toBe(
      'id: 1\nevent: hello\ndata: {}\n\n' +
        `event: chain\ndata: ${JSON.stringify(news)}\n\n` +
        'id: 2\nevent: settings\ndata: {"category":"c2"}\n\n'
    );
  });

  it('cuts off one that does not read', async () => {
    const { stream: events, connect } = start([]);
    const { response, connected } = connect();
    await connected;
    response.writableLength = 5 * 1024 * 1024;
    events.tell('chain', news);
    expect([response.destroyed, events.clients]).toEqual([true, 0]);
  });
});

describe('a client that reads slowly', () => {
  it('is cut when there is more to tell, and not before', async () => {
    const { stream: events, connect } = start([]);
    const [slow, other] = [connect(), connect()];
    await Promise.all([slow.connected, other.connected]);
    slow.response.writableLength = 5 * 1024 * 1024;
    events.publish([]);
    await settled();
    expect(slow.response.destroyed).toBe(false);
    events.publish([event(1)]);
    await settled();
    expect([slow.response.destroyed, other.response.destroyed]).toEqual([true, false]);
    expect(events.clients).toBe(1);
    expect(other.response.heard).toEqual(['0 hello', '1 settings']);
  });

  it('is told the next page when it has read the one before', async () => {
    const { connect } = start(Array.from({ length: 120 }, (_, index) => event(index + 1)));
    const { response, connected } = connect(0);
    response.writableNeedDrain = true;
    await settled();
    const first = response.heard.length;
    expect(first).toBeLessThan(120);
    response.emit('drain');
    await settled();
    expect(response.heard.length).toBeGreaterThan(first);
    response.writableNeedDrain = false;
    response.emit('drain');
    await connected;
    expect(response.heard).toEqual(['0 hello', ...Array.from({ length: 120 }, (_, index) => `${index + 1} settings`)]);
  });

  it('and goes meanwhile is forgotten', async () => {
    const { stream: events, connect } = start(Array.from({ length: 120 }, (_, index) => event(index + 1)));
    const { response, connected } = connect(0);
    response.writableNeedDrain = true;
    await settled();
    response.destroy();
    await connected;
    expect(response.heard.length).toBeLessThan(120);
    expect(events.clients).toBe(0);
  });
});

it('ends every stream', async () => {
  const { stream: events, connect } = start([]);
  const clients = [connect(), connect()];
  await Promise.all(clients.map(({ connected }) => connected));
  events.close();
  expect(clients.map(({ response }) => response.ended)).toEqual([true, true]);
  expect(events.clients).toBe(0);
});
