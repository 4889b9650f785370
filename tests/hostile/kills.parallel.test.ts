/**
 * Nothing acknowledged is lost or doubled, whatever is killed: the short form of `npm run prove -- --kills`, `-- --link` and `-- --presses`,
 * which find what needs hundreds of kills. A few find what is wrong at each.
 */
import { expect, test } from 'vitest';
import { proveKills } from '../proofs/kills.ts';
import { proveLink } from '../proofs/link.ts';
import { provePresses } from '../proofs/presses.ts';

test.each([
  { store: 'sqlite', replicas: 1, kills: 8, of: { bridge: 8 } },
  { store: 'postgres', replicas: 1, kills: 6, of: { bridge: 3, PostgreSQL: 3 } },
  { store: 'postgres', replicas: 2, kills: 3, of: { bridge: 2, PostgreSQL: 1 } },
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

test.each([
  { store: 'sqlite', kills: 4, of: { bridge: 4 } },
  { store: 'postgres', kills: 4, of: { bridge: 2, PostgreSQL: 2 } },
] as const)(
  'on $store, $kills kills while batches are stored: each batch is stored once, as a whole',
  { timeout: 900_000 },
  async ({ store, kills, of }) => {
    // More than one transaction stores, so that a kill may come in between.
    const result = await proveKills({ store, kills, batch: 700 });
    expect(result.mistakes).toEqual([]);
    expect(result.kills).toEqual(of);
    expect(result.repeated).toBeGreaterThan(0);
  }
);

test(
  'of two linked bridges, 4 kills: the upper one has what the lower one acknowledged, once',
  { timeout: 900_000 },
  async () => {
    const result = await proveLink({ kills: 4 });
    expect(result.mistakes).toEqual([]);
    expect(result.kills).toEqual({ lower: 2, upper: 2 });
    expect(result.acknowledged).toBeGreaterThan(4);
  }
);

test(
  'of the bridge and the services, 8 kills while buttons are pressed: each press takes effect once, and is seen once',
  { timeout: 900_000 },
  async () => {
    const result = await provePresses({ kills: 8 });
    expect(result.mistakes).toEqual([]);
    expect(result.kills).toEqual({ bridge: 4, services: 4 });
    expect(result.pressed).toBe(68);
  }
);
