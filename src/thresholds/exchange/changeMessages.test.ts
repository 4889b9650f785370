import { expect, test } from 'vitest';
import type { SettingChange } from '@nodebell/contract/settings.ts';
import { changeMessage, subjectOf, authorLabel } from './changeMessages';

const change = (more: Partial<SettingChange>): SettingChange => ({
  id: 1,
  at: '2026-11-21T10:00:00Z',
  member: 'threshold',
  from: null,
  to: 60.5,
  ...more,
});

test('change, subject and author', () => {
  const endpoint = change({ dnpName: 'dms.eth', correlationId: 'dms-cpu', by: 'ada' });
  expect([subjectOf(endpoint), changeMessage(endpoint), authorLabel(endpoint)]).toEqual([
    'dms-cpu of dms.eth',
    'Threshold: default → 60.5',
    'ada',
  ]);
  const pkg = change({ dnpName: 'dms.eth', member: 'enabled', from: true, to: false, file: 'all.yaml' });
  expect([subjectOf(pkg), changeMessage(pkg), authorLabel(pkg)]).toEqual([
    'dms.eth',
    'Notifications: on → off',
    'all.yaml',
  ]);
  const category = change({ category: 'hardware', member: 'enabled', from: false, to: null });
  expect([subjectOf(category), changeMessage(category), authorLabel(category)]).toEqual([
    'Category Hardware',
    'Notifications: off → default',
    'unknown user',
  ]);
});
