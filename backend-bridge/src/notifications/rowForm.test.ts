import { expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { notificationSchema, type Notification } from '../../contract/notification.ts';
import { rowForm } from './rowForm.ts';

const MAX = LIMITS.eventTextBytes.value;
const NOTIFICATION: Notification = {
  ...{ id: 1, timestamp: '2026-01-01T00:00:00.000Z', title: 'A title', body: 'A body', category: 'other' },
  ...{ dnpName: 'geth.dnp.dappnode.eth', priority: 'low', status: 'triggered', correlationId: '1', isBanner: false },
  ...{ seen: false, source: 'api', muted: false },
  thread: {
    ...{ state: 'event', count: 1, unseen: 1, openedAt: null, closedAt: null },
    ...{ lastAt: '2026-01-01T00:00:00.000Z', stale: false, closedByHand: false },
  },
};

it('leaves short texts as they are', () => {
  const longest = { ...NOTIFICATION, title: 't'.repeat(MAX), body: 'ä'.repeat(MAX / 2), errors: 'e'.repeat(MAX) };
  expect(rowForm(longest)).toBe(longest);
});

it.each([
  ['a', 'a'.repeat(MAX)],
  ['ä', 'ä'.repeat(MAX / 2)],
  ['aä', 'aä'.repeat(MAX / 3)],
  ['€', '€'.repeat(MAX / 3)],
  ['😀', '😀'.repeat(MAX / 4)],
  ['a😀', 'a😀'.repeat(MAX / 5)],
])('cuts title, body and errors of many %s between code points', (unit, beginning) => {
  const text = unit.repeat(MAX + 7);
  const cut = rowForm({ ...NOTIFICATION, title: text, body: text, errors: text });
  expect(cut.bodyTruncated).toBe(true);
  for (const shown of [cut.title, cut.body, cut.errors!]) {
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(MAX);
    expect(Buffer.byteLength(shown)).toBeGreaterThan(MAX - 4);
    expect([shown.isWellFormed(), shown.startsWith(beginning), text.startsWith(shown)]).toEqual([true, true, true]);
  }
});

it('cuts one that is a byte too long, and keeps everything else', () => {
  const cut = rowForm({ ...NOTIFICATION, body: 'b'.repeat(MAX + 1) });
  expect(cut).toEqual({ ...NOTIFICATION, body: 'b'.repeat(MAX), bodyTruncated: true });
  expect(notificationSchema.parse(cut)).toEqual(cut);
});
