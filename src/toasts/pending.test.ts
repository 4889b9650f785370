import type { BridgeEvent } from '@nodebell/contract/event.ts';
import type { Notification } from '@nodebell/contract/notification.ts';
import { expect, it } from 'vitest';
import { afterEvent, MOST_PENDING } from './pending';

const THREAD = {
  state: 'open',
  count: 1,
  unseen: 1,
  openedAt: null,
  closedAt: null,
  stale: false,
  closedByHand: false,
};
const arrival = (id: number, change: Partial<Notification> = {}): Notification => ({
  ...{ id, title: `T${id}`, body: 'b', category: 'c', dnpName: 'd', priority: 'critical', status: 'triggered' },
  ...{ correlationId: `c${id}`, isBanner: false, seen: false, source: 'api', muted: false },
  timestamp: new Date(0).toISOString(),
  thread: { ...THREAD, state: 'open', lastAt: new Date(0).toISOString() },
  ...change,
});
const arrives = (notification: Notification): BridgeEvent => ({ id: 1, type: 'notification', data: { notification } });
const after = (...events: BridgeEvent[]): number[] =>
  events.reduce<Notification[]>((pending, event) => afterEvent(pending, event), []).map(({ id }) => id);

it('new critical notifications are pending', () => {
  expect(after(arrives(arrival(1)), arrives(arrival(2)))).toEqual([1, 2]);
});

it.each<[string, Partial<Notification>]>([
  ['less than critical', { priority: 'high' }],
  ['resolved', { status: 'resolved' }],
  ['resolved in the meantime', { thread: { ...arrival(1).thread, state: 'resolved' } }],
  ['seen', { seen: true }],
  ['read by the user', { seen: false, read: true }],
  ['muted', { muted: true }],
  ['with errors', { errors: 'no such host' }],
])('a notification is not pending when %s', (_, change) => expect(after(arrives(arrival(1, change)))).toEqual([]));

it('discards what is seen, deleted or resolved before it is shown', () => {
  const three = [1, 2, 3].map((id) => arrives(arrival(id)));
  expect(after(...three, { id: 9, type: 'seen', data: { ids: [2], seen: true } })).toEqual([1, 3]);
  expect(after(...three, { id: 9, type: 'seen', data: { ids: [2], seen: false } })).toEqual([1, 2, 3]);
  expect(after(...three, { id: 9, type: 'seen', data: { ids: null, seen: true } })).toEqual([]);
  expect(after(...three, { id: 9, type: 'read', data: { ids: [2], read: true } })).toEqual([1, 3]);
  expect(after(...three, { id: 9, type: 'read', data: { ids: [2], read: false } })).toEqual([1, 2, 3]);
  expect(after(...three, { id: 9, type: 'deleted', data: { ids: [1, 3] } })).toEqual([2]);
  expect(after(...three, { id: 9, type: 'reset', data: {} })).toEqual([]);
  expect(after(...three, arrives(arrival(4, { correlationId: 'c2', status: 'resolved' })))).toEqual([1, 3]);
});

it('waits on for a person with own marks when somebody else has seen it', () => {
  const own = arrives(arrival(1, { read: false }));
  expect(after(own, { id: 9, type: 'seen', data: { ids: [1], seen: true } })).toEqual([1]);
  expect(after(own, { id: 9, type: 'seen', data: { ids: null, seen: true } })).toEqual([1]);
  expect(after(own, { id: 9, type: 'read', data: { ids: null, read: true } })).toEqual([]);
});

it('shows only the newest of a thread', () => {
  expect(after(arrives(arrival(1)), arrives(arrival(2, { correlationId: 'c1' })))).toEqual([2]);
  expect(after(arrives(arrival(1)), arrives(arrival(2, { correlationId: 'c1', dnpName: 'other' })))).toEqual([1, 2]);
});

it('keeps no more than somebody would read', () => {
  const many = Array.from({ length: MOST_PENDING + 5 }, (_, n) => arrives(arrival(n + 1)));
  expect(after(...many)).toHaveLength(MOST_PENDING);
  expect(after(...many)[0]).toBe(6);
});

it('leaves out what is not reported again', () => {
  expect(afterEvent([], arrives(arrival(1)), () => true)).toHaveLength(1);
  expect(afterEvent([], arrives(arrival(1)), () => false)).toEqual([]);
});
