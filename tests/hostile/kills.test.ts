/** Nothing acknowledged is lost or doubled, whatever is killed: the short form of `npm run prove -- --kills` and `-- --link`. */
import { expect, test } from 'vitest';
import { proveKills } from '../proofs/kills.ts';
import { proveLink } from '../proofs/link.ts';

test.each([
  { store: 'sqlite', replicas: 1, kills: 15, of: { bridge: 15 } },
  { store: 'postgres', replicas: 1, kills: 10, of: { bridge: 5, PostgreSQL: 5 } },
  { store: 'postgres', replicas: 2, kills: 6, of: { bridge: 4, PostgreSQL: 2 } },
] as const)(
  'on $store, $replicas bridges, $kills kills: every acknowledged notification is stored once',
  { timeout: 900_000 },
  async ({ store, replicas, kills, of }) => {
    const result = await proveKills({ store, replicas, kills });
    expect(result.mistakes).toEqual([]);
    expect(result.kills).toEqual(of);
    expect(result.acknowledged).toBeGreaterThan(kills);
  }
);

test(
  'of two linked bridges, 8 kills: the upper one has what the lower one acknowledged, once',
  { timeout: 900_000 },
  async () => {
    const result = await proveLink({ kills: 8 });
    expect(result.mistakes).toEqual([]);
    expect(result.kills).toEqual({ lower: 4, upper: 4 });
    expect(result.acknowledged).toBeGreaterThan(8);
  }
);
