import type { BridgeStatus } from '@nodebell/contract/status.ts';
import { expect, test } from 'vitest';
import { render, screen } from '../component.testing';
import { Health } from './Health';

const STATUS: BridgeStatus = {
  version: '0.1.0',
  time: '2026-01-01T03:00:00.000Z',
  startedAt: '2026-01-01T00:00:00.000Z',
  auth: 'token',
  webhookSecret: true,
  storeWritable: true,
  database: 'postgres',
  pages: 0,
};
const leader = { name: 'bridge-1:7', since: '2026-01-01T01:00:00.000Z' };

function shown(replica: BridgeStatus['replica']): string | null | undefined {
  const { container, unmount } = render(<Health status={{ ...STATUS, ...(replica && { replica }) }} />);
  const term = [...container.querySelectorAll('dt')].find((one) => one.textContent === 'Replica');
  const text = term?.nextElementSibling?.textContent;
  unmount();
  return text;
}

test('names the replica that leads, and for how long', () => {
  expect(shown({ leads: true, leader })).toMatch(/^Leader for 2 h.* \(bridge-1:7\)$/);
  expect(shown({ leads: false, leader })).toMatch(/^Follower\. Leader for 2 h.*: bridge-1:7$/);
  expect(shown({ leads: false })).toMatch(/^No leader/);
  expect(shown(undefined)).toBeUndefined();
});

test('names the database', () => {
  render(<Health status={STATUS} />);
  expect(screen.getByText('PostgreSQL: OK')).toBeTruthy();
});
