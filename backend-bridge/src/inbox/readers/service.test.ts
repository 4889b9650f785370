import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import type { Person } from '../../platform/http/guard.ts';
import { createReaders } from './service.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { READER_LIFETIME_MS } from './writes.ts';

const DAY = 86_400_000;
const ANNA: Person = {
  key: 'org:1/user:anna',
  login: 'anna',
  orgId: 1,
  role: 'Viewer',
  anonymous: false,
  verified: false,
};

/** A store that knows some persons; each visit is recorded. */
function aStore(known: Record<string, { id: number; last_ts: number }> = {}) {
  const visits: string[] = [];
  const clock = { now: 1000 * DAY };
  const state = { broken: false, full: false };
  const submit: WriteQueue['submit'] = (_write, args) => {
    const { key, now } = args as { key: string; now: number };
    visits.push(`${key} ${now / DAY}`);
    if (state.broken) {
      return Promise.reject(new Error('the disk is full'));
    }
    return Promise.resolve({ id: state.full ? null : 7 } as never);
  };
  const readers = createReaders({
    readState: 'each',
    writes: { submit },
    find: (key) => Promise.resolve(known[key]),
    now: () => clock.now,
  });
  return { readers, visits, clock, state };
}

describe('who comes', () => {
  it('is recorded once a day, however many requests there are', async () => {
    const { readers, visits, clock } = aStore();
    expect(await Promise.all([readers.of(ANNA), readers.of(ANNA)])).toEqual([
      { id: 7, key: ANNA.key },
      { id: 7, key: ANNA.key },
    ]);
    clock.now += DAY - 1;
    await readers.of(ANNA);
    expect(visits).toEqual([`${ANNA.key} 1000`]);
    clock.now += 1;
    await readers.of(ANNA);
    expect(visits).toEqual([`${ANNA.key} 1000`, `${ANNA.key} 1001`]);
  });

  it('and is known, is not kept waiting for the store to write', async () => {
    const { readers, visits } = aStore({ [ANNA.key]: { id: 3, last_ts: 999.5 * DAY } });
    expect(await readers.of(ANNA)).toEqual({ id: 3, key: ANNA.key });
    expect(visits).toEqual([]);
  });

  it('and is known, but about to expire, is recorded first', async () => {
    const { readers } = aStore({ [ANNA.key]: { id: 3, last_ts: 1000 * DAY - READER_LIFETIME_MS } });
    expect(await readers.of(ANNA)).toEqual({ id: 7, key: ANNA.key });
  });

  it('while the store cannot write: one who is known is served, one who is new has the shared state until it can', async () => {
    const old = aStore({ [ANNA.key]: { id: 3, last_ts: 990 * DAY } });
    old.state.broken = true;
    expect(await old.readers.of(ANNA)).toEqual({ id: 3, key: ANNA.key });
    const { readers, state } = aStore();
    state.broken = true;
    expect(await readers.of(ANNA)).toBeUndefined();
    state.broken = false;
    expect(await readers.of(ANNA)).toEqual({ id: 7, key: ANNA.key });
  });

  it('when there are too many already, has the shared state', async () => {
    const { readers, state } = aStore();
    state.full = true;
    expect(await readers.of(ANNA)).toBeUndefined();
  });

  it('is looked up again once more persons have come than are cached', async () => {
    const { readers, visits } = aStore();
    await readers.of(ANNA);
    for (let count = 0; count < LIMITS.visitors.value; count += 1) {
      await readers.of({ ...ANNA, key: `org:1/user:${count}` });
    }
    expect(visits.filter((visit) => visit.startsWith(ANNA.key))).toHaveLength(1);
    await readers.of(ANNA);
    expect(visits.filter((visit) => visit.startsWith(ANNA.key))).toHaveLength(2);
  });

  it('without having signed in, or not through Grafana, has the shared state', async () => {
    const { readers, visits } = aStore();
    expect(await readers.of({ ...ANNA, anonymous: true })).toBeUndefined();
    expect(await readers.of(undefined)).toBeUndefined();
    expect(visits).toEqual([]);
  });
});
