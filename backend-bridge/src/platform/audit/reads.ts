/** Responses with entries of the audit log: see {@link Read}. */
import type { ActorKind, AuditEntry, AuditQuery } from '../../../contract/audit.ts';
import { isoTime } from '../../../contract/text.ts';
import { csvLine } from '../http/csv.ts';
import { inList } from '../storage/bulk.ts';
import type { Database } from '../storage/engine.ts';
import { type Answer, json, type Read, text } from '../storage/read.ts';
import type { AuditRow } from '../storage/schema.ts';

interface AuditArgs {
  filter: Pick<AuditQuery, 'from' | 'to' | 'actor' | 'action' | 'before'>;
  limit: number;
}

/** A page as JSON. */
export const readAudit: Read<AuditArgs> = async (db, { filter, limit }) => {
  const entries = await entriesOf(db, filter, limit + 1);
  const shown = entries.slice(0, limit);
  return json({ entries: shown, next: entries.length > limit ? (shown.at(-1)?.id ?? null) : null });
};

/** Lines of an export. `next`: `before` of those that follow; undefined when there are none. */
export const readAuditStep: Read<AuditArgs & { as: 'jsonl' | 'csv' }, Answer & { next: number | undefined }> = async (
  db,
  { filter, limit, as }
) => {
  const entries = await entriesOf(db, filter, limit);
  return {
    ...text(entries.map(as === 'csv' ? csvOf : jsonLine).join('')),
    next: entries.length === limit ? entries.at(-1)!.id : undefined,
  };
};

/** Newest first. */
async function entriesOf(
  db: Database,
  { from, to, actor, action, before }: AuditArgs['filter'],
  limit: number
): Promise<AuditEntry[]> {
  const names = actor === undefined ? undefined : await spellingsOf(db, actor);
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .$if(from !== undefined, (query) => query.where('ts', '>=', Date.parse(from!)))
    .$if(to !== undefined, (query) => query.where('ts', '<', Date.parse(to!)))
    .$if(names !== undefined, (query) => query.where(inList('actor', names!)))
    .$if(action !== undefined, (query) => query.where('action', '=', action!))
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

/** Names of actors that are the same in lower case. Not by the database: SQLite's `lower` changes letters of ASCII only. */
async function spellingsOf(db: Database, name: string): Promise<string[]> {
  const known = await db.selectFrom('audit').select('actor').distinct().execute();
  return known.flatMap(({ actor }) => (actor.toLowerCase() === name.toLowerCase() ? [actor] : []));
}

function toEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: isoTime(row.ts),
    actor: {
      kind: row.actor_kind as ActorKind,
      name: row.actor,
      ...(row.actor_key !== null && { key: row.actor_key }),
      ...(row.address !== null && { address: row.address }),
    },
    action: row.action,
    object: row.object,
    ...(row.before !== null && { before: JSON.parse(row.before) as unknown }),
    ...(row.after !== null && { after: JSON.parse(row.after) as unknown }),
  };
}

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
