/** `/audit`: the audit log, as pages of JSON or as an export. */
import type { SERVICE } from '../../contract/api/service.ts';
import type { AuditEntry, AuditQuery } from '../../contract/audit.ts';
import { csvLine } from '../http/csv.ts';
import type { Handlers } from '../http/serve.ts';
import { writeTexts } from '../http/texts.ts';
import type { AuditFilter, AuditStore } from './store.ts';

/** Entries that an export reads at a time. */
const STEP = 500;

const MEDIA = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;

export const auditHandlers = (store: AuditStore): Handlers<Pick<typeof SERVICE, 'listAudit'>> => ({
  async listAudit({ query: { limit = 100, format, ...filter }, req, res }) {
    const as = format ?? accepted(req.accepts(['application/json', 'application/x-ndjson', 'text/csv']));
    if (as === 'json') {
      const entries = await store.list(filter, limit + 1);
      const shown = entries.slice(0, limit);
      return { entries: shown, next: entries.length > limit ? (shown.at(-1)?.id ?? null) : null };
    }
    res.set({
      'Content-Type': MEDIA[as],
      'Content-Disposition': `attachment; filename="nodebell-audit.${as}"`,
    });
    await writeTexts(res, exportOf(store, filter, as));
    return undefined;
  },
});

const accepted = (type: string | false): NonNullable<AuditQuery['format']> =>
  type === 'application/x-ndjson' ? 'jsonl' : type === 'text/csv' ? 'csv' : 'json';

async function* exportOf(store: AuditStore, filter: AuditFilter, as: 'jsonl' | 'csv'): AsyncGenerator<string> {
  const write = as === 'csv' ? csvOf : jsonLine;
  yield as === 'csv' ? csvLine(COLUMNS) : '';
  for await (const step of allOf(store, filter)) {
    yield step.map(write).join('');
  }
}

/** In steps, so that an export of any size needs little memory. */
async function* allOf(store: AuditStore, filter: AuditFilter): AsyncGenerator<AuditEntry[]> {
  let before = filter.before;
  for (;;) {
    const step = await store.list({ ...filter, ...(before !== undefined && { before }) }, STEP);
    if (step.length > 0) {
      yield step;
    }
    if (step.length < STEP) {
      return;
    }
    before = step.at(-1)!.id;
  }
}

const jsonLine = (entry: AuditEntry): string => `${JSON.stringify(entry)}\n`;

const COLUMNS = ['id', 'at', 'kind', 'name', 'key', 'address', 'action', 'object', 'before', 'after'] as const;

export function csvOf({ id, at, actor, action, object, before, after }: AuditEntry): string {
  const json = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));
  const cells = [String(id), at, actor.kind, actor.name, actor.key, actor.address, action, object];
  return csvLine([...cells, json(before), json(after)].map((cell) => cell ?? ''));
}
