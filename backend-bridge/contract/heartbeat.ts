/** Heartbeats: senders whose silence is reported. The member `heartbeats` of provisioning files. docs/channels.md. */
import { z } from 'zod';
import { boolean, component, oneOf, strictComponent, string } from './schema.ts';
import { LIMITS } from './limits.ts';
import { PRIORITIES } from './notification.ts';
import { durationSeconds } from './text.ts';

const INTERVAL = 'a duration such as 90s, 5m, 25h or 7d';

export const provisionedHeartbeatSchema = strictComponent(
  'ProvisionedHeartbeat',
  'A sender whose silence is reported.',
  {
    name: string('Its name, in the notification.', { examples: ['attic'] }).regex(/^[a-z0-9][a-z0-9._-]{0,62}$/i, {
      error: 'at most 63 letters, digits, dots, hyphens and underscores, the first a letter or a digit',
    }),
    sender: string('Name of the sender whose token has to be used. Default: `name`.').trim().min(1).max(100).optional(),
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
    priority: oneOf('Priority of the notification.', PRIORITIES, { default: 'high' }).optional(),
  }
);
export type ProvisionedHeartbeat = z.output<typeof provisionedHeartbeatSchema>;

/** Heartbeat state of a token. */
export const heartbeatStateSchema = component('Heartbeat', 'The heartbeat of a sender.', {
  name: string('Its name.'),
  interval: string('Silence of this length is reported.'),
  silent: boolean('Whether it is silent now.'),
});
export type HeartbeatState = z.infer<typeof heartbeatStateSchema>;
