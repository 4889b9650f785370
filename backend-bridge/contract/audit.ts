/** The audit log: who changed what, from where, with the values before and after. */
import { z } from 'zod';
import { component, countQuery, integer, list, nullable, oneOf, string, time } from './schema.ts';
import { exportFormat } from './exportFormat.ts';
import { idQuerySchema } from './id.ts';

/** Action of an entry, as `subject.verb`. */
export const AUDIT_ACTIONS = [
  'settings.change',
  'category.switch',
  'package.register',
  'package.update',
  'package.remove',
  'package.restore',
  'token.create',
  'token.rotate',
  'token.revoke',
  'admin-token.rotate',
  'notifications.delete',
  'notifications.restore',
  'notification.resolve',
  'notifications.resolve',
  'notifications.reopen',
  'notification.acknowledge',
  'notification.unacknowledge',
  'notification.snooze',
  'notification.assign',
  'notification.silence',
  'notification.unsilence',
  'silence.set',
  'silence.expire',
  'maintenance.set',
  'maintenance.remove',
  'inhibition.configure',
  'comment.add',
  'comment.edit',
  'comment.delete',
  'chain.configure',
  'retention.change',
  'archive.import',
  'database.restore',
  'channel.configure',
  'channel.remove',
  'channel.resend',
  'channel.discard',
  'channel.revoke-actions',
  'routes.change',
  'schedules.change',
  'override.add',
  'override.remove',
  'people.change',
  'push.replace-key',
  'heartbeat.configure',
  'mapping.configure',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * `user`: through Grafana. `token`: with the admin token. `cli`: with the admin token, by the command line. `file`: a provisioning file.
 * `open`: without a credential, because none is required. `bridge`: the bridge itself. `channel`: a button of a message.
 * `sender`: with a sender token.
 */
export const ACTOR_KINDS = ['user', 'token', 'cli', 'file', 'open', 'bridge', 'channel', 'sender'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

export const actorSchema = component('Actor', 'Who made a change.', {
  kind: oneOf('How it was identified.', ACTOR_KINDS),
  name: string('Login, name of the token, provisioning file, or package manager; empty: none.'),
  key: string('Stable id of a user of Grafana: `org:1/user:<uid>`.').optional(),
  address: string(
    'Address of the client. Through Grafana: as Grafana received it, with the proxies before it; only the last one is certain.'
  ).optional(),
});
/** Author of a change. */
export type Actor = z.infer<typeof actorSchema>;

const NAMED: ReadonlySet<ActorKind> = new Set(['user', 'file', 'bridge', 'channel', 'sender']);

/** Name that pages show for a change; null: unknown. */
export function nameOfActor(by: Actor | null | undefined): string | null {
  return by != null && by.name !== '' && NAMED.has(by.kind) ? by.name : null;
}

export const auditEntrySchema = component('AuditEntry', 'A recorded change.', {
  id: integer('Increases with time.').positive(),
  at: time('Time of the change.'),
  actor: actorSchema,
  action: string(`One of ${AUDIT_ACTIONS.join(', ')}.`),
  object: string('Changed object: a package, an endpoint, a category, the id of a token.'),
  before: z.unknown().optional().describe('The value before; absent: none. Never a secret.'),
  after: z.unknown().optional().describe('The value after; absent: none. Never a secret.'),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditPageSchema = component('AuditPage', 'Recorded changes.', {
  entries: list('Newest first.', auditEntrySchema),
  next: nullable('`before` of the next page; null: this is the last one.', z.int().positive()),
});
export type AuditPage = z.infer<typeof auditPageSchema>;

export const auditQuerySchema = z.strictObject({
  from: time('Changes at or after this time.').optional(),
  to: time('Changes before this time.').optional(),
  actor: string('Name of the actor; the whole name, in any case.').max(200).optional(),
  action: oneOf('The action.', AUDIT_ACTIONS).optional(),
  before: idQuerySchema.optional().describe('Entries with a smaller id: `next` of a page.'),
  limit: countQuery('Entries in one page of JSON.', 500, 100),
  format: exportFormat('all entries, oldest last'),
});
export type AuditQuery = z.output<typeof auditQuerySchema>;
