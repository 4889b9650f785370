/** The audit log: who changed what, from where, with the values before and after. */
import { z } from 'zod';
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

export const actorSchema = z
  .object({
    kind: z.enum(ACTOR_KINDS).describe('How it was identified.'),
    name: z.string().describe('Login, name of the token, provisioning file, or package manager; empty: none.'),
    key: z.string().optional().describe('Stable id of a user of Grafana: `org:1/user:<uid>`.'),
    address: z
      .string()
      .optional()
      .describe(
        'Address of the client. Through Grafana: as Grafana received it, with the proxies before it; only the last one is certain.'
      ),
  })
  .meta({ id: 'Actor', description: 'Who made a change.' });
/** Author of a change. */
export type Actor = z.infer<typeof actorSchema>;

const NAMED: ReadonlySet<ActorKind> = new Set(['user', 'file', 'bridge', 'channel', 'sender']);

/** Name that pages show for a change; null: unknown. */
export function nameOfActor(by: Actor | null | undefined): string | null {
  return by != null && by.name !== '' && NAMED.has(by.kind) ? by.name : null;
}

export const auditEntrySchema = z
  .object({
    id: z.int().positive().describe('Increases with time.'),
    at: z.iso.datetime().describe('Time of the change.'),
    actor: actorSchema,
    action: z.string().describe(`One of ${AUDIT_ACTIONS.join(', ')}.`),
    object: z.string().describe('Changed object: a package, an endpoint, a category, the id of a token.'),
    before: z.unknown().optional().describe('The value before; absent: none. Never a secret.'),
    after: z.unknown().optional().describe('The value after; absent: none. Never a secret.'),
  })
  .meta({ id: 'AuditEntry', description: 'A recorded change.' });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditPageSchema = z
  .object({
    entries: z.array(auditEntrySchema).describe('Newest first.'),
    next: z.int().positive().nullable().describe('`before` of the next page; null: this is the last one.'),
  })
  .meta({ id: 'AuditPage', description: 'Recorded changes.' });
export type AuditPage = z.infer<typeof auditPageSchema>;

export const auditQuerySchema = z.strictObject({
  from: z.iso.datetime().optional().describe('Changes at or after this time.'),
  to: z.iso.datetime().optional().describe('Changes before this time.'),
  actor: z.string().max(200).optional().describe('Name of the actor; the whole name, in any case.'),
  action: z.enum(AUDIT_ACTIONS).optional().describe('The action.'),
  before: idQuerySchema.optional().describe('Entries with a smaller id: `next` of a page.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .optional()
    .describe('Entries in one page of JSON.')
    .meta({ default: 100 }),
  format: exportFormat('all entries, oldest last'),
});
export type AuditQuery = z.output<typeof auditQuerySchema>;
