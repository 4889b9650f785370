import { expect, it } from 'vitest';
import type { RetentionPolicy } from '@nodebell/contract/retention.ts';
import { NEW_RULE, readDraft, toDraft } from './draft';

const POLICY: RetentionPolicy = {
  rules: [
    { olderThan: 'never', categories: ['audit'] },
    { olderThan: '7d', priorities: ['low'], read: true },
    { olderThan: '52w', read: false },
  ],
  maxNotifications: 1_000_000,
  maxBytes: '5GB',
  archive: true,
  maxArchiveBytes: '20GB',
};

it.each([POLICY, {}])('a policy is the same after it was edited without a change', (policy) => {
  expect(readDraft(toDraft(policy))).toEqual({ policy });
});

it('reads what people write', () => {
  const draft = { ...toDraft({}), maxNotifications: '1,000 000', maxBytes: '5 gb', maxArchiveBytes: 'ignored' };
  expect(readDraft(draft)).toEqual({ policy: { maxNotifications: 1_000_000, maxBytes: '5GB' } });
});

it('reports an error for each field', () => {
  const rule = { ...NEW_RULE, read: 'any' as const };
  const draft = {
    ...toDraft({}),
    rules: [{ ...rule, olderThan: '3 months' }],
    maxNotifications: 'many',
    maxBytes: '5',
  };
  expect(readDraft(draft)).toEqual({
    mistakes: {
      'rules.0.olderThan': 'Enter an age such as 12h, 90d or 52w, or never',
      maxNotifications: 'Enter a whole number',
      maxBytes: 'Enter a size such as 500MB or 5GB',
    },
  });
  expect(readDraft({ ...draft, rules: [rule, rule], maxNotifications: '', maxBytes: '' })).toEqual({
    mistakes: { 'rules.1': 'Never reached: the rule above matches every notification' },
  });
});
