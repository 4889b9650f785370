import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ChainEvent } from '../../../contract/chain.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { createChangeFeed } from './present.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('many changed nodes are split into events of limited size', () => {
  const events: ChainEvent[] = [];
  const changes = createChangeFeed(
    { publish: (event) => events.push(event), listening: () => true, now: () => 0 },
    () => undefined
  );
  const names = Array.from({ length: 2 * LIMITS.chainEventNodes.value + 1 }, (_, index) => `node${index}`);
  names.forEach((name) => changes.add(name));
  vi.advanceTimersByTime(1000);
  const { value } = LIMITS.chainEventNodes;
  expect(events.map(({ removed }) => removed.length)).toEqual([value, value, 1]);
  expect(events.flatMap(({ removed }) => removed)).toEqual(names);
});
