/** Rows of archives. */
import type { Archived } from '../../backend-bridge/contract/archive.ts';

export const createArchiveRow = (more: Partial<Archived>): Archived => ({
  id: 1,
  timestamp: '2026-11-19T10:00:00.000Z',
  title: 'Disk full',
  body: '',
  category: 'hardware',
  dnpName: 'dms',
  priority: 'high',
  status: 'resolved',
  statusGiven: true,
  correlationId: 'disk',
  isBanner: false,
  seen: true,
  muted: false,
  source: 'api',
  sentAt: '2026-11-19T09:00:00.000Z',
  ...more,
});
