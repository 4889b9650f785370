import { expect, test } from 'vitest';
import type { SettingRow } from '../../platform/storage/schema.ts';
import { createChainStore } from './store.ts';

const DNP = 'geth.dnp.dappnode.eth';

const row = (subject: string | null): SettingRow => ({
  dnp_name: DNP,
  correlation_id: 'chain-behind',
  member: 'threshold',
  file: '',
  value: 5,
  shipped: null,
  subject,
  ts: 0,
  set_by: null,
});

test.each([
  ['of the node', '', 5],
  ['stored before its package was registered', null, 5],
  ['of a condition of the package, which has had an endpoint of this name', '[BODY].lag\nmost\n', undefined],
])('a threshold %s', async (_which, subject, limit) => {
  const settings = { all: () => Promise.resolve([row(subject)]) };
  const thresholdOf = await createChainStore(undefined as never, undefined as never, settings).thresholds();
  expect(thresholdOf(DNP, 'chain-behind')).toBe(limit);
});
