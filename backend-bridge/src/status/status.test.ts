import { expect, it } from 'vitest';
import { createStatus } from './status.ts';

it('says that the store takes nothing, and answers all the same', async () => {
  let now = 1000;
  const status = createStatus({
    version: '1.2.3',
    auth: 'token',
    webhookSecret: true,
    ready: () => Promise.reject(new Error('disk full')),
    pages: () => 2,
    lastReceivedAt: () => Promise.resolve('1970-01-01T00:00:00.500Z'),
    now: () => now,
  });
  now = 5000;
  expect(await status()).toEqual({
    version: '1.2.3',
    auth: 'token',
    webhookSecret: true,
    storeWritable: false,
    pages: 2,
    startedAt: '1970-01-01T00:00:01.000Z',
    time: '1970-01-01T00:00:05.000Z',
    lastReceivedAt: '1970-01-01T00:00:00.500Z',
  });
});
