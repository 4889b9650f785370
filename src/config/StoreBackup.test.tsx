import type { BridgeStatus } from '@nodebell/contract/status.ts';
import { expect, it } from 'vitest';
import { render, screen } from '../component.testing';
import { StoreBackup } from './StoreBackup';

const NOW = '2026-11-22T12:00:00.000Z';
const STATUS: BridgeStatus = {
  version: '0.1.0',
  time: NOW,
  startedAt: NOW,
  auth: 'token',
  webhookSecret: false,
  storeWritable: true,
  database: 'sqlite',
  pages: 1,
};
const backup = (at: string, more = {}) => ({
  at,
  file: '/backups/n.jsonl.zst',
  bytes: 2_345_678,
  notifications: 1200,
  ...more,
});
const shown = (status: Partial<BridgeStatus>) => {
  const { container } = render(<StoreBackup status={{ ...STATUS, ...status }} />);
  return { text: container.textContent, warning: screen.queryByRole('status')?.textContent };
};

it('shows the last backup', () => {
  const { text, warning } = shown({ lastReceivedAt: NOW, storeBackup: backup('2026-11-21T09:00:00.000Z') });
  expect(warning).toBeUndefined();
  expect(text).toMatch(/\(1 d 3 h ago\)Content1,200 notifications, 2\.3 MBFile\/backups\/n\.jsonl\.zst/);
  expect(screen.getByRole('region', { name: 'Backup command' }).textContent).toContain('nodebell backup');
});

it.each([
  [999_499, '999.5 kB'],
  [12_300_000_000, '12.3 GB'],
])('sizes: %d', (bytes, size) => {
  expect(shown({ storeBackup: backup(NOW, { bytes, notifications: 1 }) }).text).toContain(`1 notification, ${size}`);
});

it('warns when there is none', () => {
  const { text, warning } = shown({ lastReceivedAt: NOW });
  expect([text, warning]).toEqual([
    expect.stringContaining('None yet'),
    expect.stringContaining('never been backed up'),
  ]);
});

it('warns when it is older than seven days', () => {
  const seven = shown({ lastReceivedAt: NOW, storeBackup: backup('2026-11-15T12:00:00.000Z') });
  expect(seven.warning).toBeUndefined();
  const old = shown({ lastReceivedAt: NOW, storeBackup: backup('2026-11-15T10:00:00.000Z') });
  expect(old.warning).toContain('The last backup is 7 d 2 h old.');
});

it('does not warn without notifications', () => {
  expect(shown({}).warning).toBeUndefined();
});
