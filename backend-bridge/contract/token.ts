/** Tokens of senders, and requests to create them. */
import { z } from 'zod';

const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('Who or what sends with it, for the admin.')
  .meta({ examples: ['backup job'] });
const packages = z
  .array(z.string().trim().min(1).max(200))
  .max(100)
  .describe('Packages that it may send for; empty: any. The first is the default of `dnpName`.')
  .meta({ examples: [['dms.dnp.dappnode.eth']] });

/** A token. Only its hash is stored. */
export const tokenSchema = z
  .object({
    id: z.string().describe('Names the token, to revoke it.'),
    name,
    packages,
    createdAt: z.iso.datetime().describe('When it was made.'),
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .describe('When something was last sent with it, to about a minute; null: never.'),
    revokedAt: z.iso.datetime().nullable().describe('Since when it is refused; null while it is good.'),
    file: z.string().optional().describe('The provisioning file that it comes from, and that alone can change it.'),
  })
  .meta({ id: 'Token', description: 'A token of a sender.' });
export type Token = z.infer<typeof tokenSchema>;
export const tokenListSchema = z.array(tokenSchema);

export const createdTokenSchema = tokenSchema
  .extend({ token: z.string().describe('The token itself. It is shown this once.') })
  .meta({ id: 'CreatedToken', description: 'A new token, with the token itself.' });
export type CreatedToken = z.infer<typeof createdTokenSchema>;

export const tokenBodySchema = z
  .strictObject({ name, packages: packages.optional().meta({ default: [] }) })
  .meta({ id: 'TokenRequest', description: 'Make a token.' });
export type TokenBody = z.output<typeof tokenBodySchema>;
