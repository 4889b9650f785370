/** A notification as archives store it. */
import type { Archived } from '../../../contract/archive.ts';

export const archivedRow = (change: Partial<Archived> = {}): Archived => ({
  id: 1,
  timestamp: '2026-01-01T00:00:00.000Z',
  title: 'T',
  body: 'B',
  category: 'other',
  dnpName: 'unknown',
  priority: 'low',
  status: 'resolved',
  statusGiven: false,
  correlationId: 'x',
  isBanner: false,
  seen: true,
  muted: false,
  source: 'api',
  ...change,
});
