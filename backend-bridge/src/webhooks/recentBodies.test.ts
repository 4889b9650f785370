import { describe, expect, it } from 'vitest';
import { RecentBodies, RETRY_WINDOW_MS } from './recentBodies.ts';

describe('a body of Gatus that came before', () => {
  it('is a retry within a minute', () => {
    const recent = new RecentBodies();
    const key = recent.keyFor('s', 't', 'DOWN', 0);
    expect(recent.keyFor('s', 't', 'DOWN', RETRY_WINDOW_MS - 1)).toBe(key);
  });

  it('is a reminder after a minute, counted from the first', () => {
    const recent = new RecentBodies();
    const key = recent.keyFor('s', 't', 'DOWN', 0);
    recent.keyFor('s', 't', 'DOWN', 50_000);
    expect(recent.keyFor('s', 't', 'DOWN', RETRY_WINDOW_MS)).not.toBe(key);
  });

  it('is news when the thread has heard something else since', () => {
    const recent = new RecentBodies();
    const keys = [
      recent.keyFor('s', 't', 'DOWN', 0),
      recent.keyFor('s', 't', 'UP', 0),
      recent.keyFor('s', 't', 'DOWN', 0),
    ];
    expect(new Set(keys).size).toBe(3);
  });

  it('is not confused by other threads', () => {
    const recent = new RecentBodies();
    const key = recent.keyFor('s', 't', 'DOWN', 0);
    expect(recent.keyFor('s', 'u', 'DOWN', 1)).not.toBe(key);
    expect(recent.keyFor('s', 't', 'DOWN', 2)).toBe(key);
  });

  it('is forgotten when the clock was set back', () => {
    const recent = new RecentBodies();
    const key = recent.keyFor('s', 't', 'DOWN', 1_000_000);
    expect(recent.keyFor('s', 't', 'DOWN', 0)).not.toBe(key);
  });

  it('is none of another sender, even for the same thread', () => {
    const recent = new RecentBodies();
    const key = recent.keyFor('s', 't', 'DOWN', 0);
    expect(recent.keyFor('e', 't', 'UP', 1)).not.toBe(recent.keyFor('e', 't', 'DOWN', 1));
    expect(recent.keyFor('s', 't', 'DOWN', 2)).toBe(key);
  });

  it('is known whatever another sender floods the memory with', () => {
    const recent = new RecentBodies(10);
    const key = recent.keyFor('s', 't', 'DOWN', 0);
    for (let count = 0; count < 100; count += 1) {
      recent.keyFor('e', `t${count}`, 'DOWN', 1);
    }
    expect(recent.keyFor('s', 't', 'DOWN', 2)).toBe(key);
  });
});
