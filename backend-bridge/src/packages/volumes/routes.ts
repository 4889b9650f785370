/**
 * Operations on backups of packages. Not below /packages: they contain keys and passwords, so that they need another role, and Grafana's
 * proxy matches routes by the beginning of a path (plugin.json).
 */
import type { PACKAGES } from '../../../contract/api/packages.ts';
import type { RecordChange } from '../../platform/audit/record.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { Backups } from './service.ts';

const TYPES = ['application/gzip', 'application/x-gzip', 'application/octet-stream'];

export const backupHandlers = (
  backups: Pick<Backups, 'download' | 'restore'>,
  record: RecordChange
): Handlers<Pick<typeof PACKAGES, 'downloadBackup' | 'restoreBackup'>> => ({
  async downloadBackup({ params, res }) {
    const { fileName, send } = await backups.download(params.dnpName);
    res.set({
      'Content-Type': 'application/gzip',
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'Cache-Control': 'no-store',
    });
    await send(res);
  },
  async restoreBackup({ params, req, by }) {
    const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    // None that a page of another origin may send without a preflight (Fetch standard, CORS-safelisted content types).
    if (type === undefined || !TYPES.includes(type)) {
      throw new HttpProblem('unsupported-type', `Content-Type must be one of ${TYPES.join(', ')}.`);
    }
    // Recorded first, since files cannot be part of the transaction.
    return backups.restore(params.dnpName, req, ({ backupVersion, createdAt, restored }) => {
      const after = { backupVersion, createdAt, entries: restored.length };
      return record({ by, action: 'package.restore', object: params.dnpName, after });
    });
  },
});
