import { expect, test } from 'vitest';
import type { StoreFailure } from '../storage/storeState.ts';
import { createStatus } from './status.ts';

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

test.each([FAILURE, { ...FAILURE, reason: 'corrupt' as const }])(
  'a failure is reported while nothing can be read: $reason',
  async (failure) => {
    expect(await statusWith(failure)()).toMatchObject({
      storeWritable: false,
      storeFailure: { reason: failure.reason },
    });
  }
);

test('an error without a failure is not hidden', async () => {
  await expect(statusWith(undefined)()).rejects.toThrow('no connection');
});
