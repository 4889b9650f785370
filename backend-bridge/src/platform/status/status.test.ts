import { expect, it } from 'vitest';
import type { StoreFailure } from '../storage/storeState.ts';
import { createStatus } from './status.ts';

const BACKUP = { at: '1970-01-01T00:00:00.900Z', file: '/b', bytes: 1, notifications: 2 };

it('reports why the store cannot be written, and since when', async () => {
  let now = 1000;
  const status = createStatus({
    version: '1.2.3',
    auth: 'token',
    webhookSecret: true,
    failure: () => ({ reason: 'disk_full', text: 'Disk full.', cause: 'SQLITE_FULL', since: 2000 }),
    database: 'sqlite',
    replica: () => Promise.resolve(undefined),
    pages: () => 2,
    lastReceivedAt: () => Promise.resolve('1970-01-01T00:00:00.500Z'),
    lastBackup: () => Promise.resolve(BACKUP),
    now: () => now,
  });
  now = 5000;
  expect(await status()).toEqual({
    version: '1.2.3',
    auth: 'token',
    webhookSecret: true,
    storeWritable: false,
    database: 'sqlite',
    storeFailure: { reason: 'disk_full', since: '1970-01-01T00:00:02.000Z' },
    pages: 2,
    startedAt: '1970-01-01T00:00:01.000Z',
    time: '1970-01-01T00:00:05.000Z',
    lastReceivedAt: '1970-01-01T00:00:00.500Z',
    storeBackup: BACKUP,
  });
});

const FAILURE: StoreFailure = { reason: 'unreachable', text: 'The server is gone.', cause: 'ECONNREFUSED', since: 0 };

function statusWith(failure: StoreFailure | undefined) {
  return createStatus({
    ...{ version: '1', auth: 'none', webhookSecret: false, database: 'postgres' },
    failure: () => failure,
    pages: () => 0,
    lastReceivedAt: () => Promise.reject(new Error('no connection')),
    lastBackup: () => Promise.resolve(undefined),
    replica: () => Promise.resolve(undefined),
    now: () => 0,
  });
}

it.each([FAILURE, { ...FAILURE, reason: 'corrupt' as const }])(
  'a failure is reported while nothing can be read: $reason',
  async (failure) => {
    expect(await statusWith(failure)()).toMatchObject({
      storeWritable: false,
      storeFailure: { reason: failure.reason },
    });
  }
);

it('an error without a failure is not hidden', async () => {
  await expect(statusWith(undefined)()).rejects.toThrow('no connection');
});
