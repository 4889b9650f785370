/** Tables of the bridge itself. Columns: platform/storage/schema.ts. */
import { integer, optional, table, text } from '../../tables.ts';

export const PLATFORM = {
  series: table({ name: text, last: integer }, 'name'),
  events: table({ id: integer, type: text, data: text }, 'id'),
  audit: table(
    {
      id: integer,
      ts: integer,
      actor_kind: text,
      actor: text,
      actor_key: optional(text),
      address: optional(text),
      action: text,
      object: text,
      before: optional(text),
      after: optional(text),
    },
    'id',
    // For changes that add to their entry, and for states that are recorded only if they differ.
    { audit_object: 'object, action' }
  ),
  // Only the SHA-256 of a token is stored, so that the database cannot be used to send.
  sender_tokens: table(
    {
      id: text,
      name: text,
      hash: { ...text, unique: true },
      packages: text,
      created_ts: integer,
      last_used_ts: optional(integer),
      revoked_ts: optional(integer),
      file: optional(text),
      last_used_from: optional(text),
      previous_hash: optional(text),
      previous_until_ts: optional(integer),
      previous_used_ts: optional(integer),
      previous_used_from: optional(text),
      node: { ...text, default: '' },
    },
    'id'
  ),
  shared_state: table({ scope: text, name: text, value: text, revision: text }, 'scope, name'),
  store_backups: table({ created_ts: integer, file: text, bytes: integer, notifications: integer }, 'created_ts'),
};
