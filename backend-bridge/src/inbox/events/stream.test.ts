import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../platform/storage/events.ts';
import { createEventStream, type EventStream } from './stream.ts';

/** The part of a response that the stream uses; it reads everything at once, unless `reads` is false. */
class FakeResponse extends EventEmitter {
  text = '';
  reads = true;
  destroyed = false;
  ended = false;
  #held: Array<() => void> = [];
  writeHead(): this {
    return this;
  }
  write(chunk: Buffer, taken: () => void): void {
    this.text += chunk.toString();
    this.#held.push(taken);
    if (this.reads) {
      this.readAll();
    }
  }
  /** Reads what was written so far. */
  readAll(): void {
    this.#held.splice(0).forEach((taken) => taken());
  }
  end(): void {
    this.ended = true;
  }
  destroy(): void {
    if (!this.destroyed) {
      this.destroyed = true;
      this.emit('close');
    }
  }
  get heard(): string[] {
    return [...this.text.matchAll(/^id: (\d+)\nevent: (\w+)/gm)].map(([, id, type]) => `${id} ${type}`);
  }
}

const event = (id: number): JournalEvent => ({ id, type: 'settings', data: { category: `c${id}` } });
/** Ten of them fill a batch, and forty are more than a stream may leave unread. */
const large = (id: number): JournalEvent => ({ id, type: 'settings', data: { category: 'x'.repeat(26_000) } });
let stream: EventStream | undefined;
afterEach(() => stream?.close());

/** @param reading called after each query of the journal, before its result arrives */
function start(kept: JournalEvent[], reading: (looks: number) => unknown = () => undefined) {
  let looks = 0;
  const errors: unknown[] = [];
  const events = createEventStream({
    journal: {
      after: (id, limit) => {
        const found = kept.filter((one) => one.id > id).slice(0, limit);
        looks += 1;
        reading(looks);
        return Promise.resolve(found);
      },
      bounds: () => Promise.resolve({ oldest: kept[0]?.id ?? 1, newest: kept.at(-1)?.id ?? 0 }),
    },
    rows: { byIds: () => Promise.resolve(new Map()), unread: () => Promise.resolve(new Map()) },
    onError: (error) => errors.push(error),
  });
  stream = events;
  const connect = (lastId?: number, reads = true) => {
    const response = new FakeResponse();
    response.reads = reads;
    return { response, connected: events.connect(response as unknown as ServerResponse, lastId) };
  };
  const opened = async () => {
    const { response, connected } = connect();
    await connected;
    return response;
  };
  /** Writes to the journal first, like the store. */
  const publish = (...published: JournalEvent[]) => {
    kept.push(...published.filter(({ id }) => !kept.some((one) => one.id === id)));
    events.publish(published);
  };
  return { stream: events, connect, opened, publish, errors };
}
const ids = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('what happens while a client is sent what it missed', () => {
  it.each([1, 2])('is sent once, after look %i into the journal', async (when) => {
    const kept = [event(1)];
    const publishNext = () => publish(event(kept.length + 1));
    const { publish, connect } = start(kept, (looks) => looks === when && publishNext());
    const { response, connected } = connect(0);
    await connected;
    publishNext();
    await expect.poll(() => response.heard).toEqual(['0 hello', '1 settings', '2 settings', '3 settings']);
  });

  it('is sent to one that is new only when it comes after its hello', async () => {
    const { publish, connect } = start([event(1), event(2)]);
    const { response, connected } = connect();
    publish(event(2));
    await connected;
    publish(event(3));
    await expect.poll(() => response.heard).toEqual(['2 hello', '3 settings']);
  });
});

describe('what is in no journal', () => {
  const news = { now: '2026-01-01T00:00:00.000Z', nodes: [], removed: ['geth'] };

  it('is sent to open streams, and carries no id', async () => {
    const { stream: events, publish, connect } = start([event(1)]);
    const first = connect();
    events.publishPassing('chain', news);
    await first.connected;
    events.publishPassing('chain', news);
    publish(event(2));
    await expect
      .poll(() => first.response.text)
      .toBe(
        'id: 1\nevent: hello\ndata: {}\n\n' +
          `event: chain\ndata: ${JSON.stringify(news)}\n\n` +
          'id: 2\nevent: settings\ndata: {"category":"c2"}\n\n'
      );
  });

  it('ends one that does not read', async () => {
    const { stream: events, opened } = start([]);
    const response = await opened();
    response.reads = false;
    for (let told = 0; told < 20 && !response.destroyed; told += 1) {
      events.publishPassing('chain', { ...news, removed: ['x'.repeat(100_000)] });
    }
    expect([response.destroyed, events.clients, events.unread]).toEqual([true, 0, 0]);
  });

  it('is replaced by reset where it is too large', async () => {
    const { stream: events, opened } = start([event(1)]);
    const response = await opened();
    events.publishPassing('chain', { ...news, removed: ['x'.repeat(200_000)] });
    expect(response.text).toBe('id: 1\nevent: hello\ndata: {}\n\nevent: reset\ndata: {}\n\n');
  });
});

describe('a client that reads slowly', () => {
  it('is ended when it leaves too much unread, and not before', async () => {
    const { stream: events, publish, connect } = start([]);
    const [slow, other] = [connect(), connect()];
    await Promise.all([slow.connected, other.connected]);
    slow.response.reads = false;
    publish(...ids(30).map(large));
    await expect.poll(() => other.response.heard).toHaveLength(31);
    expect(slow.response.destroyed).toBe(false);
    publish(...ids(60).slice(30).map(large));
    await expect.poll(() => other.response.heard).toHaveLength(61);
    expect([slow.response.destroyed, other.response.destroyed, events.clients]).toEqual([true, false, 1]);
  });

  it('resumes after the last event that it read, without a gap', async () => {
    const { publish, connect } = start([]);
    const slow = connect();
    await slow.connected;
    slow.response.reads = false;
    publish(...ids(100).map(large));
    await expect.poll(() => slow.response.destroyed).toBe(true);
    const last = Number(slow.response.heard.at(-1)?.split(' ')[0]);
    expect(last).toBeLessThan(100);
    const again = connect(last);
    await again.connected;
    const heard = [...slow.response.heard.slice(1), ...again.response.heard.slice(1)];
    expect(heard).toEqual(ids(100).map((id) => `${id} settings`));
  });

  it('is sent the next batch when it has read the one before', async () => {
    const { connect } = start(ids(120).map(event));
    const { response, connected } = connect(0, false);
    await expect.poll(() => response.heard.length).toBeGreaterThan(1);
    const first = response.heard.length;
    expect(first).toBeLessThan(120);
    response.readAll();
    await expect.poll(() => response.heard.length).toBeGreaterThan(first);
    expect(response.heard.length).toBeLessThan(120);
    response.reads = true;
    response.readAll();
    await connected;
    expect(response.heard).toEqual(['0 hello', ...ids(120).map((id) => `${id} settings`)]);
  });

  it('is sent large events in small batches when it comes back', async () => {
    const { stream: events, connect } = start(ids(50).map(large));
    const { response, connected } = connect(0, false);
    await expect.poll(() => response.heard.length).toBeGreaterThan(1);
    expect(events.unread).toBeLessThan(300_000);
    response.reads = true;
    response.readAll();
    await connected;
    expect(response.heard).toEqual(['0 hello', ...ids(50).map((id) => `${id} settings`)]);
  });

  it('is reset when the journal no longer has what comes next', async () => {
    const kept = ids(120).map(event);
    const { connect } = start(kept);
    const { response, connected } = connect(0, false);
    await expect.poll(() => response.heard.length).toBeGreaterThan(1);
    const before = response.heard.length;
    kept.splice(0, 110);
    response.reads = true;
    response.readAll();
    await connected;
    expect(response.heard.slice(before)).toEqual(['120 reset']);
  });

  it('and leaves meanwhile is removed', async () => {
    const { stream: events, connect } = start(ids(120).map(event));
    const { response, connected } = connect(0, false);
    await expect.poll(() => response.heard.length).toBeGreaterThan(1);
    response.destroy();
    await connected;
    expect(response.heard.length).toBeLessThan(120);
    expect([events.clients, events.unread]).toEqual([0, 0]);
  });
});

it('one event that is too large is replaced by reset', async () => {
  const { publish, opened } = start([]);
  const response = await opened();
  publish({ id: 1, type: 'settings', data: { category: 'x'.repeat(200_000) } }, event(2));
  await expect.poll(() => response.heard).toEqual(['0 hello', '1 reset', '2 settings']);
});

it('streams that lag far behind are reset, and go on from there', async () => {
  const { publish, opened } = start([]);
  const response = await opened();
  publish(event(20_000));
  publish(event(20_001));
  await expect.poll(() => response.heard).toEqual(['0 hello', '20001 reset']);
  publish(event(20_002));
  await expect.poll(() => response.heard).toEqual(['0 hello', '20001 reset', '20002 settings']);
});

it('when events cannot be read, open streams are reset: nothing is passed over silently', async () => {
  let failing = false;
  const { publish, opened, errors } = start([], () => {
    if (failing) {
      throw new Error('unreadable');
    }
  });
  const response = await opened();
  failing = true;
  publish(event(1));
  await expect.poll(() => response.heard).toEqual(['0 hello', '1 reset']);
  failing = false;
  publish(event(2));
  await expect.poll(() => response.heard).toEqual(['0 hello', '1 reset', '2 settings']);
  expect(errors).toHaveLength(1);
});

it('clients that are sent the same share its bytes', async () => {
  const { publish, opened } = start([]);
  const clients = await Promise.all([opened(), opened()]);
  const chunks: Buffer[] = [];
  clients.forEach((response) => {
    response.write = (chunk) => void chunks.push(chunk);
  });
  publish(event(1), event(2));
  await expect.poll(() => chunks.length).toBe(2);
  expect(chunks[0]).toBe(chunks[1]);
});

it('ends every stream', async () => {
  const { stream: events, opened } = start([]);
  const clients = await Promise.all([opened(), opened()]);
  events.close();
  expect(clients.map(({ ended }) => ended)).toEqual([true, true]);
  expect(events.clients).toBe(0);
});
