/** Operation `listAudit`: a page of JSON, or an export. */
import type { SERVICE } from '../../../contract/api/service.ts';
import { EXPORT_STEP, formatOf, sendExport } from '../http/export.ts';
import { readFor, sendRead } from '../http/sendRead.ts';
import type { Handlers } from '../http/serve.ts';
import type { Reads } from '../storage/read.ts';
import { AUDIT_COLUMNS, readAudit, readAuditStep } from './reads.ts';

export const auditHandlers = (reads: Reads): Handlers<Pick<typeof SERVICE, 'listAudit'>> => ({
  async listAudit({ query: { limit = 100, format, ...filter }, req, res }) {
    const as = formatOf(req, format);
    if (as === 'json') {
      await sendRead(reads, res, readAudit, { filter, limit });
      return;
    }
    await sendExport<number>(res, {
      name: 'nodebell-audit',
      as,
      columns: AUDIT_COLUMNS,
      step: (before = filter.before) =>
        readFor(reads, res, readAuditStep, { filter: { ...filter, before }, limit: EXPORT_STEP, as }),
    });
  },
});
