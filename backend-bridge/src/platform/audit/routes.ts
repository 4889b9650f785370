/** Operation `listAudit`: a page of JSON, or an export. */
import type { SERVICE } from '../../../contract/api/service.ts';
import type { AuditQuery } from '../../../contract/audit.ts';
import { csvLine } from '../http/csv.ts';
import { readFor, sendRead } from '../http/sendRead.ts';
import type { Handlers } from '../http/serve.ts';
import { writeTexts } from '../http/texts.ts';
import type { Reads } from '../storage/read.ts';
import { AUDIT_COLUMNS, readAudit, readAuditStep } from './reads.ts';
import type { AuditFilter } from './store.ts';

type Step = (args: Parameters<typeof readAuditStep>[1]) => ReturnType<typeof readAuditStep>;

/** Entries that an export reads at a time. */
const STEP = 500;

const MEDIA = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;

export const auditHandlers = (reads: Reads): Handlers<Pick<typeof SERVICE, 'listAudit'>> => ({
  async listAudit({ query: { limit = 100, format, ...filter }, req, res }) {
    const as = format ?? accepted(req.accepts(['application/json', 'application/x-ndjson', 'text/csv']));
    if (as === 'json') {
      await sendRead(reads, res, readAudit, { filter, limit });
      return;
    }
    res.set({
      'Content-Type': MEDIA[as],
      'Content-Disposition': `attachment; filename="nodebell-audit.${as}"`,
    });
    await writeTexts(
      res,
      exportOf((args) => readFor(reads, res, readAuditStep, args), filter, as)
    );
  },
});

const accepted = (type: string | false): NonNullable<AuditQuery['format']> =>
  type === 'application/x-ndjson' ? 'jsonl' : type === 'text/csv' ? 'csv' : 'json';

async function* exportOf(step: Step, filter: AuditFilter, as: 'jsonl' | 'csv'): AsyncGenerator<Uint8Array | string> {
  yield as === 'csv' ? csvLine(AUDIT_COLUMNS) : '';
  let before = filter.before;
  do {
    const { body, next } = await step({ filter: { ...filter, before }, limit: STEP, as });
    yield body ?? '';
    before = next;
  } while (before !== undefined);
}
