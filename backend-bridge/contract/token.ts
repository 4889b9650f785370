/** Tokens of senders, and requests to create them. */
import { z } from 'zod';
import { component, list, nullable, number, oneOf, strictComponent, string, time } from './schema.ts';
import { heartbeatStateSchema } from './heartbeat.ts';
import { LIMITS } from './limits.ts';
import { nodeNameSchema } from './notification.ts';

/** Hours for which a rotated token remains valid. */
export const DEFAULT_GRACE_HOURS = 24;

const name = string('Name of the sender, for the admin.', { examples: ['backup job'] })
  .trim()
  .min(1)
  .max(100);
const packages = list(
  'Packages that it can send for; empty: any. The first is the default of `dnpName`.',
  z.string().trim().min(1).max(200),
  { examples: [['dms.dnp.dappnode.eth']] }
).max(100);

const node = nodeNameSchema.describe(
  'The node of all notifications sent with it, which overrides theirs. Absent: theirs.'
);

const usedFrom = nullable('Address from which it was last used; null: never used.', z.string());

/** The token before the last rotation. */
const previousTokenSchema = z.object({
  validUntil: nullable(
    'End of the grace period; null: valid as long as its provisioning file or setting names it.',
    z.iso.datetime()
  ),
  lastUsedAt: nullable('Time of its last use since the rotation; null: not used since.', z.iso.datetime()),
  lastUsedFrom: usedFrom,
});

/** A token. Only its hash is stored. */
export const tokenSchema = component('Token', 'A sender token.', {
  id: string('Identifies the token.'),
  name,
  packages,
  node: node.optional(),
  createdAt: time('Time of creation.'),
  lastUsedAt: nullable('Time of its last use, accurate to a minute; null: never used.', z.iso.datetime()),
  lastUsedFrom: usedFrom,
  revokedAt: nullable('Time of revocation; null: valid.', z.iso.datetime()),
  previous: previousTokenSchema.nullable().describe('The token before the last rotation; null: there is none.'),
  file: string('The provisioning file that defines it; it can be changed only there.').optional(),
  heartbeat: heartbeatStateSchema
    .optional()
    .describe('State of its heartbeat; only in the list. Absent: it has none, or this replica does not lead.'),
});
export type Token = z.infer<typeof tokenSchema>;
export const tokenListSchema = z.array(tokenSchema);

export const createdTokenSchema = tokenSchema
  .extend({ token: string('The token. It is shown only once.') })
  .meta({ id: 'CreatedToken', description: 'A new sender token.' });
export type CreatedToken = z.infer<typeof createdTokenSchema>;

export const tokenBodySchema = strictComponent('TokenRequest', 'A sender token to create.', {
  name,
  packages: packages.optional().meta({ default: [] }),
  node: node.optional(),
});
export type TokenBody = z.output<typeof tokenBodySchema>;

const graceHours = number('Hours for which the old token remains valid; 0: it is rejected at once.', {
  default: DEFAULT_GRACE_HOURS,
})
  .min(0)
  .max(LIMITS.tokenGraceDays.value * 24)
  .optional();

export const rotateBodySchema = strictComponent('TokenRotation', 'Rotates a token.', { graceHours });
export type RotateBody = z.output<typeof rotateBodySchema>;

export const adminTokenSchema = component('AdminToken', 'The state of the admin token.', {
  origin: oneOf('`file`: admin-token in the data directory. `setting`: NODEBELL_ADMIN_TOKEN, which is changed there.', [
    'file',
    'setting',
  ]),
  previous: previousTokenSchema
    .nullable()
    .describe('The admin token before the last rotation; null: there is none. Its last use is known since the start.'),
});
export type AdminTokenState = z.infer<typeof adminTokenSchema>;

export const rotatedAdminTokenSchema = adminTokenSchema
  .extend({ token: string('The new token. It is shown only once.') })
  .meta({ id: 'RotatedAdminToken', description: 'A new admin token.' });
