/** Cursors: where a page ended, tied to the filter that it belongs to. */
import { createHash } from 'node:crypto';
import { parseId } from '../../../contract/id.ts';
import type { NotificationFilter } from '../../../contract/query.ts';
import { invalid } from '../../platform/http/problem.ts';
import type { PageKey } from './select.ts';

function fingerprint(filter: NotificationFilter): string {
  const sorted = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 12);
}

export function writeCursor(filter: NotificationFilter, key: PageKey): string {
  return Buffer.from(`${key.ts}.${key.id}.${fingerprint(filter)}`).toString('base64url');
}

/** @throws HttpProblem 400 if it is invalid or belongs to another filter */
export function readCursor(filter: NotificationFilter, cursor: string): PageKey {
  const match = /^(\d+)\.(\d+)\.([\w-]{12})$/.exec(Buffer.from(cursor, 'base64url').toString());
  const [ts, id] = [parseId(match?.[1] ?? ''), parseId(match?.[2] ?? '')];
  const allowed = 'a cursor from the Link header of a page with the same filter';
  if (!match || ts === undefined || id === undefined) {
    throw invalid([{ pointer: '?cursor', found: 'something else', allowed, detail: `"cursor" must be ${allowed}.` }]);
  }
  if (match[3] !== fingerprint(filter)) {
    const detail = 'This cursor belongs to another query. Begin again without a cursor.';
    throw invalid([{ pointer: '?cursor', found: 'a cursor of another query', allowed, detail }]);
  }
  return { ts, id };
}
