/** Rows of archives. */
import { archivedRow } from '../../backend-bridge/src/inbox/retention/archived.testing.ts';
import type { Archived } from '../../backend-bridge/contract/archive.ts';

export const createArchiveRow = (more: Partial<Archived>): Archived =>
  archivedRow({
    timestamp: '2026-11-19T10:00:00.000Z',
    title: 'Disk full',
    body: '',
    category: 'hardware',
    dnpName: 'dms',
    priority: 'high',
    statusGiven: true,
    correlationId: 'disk',
    sentAt: '2026-11-19T09:00:00.000Z',
    ...more,
  });
