/** The status of the bridge, for admins: GET /status. Grafana's configuration page tests its connection with it. */
import { z } from 'zod';

/** Why the store cannot be written, the gravest first. */
export const STORE_FAILURES = [
  'database_missing',
  'database_replaced',
  'corrupt',
  'disk_full',
  'unreachable',
  'writer_stopped',
  'read_only',
  'io_error',
  'locked',
] as const;
export type StoreFailureReason = (typeof STORE_FAILURES)[number];

export const bridgeStatusSchema = z
  .object({
    version: z.string().describe('Version of the bridge; that of the plugin has the same major and minor number.'),
    time: z.iso.datetime().describe('The current time of the bridge, UTC.'),
    startedAt: z.iso.datetime().describe('Since when it runs, UTC.'),
    auth: z
      .enum(['sender-open', 'token', 'none'])
      .describe('Which requests need a token (NODEBELL_AUTH): all except sends, all, or none.'),
    webhookSecret: z.boolean().describe('Whether webhooks of Grafana must be signed (NODEBELL_WEBHOOK_SECRET).'),
    storeWritable: z.boolean().describe('Whether the store is writable; otherwise senders get 503.'),
    storeFailure: z
      .object({
        reason: z.enum(STORE_FAILURES).describe('Cause of the failure.'),
        since: z.iso.datetime().describe('Since when, UTC.'),
      })
      .optional()
      .describe('Why the store cannot be written; missing while it can.'),
    database: z.enum(['sqlite', 'postgres']).describe('The database management system.'),
    replica: z
      .object({
        leads: z.boolean().describe('Whether this replica polls nodes, configures monitors, provisions and cleans.'),
        leader: z
          .object({
            name: z.string().describe('Host and process of the replica.'),
            since: z.iso.datetime().describe('Since when it leads, UTC.'),
          })
          .optional()
          .describe('The replica that leads; missing while there is none.'),
      })
      .optional()
      .describe('This bridge among the replicas on its database; missing with SQLite, which has none.'),
    pages: z.int().describe('Connected event streams, of this replica.'),
    lastReceivedAt: z.iso
      .datetime()
      .optional()
      .describe('When the newest notification arrived, UTC. Absent: there is none.'),
    storeBackup: z
      .object({
        at: z.iso.datetime().describe('When it was made; it contains everything stored until then. UTC.'),
        file: z.string().describe('Where it was written to, on the host of the command.'),
        bytes: z.int().describe('Its size.'),
        notifications: z.int().describe('How many notifications it contains.'),
      })
      .optional()
      .describe('The newest backup of the store (nodebell backup). Absent: there is none.'),
  })
  .meta({ id: 'BridgeStatus' });

export type BridgeStatus = z.output<typeof bridgeStatusSchema>;
