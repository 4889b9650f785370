/** Responses with entries of the audit log: see {@link Read}. */
import type { AuditEntry } from '../../../contract/audit.ts';
import { csvLine } from '../http/csv.ts';
import { type Answer, json, type Read, text } from '../storage/read.ts';
import { type AuditFilter, createAuditStore } from './store.ts';

interface AuditArgs {
  filter: AuditFilter;
  limit: number;
}

/** A page as JSON. */
export const readAudit: Read<AuditArgs> = async (db, { filter, limit }) => {
  const entries = await createAuditStore(db).list(filter, limit + 1);
  const shown = entries.slice(0, limit);
  return json({ entries: shown, next: entries.length > limit ? (shown.at(-1)?.id ?? null) : null });
};

/** Lines of an export. `next`: `before` of those that follow; undefined when there are none. */
export const readAuditStep: Read<AuditArgs & { as: 'jsonl' | 'csv' }, Answer & { next: number | undefined }> = async (
  db,
  { filter, limit, as }
) => {
  const entries = await createAuditStore(db).list(filter, limit);
  return {
    ...text(entries.map(as === 'csv' ? csvOf : jsonLine).join('')),
    next: entries.length === limit ? entries.at(-1)!.id : undefined,
  };
};

const jsonLine = (entry: AuditEntry): string => `${JSON.stringify(entry)}\n`;

export const AUDIT_COLUMNS = [
  'id',
  'at',
  'kind',
  'name',
  'key',
  'address',
  'action',
  'object',
  'before',
  'after',
] as const;

function csvOf({ id, at, actor, action, object, before, after }: AuditEntry): string {
  const asJson = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));
  const cells = [String(id), at, actor.kind, actor.name, actor.key, actor.address, action, object];
  return csvLine([...cells, asJson(before), asJson(after)].map((cell) => cell ?? ''));
}
