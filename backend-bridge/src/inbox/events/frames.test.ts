import { expect, it } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import type { EventRow, EventRows } from '../notifications/eventRows.ts';
import type { JournalEvent } from '../../platform/storage/events.ts';
import { Batch } from './frames.ts';

const ANNA = { id: 1, key: 'anna' };
const BERT = { id: 2, key: 'bert' };
const CARL = { id: 3, key: 'carl' };

const row = (id: number): EventRow => ({
  threadId: id,
  answered: false,
  notification: {
    ...{ id, timestamp: '2026-01-01T00:00:00.000Z', title: `T${id}`, body: '', category: 'c', dnpName: 'd' },
    ...{ priority: 'low', status: 'triggered', correlationId: `${id}`, isBanner: false, seen: false, source: 'api' },
    muted: false,
    thread: {
      ...{ state: 'event', count: 1, unseen: 1, openedAt: null, closedAt: null },
      ...{ lastAt: '2026-01-01T00:00:00.000Z', stale: false, closedByHand: false },
    },
  },
});

/** Ten is deleted; Carl has read two. */
const asked = { rows: 0, unread: [] as number[][] };
const ROWS: EventRows = {
  byIds: (ids) => {
    asked.rows += 1;
    return Promise.resolve(new Map(ids.filter((id) => id !== 10).map((id) => [id, row(id)])));
  },
  unread: (rows, readers) => {
    asked.unread.push([...readers]);
    const ids = rows.map(({ notification }) => notification.id);
    const of = (reader: number) => ids.filter((id) => reader !== CARL.id || id !== 2);
    return Promise.resolve(
      new Map(
        readers.map((reader) => [
          reader,
          { ids: new Set(of(reader)), inThread: new Map(of(reader).map((id) => [id, 1])), snoozed: new Map() },
        ])
      )
    );
  },
};
const arrival = (id: number): JournalEvent => ({ id, type: 'notification', data: { id } });

it('readers with the same state share one chunk, and the store is read once for all', async () => {
  asked.rows = 0;
  asked.unread.length = 0;
  const batch = await Batch.read([arrival(1), arrival(2)], ROWS);
  const frames = await batch.framesFor([ANNA, BERT, CARL, undefined]);
  const [anna, bert, carl, nobody] = frames.map((each) => batch.chunk(each, 0));
  expect(anna).toBe(bert);
  const states = [anna, carl, nobody].map((chunk) =>
    [...chunk!.toString().matchAll(/data: (.*)/g)].map(([, data]) => {
      const { notification } = JSON.parse(data!) as { notification: EventRow['notification'] };
      return [notification.id, notification.read, notification.thread.unread];
    })
  );
  expect(states).toEqual([
    [
      [1, false, 1],
      [2, false, 1],
    ],
    [
      [1, false, 1],
      [2, true, 0],
    ],
    [
      [1, undefined, undefined],
      [2, undefined, undefined],
    ],
  ]);
  expect(asked).toEqual({ rows: 1, unread: [[1, 2, 3]] });
});

it('what one has read goes to that reader alone, and what was deleted to nobody', async () => {
  const read: JournalEvent = { id: 2, type: 'read', data: { reader: 'anna', ids: [1], read: true } };
  const batch = await Batch.read([arrival(10), read], ROWS);
  const frames = await batch.framesFor([ANNA, BERT, undefined]);
  expect(frames.map((each) => batch.chunk(each, 0).toString())).toEqual([
    'id: 2\nevent: read\ndata: {"ids":[1],"read":true}\n\n',
    '',
    '',
  ]);
  expect(batch.last).toBe(2);
});

it('one that was sent some of it gets the rest', async () => {
  const batch = await Batch.read([arrival(1), arrival(2), arrival(3)], ROWS);
  const [frames] = await batch.framesFor([undefined]);
  expect(batch.chunk(frames!, 2).toString()).toMatch(/^id: 3\nevent: notification\ndata: [^\n]*\n\n$/);
  expect(batch.chunk(frames!, 3)).toHaveLength(0);
});

it('a batch ends before it has too many bytes, and holds at least one event', async () => {
  const large = (id: number): JournalEvent => ({ id, type: 'settings', data: { category: 'x'.repeat(100_000) } });
  const batch = await Batch.read([large(1), large(2), large(3)], ROWS);
  const [frames] = await batch.framesFor([undefined]);
  expect([batch.last, frames!.map(({ id }) => id)]).toEqual([2, [1, 2]]);
  expect(batch.chunk(frames!, 0).length).toBeLessThanOrEqual(LIMITS.streamBatchBytes.value);
});
