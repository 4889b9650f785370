/** Reads the audit log. */
import type { ActorKind, AuditEntry, AuditQuery } from '../../../contract/audit.ts';
import { isoTime } from '../../../contract/text.ts';
import type { Database } from '../storage/engine.ts';
import type { AuditRow } from '../storage/schema.ts';

export type AuditFilter = Pick<AuditQuery, 'from' | 'to' | 'actor' | 'action' | 'before'>;

export interface AuditStore {
  /** Newest first. */
  list(filter: AuditFilter, limit: number): Promise<AuditEntry[]>;
}

export function createAuditStore(db: Database): AuditStore {
  return {
    async list({ from, to, actor, action, before }, limit) {
      let query = db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit);
      query = from === undefined ? query : query.where('ts', '>=', Date.parse(from));
      query = to === undefined ? query : query.where('ts', '<', Date.parse(to));
      query =
        actor === undefined
          ? query
          : query.where((row) => row(row.fn<string>('lower', ['actor']), '=', actor.toLowerCase()));
      query = action === undefined ? query : query.where('action', '=', action);
      query = before === undefined ? query : query.where('id', '<', before);
      return (await query.execute()).map(toEntry);
    },
  };
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
