import { beforeEach, expect, it } from 'vitest';
import { aNotification } from '../inbox/inbox.testing';
import { createCalm } from './calm';

let now = 0;
let calm: ReturnType<typeof createCalm>;
beforeEach(() => {
  now = 0;
  calm = createCalm(() => now);
});

const flapping = { turns: 4, since: '2026-11-21T10:00:00.000Z' };
const burst = { id: 7, name: 'HighCPU' };

it('reports every arrival of other threads', () => {
  expect([1, 2, 3].map((id) => calm(aNotification({ id, correlationId: 'a' })))).toEqual([true, true, true]);
});

it('a flapping thread once an hour', () => {
  const again = (id: number) => calm(aNotification({ id, correlationId: 'a', thread: { flapping } }));
  expect([again(1), again(2)]).toEqual([true, false]);
  now += 3_599_999;
  expect(again(3)).toBe(false);
  now += 1;
  expect([again(4), again(5)]).toEqual([true, false]);
  expect(calm(aNotification({ id: 6, correlationId: 'b', thread: { flapping } }))).toBe(true);
});

it('a burst once, whatever its thread, and again when the priority rises', () => {
  const of = (id: number, priority: 'low' | 'high' | 'critical') =>
    calm(aNotification({ id, priority, thread: { burst } }));
  expect([of(1, 'high'), of(2, 'low'), of(3, 'high'), of(4, 'critical'), of(5, 'critical')]).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
});
