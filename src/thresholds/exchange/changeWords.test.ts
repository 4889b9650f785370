import { expect, test } from 'vitest';
import type { SettingChange } from '@nodebell/contract/settings.ts';
import { changeWords, subjectOf, whoWords } from './changeWords';

const change = (more: Partial<SettingChange>): SettingChange => ({
  id: 1,
  at: '2026-11-21T10:00:00Z',
  member: 'threshold',
  from: null,
  to: 60.5,
  ...more,
});

test('what was set, of what, and by whom', () => {
  const endpoint = change({ dnpName: 'dms.eth', correlationId: 'dms-cpu', by: 'ada' });
  expect([subjectOf(endpoint), changeWords(endpoint), whoWords(endpoint)]).toEqual([
    'dms-cpu of dms.eth',
    'Threshold: default → 60.5',
    'ada',
  ]);
  const pkg = change({ dnpName: 'dms.eth', member: 'enabled', from: true, to: false, file: 'all.yaml' });
  expect([subjectOf(pkg), changeWords(pkg), whoWords(pkg)]).toEqual(['dms.eth', 'Notifications: on → off', 'all.yaml']);
  const category = change({ category: 'hardware', member: 'enabled', from: false, to: null });
  expect([subjectOf(category), changeWords(category), whoWords(category)]).toEqual([
    'Category Hardware',
    'Notifications: off → default',
    'unknown user',
  ]);
});
