/** Heartbeats: senders whose silence is reported. The member `heartbeats` of provisioning files. docs/channels.md. */
import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { PRIORITIES } from './notification.ts';
import { durationSeconds } from './text.ts';

const INTERVAL = 'a duration such as 90s, 5m, 25h or 7d';

export const provisionedHeartbeatSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/i, {
        error: 'at most 63 letters, digits, dots, hyphens and underscores, the first a letter or a digit',
      })
      .describe('Its name, in the notification.')
      .meta({ examples: ['attic'] }),
    sender: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe('Name of the sender whose token has to be used. Default: `name`.'),
    interval: z
      .string({ error: INTERVAL })
      .regex(/^[1-9]\d{0,4}[smhd]$/, { error: INTERVAL })
      .refine((given) => durationSeconds(given) * 1000 >= LIMITS.heartbeatInterval.value, {
        error: `a duration of at least ${LIMITS.heartbeatInterval.value / 1000}s`,
      })
      .refine((given) => durationSeconds(given) <= LIMITS.heartbeatDays.value * 86_400, {
        error: `a duration of at most ${LIMITS.heartbeatDays.value}d`,
      })
      .describe('Silence of this length is reported.'),
    priority: z.enum(PRIORITIES).optional().describe('Priority of the notification.').meta({ default: 'high' }),
  })
  .meta({ id: 'ProvisionedHeartbeat', description: 'A sender whose silence is reported.' });
export type ProvisionedHeartbeat = z.output<typeof provisionedHeartbeatSchema>;

/** Heartbeat state of a token. */
export const heartbeatStateSchema = z
  .object({
    name: z.string().describe('Its name.'),
    interval: z.string().describe('Silence of this length is reported.'),
    silent: z.boolean().describe('Whether it is silent now.'),
  })
  .meta({ id: 'Heartbeat', description: 'The heartbeat of a sender.' });
export type HeartbeatState = z.infer<typeof heartbeatStateSchema>;
