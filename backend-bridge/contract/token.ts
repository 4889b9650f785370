/** Tokens of senders, and requests to create them. */
import { z } from 'zod';

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

/** A token. Only its hash is stored. */
export const tokenSchema = z
  .object({
    id: z.string().describe('Identifies the token.'),
    name,
    packages,
    createdAt: z.iso.datetime().describe('Time of creation.'),
    lastUsedAt: z.iso.datetime().nullable().describe('Time of its last use, accurate to a minute; null: never used.'),
    revokedAt: z.iso.datetime().nullable().describe('Time of revocation; null: valid.'),
    file: z.string().optional().describe('The provisioning file that defines it; it can be changed only there.'),
  })
  .meta({ id: 'Token', description: 'A sender token.' });
export type Token = z.infer<typeof tokenSchema>;
export const tokenListSchema = z.array(tokenSchema);

export const createdTokenSchema = tokenSchema
  .extend({ token: z.string().describe('The token. It is shown only once.') })
  .meta({ id: 'CreatedToken', description: 'A new sender token.' });
export type CreatedToken = z.infer<typeof createdTokenSchema>;

export const tokenBodySchema = z
  .strictObject({ name, packages: packages.optional().meta({ default: [] }) })
  .meta({ id: 'TokenRequest', description: 'A sender token to create.' });
export type TokenBody = z.output<typeof tokenBodySchema>;
