/** What the bridge says of itself to an admin: GET /status. Grafana's configuration page tests its connection with it. */
import { z } from 'zod';

export const bridgeStatusSchema = z
  .object({
    version: z.string().describe('Version of the bridge; that of the plugin has the same major and minor number.'),
    time: z.iso.datetime().describe('The clock of the bridge as it answers, UTC.'),
    startedAt: z.iso.datetime().describe('Since when it runs, UTC.'),
    auth: z
      .enum(['sender-open', 'token', 'none'])
      .describe('Who needs a token: all but senders, senders as well, or nobody (NODEBELL_AUTH).'),
    webhookSecret: z.boolean().describe('Whether webhooks of Grafana must be signed (NODEBELL_WEBHOOK_SECRET).'),
    storeWritable: z.boolean().describe('Whether the store takes what arrives; otherwise senders are answered 503.'),
    pages: z.int().describe('Browsers that are told of changes as they happen.'),
    lastReceivedAt: z.iso
      .datetime()
      .optional()
      .describe('When the newest notification arrived, UTC; missing while there is none.'),
  })
  .meta({ id: 'BridgeStatus' });

export type BridgeStatus = z.output<typeof bridgeStatusSchema>;
