/** Tokens of senders, and requests to create them. */
import { z } from 'zod';
import { heartbeatStateSchema } from './heartbeat.ts';
import { LIMITS } from './limits.ts';
import { nodeNameSchema } from './notification.ts';

/** Hours for which a rotated token remains valid. */
export const DEFAULT_GRACE_HOURS = 24;

const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('Name of the sender, for the admin.')
  .meta({ examples: ['backup job'] });
const packages = z
  .array(z.string().trim().min(1).max(200))
  .max(100)
  .describe('Packages that it can send for; empty: any. The first is the default of `dnpName`.')
  .meta({ examples: [['dms.dnp.dappnode.eth']] });

const node = nodeNameSchema.describe(
  'The node of all notifications sent with it, which overrides theirs. Absent: theirs.'
);

const usedFrom = z.string().nullable().describe('Address from which it was last used; null: never used.');

/** The token before the last rotation. */
const previousTokenSchema = z.object({
  validUntil: z.iso
    .datetime()
    .nullable()
    .describe('End of the grace period; null: valid as long as its provisioning file or setting names it.'),
  lastUsedAt: z.iso.datetime().nullable().describe('Time of its last use since the rotation; null: not used since.'),
  lastUsedFrom: usedFrom,
});

/** A token. Only its hash is stored. */
export const tokenSchema = z
  .object({
    id: z.string().describe('Identifies the token.'),
    name,
    packages,
    node: node.optional(),
    createdAt: z.iso.datetime().describe('Time of creation.'),
    lastUsedAt: z.iso.datetime().nullable().describe('Time of its last use, accurate to a minute; null: never used.'),
    lastUsedFrom: usedFrom,
    revokedAt: z.iso.datetime().nullable().describe('Time of revocation; null: valid.'),
    previous: previousTokenSchema.nullable().describe('The token before the last rotation; null: there is none.'),
    file: z.string().optional().describe('The provisioning file that defines it; it can be changed only there.'),
    heartbeat: heartbeatStateSchema
      .optional()
      .describe('State of its heartbeat; only in the list. Absent: it has none, or this replica does not lead.'),
  })
  .meta({ id: 'Token', description: 'A sender token.' });
export type Token = z.infer<typeof tokenSchema>;
export const tokenListSchema = z.array(tokenSchema);

export const createdTokenSchema = tokenSchema
  .extend({ token: z.string().describe('The token. It is shown only once.') })
  .meta({ id: 'CreatedToken', description: 'A new sender token.' });
export type CreatedToken = z.infer<typeof createdTokenSchema>;

export const tokenBodySchema = z
  .strictObject({ name, packages: packages.optional().meta({ default: [] }), node: node.optional() })
  .meta({ id: 'TokenRequest', description: 'A sender token to create.' });
export type TokenBody = z.output<typeof tokenBodySchema>;

const graceHours = z
  .number()
  .min(0)
  .max(LIMITS.tokenGraceDays.value * 24)
  .optional()
  .describe('Hours for which the old token remains valid; 0: it is rejected at once.')
  .meta({ default: DEFAULT_GRACE_HOURS });

export const rotateBodySchema = z
  .strictObject({ graceHours })
  .meta({ id: 'TokenRotation', description: 'Rotates a token.' });
export type RotateBody = z.output<typeof rotateBodySchema>;

export const adminTokenSchema = z
  .object({
    origin: z
      .enum(['file', 'setting'])
      .describe('`file`: admin-token in the data directory. `setting`: NODEBELL_ADMIN_TOKEN, which is changed there.'),
    previous: previousTokenSchema
      .nullable()
      .describe(
        'The admin token before the last rotation; null: there is none. Its last use is known since the start.'
      ),
  })
  .meta({ id: 'AdminToken', description: 'The state of the admin token.' });
export type AdminTokenState = z.infer<typeof adminTokenSchema>;

export const rotatedAdminTokenSchema = adminTokenSchema
  .extend({ token: z.string().describe('The new token. It is shown only once.') })
  .meta({ id: 'RotatedAdminToken', description: 'A new admin token.' });
