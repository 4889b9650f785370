/** The status of the bridge, for admins: GET /status. Grafana's configuration page tests its connection with it. */
import { z } from 'zod';
import { boolean, integer, object, oneOf, string, time } from './schema.ts';

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
    version: string('Version of the bridge; that of the plugin has the same major and minor number.'),
    time: time('The current time of the bridge, UTC.'),
    startedAt: time('Since when it runs, UTC.'),
    auth: oneOf('Which requests need a token (NODEBELL_AUTH): all except sends, all, or none.', [
      'sender-open',
      'token',
      'none',
    ]),
    webhookSecret: boolean('Whether webhooks of Grafana must be signed (NODEBELL_WEBHOOK_SECRET).'),
    storeWritable: boolean('Whether the store is writable; otherwise senders get 503.'),
    storeFailure: object('Why the store cannot be written; missing while it can.', {
      reason: oneOf('Cause of the failure.', STORE_FAILURES),
      since: time('Since when, UTC.'),
    }).optional(),
    database: oneOf('The database management system.', ['sqlite', 'postgres']),
    replica: object('This bridge among the replicas on its database; missing with SQLite, which has none.', {
      leads: boolean('Whether this replica polls nodes, configures monitors, provisions and cleans.'),
      leader: object('The replica that leads; missing while there is none.', {
        name: string('Host and process of the replica.'),
        since: time('Since when it leads, UTC.'),
      }).optional(),
    }).optional(),
    pages: integer('Connected event streams, of this replica.'),
    lastReceivedAt: time('When the newest notification arrived, UTC. Absent: there is none.').optional(),
    storeBackup: object('The newest backup of the store (nodebell backup). Absent: there is none.', {
      at: time('When it was made; it contains everything stored until then. UTC.'),
      file: string('Where it was written to, on the host of the command.'),
      bytes: integer('Its size.'),
      notifications: integer('How many notifications it contains.'),
    }).optional(),
  })
  .meta({ id: 'BridgeStatus' });

export type BridgeStatus = z.output<typeof bridgeStatusSchema>;
