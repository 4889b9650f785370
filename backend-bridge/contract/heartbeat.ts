/** Heartbeats: senders whose silence is reported. The member `heartbeats` of provisioning files. docs/channels.md. */
import type { z } from 'zod';
import { boolean, component, oneOf, strictComponent, string } from './schema.ts';
import { LIMITS } from './limits.ts';
import { nodeNameSchema, PRIORITIES } from './notification.ts';
import { durationSeconds } from './text.ts';
import { duration } from './time.ts';

export const provisionedHeartbeatSchema = strictComponent(
  'ProvisionedHeartbeat',
  'A sender whose silence is reported.',
  {
    name: nodeNameSchema.describe('Its name, in the notification.'),
    sender: string('Name of the sender whose token has to be used. Default: `name`.').trim().min(1).max(100).optional(),
    interval: duration('smhd', LIMITS.heartbeatDays.value, '90s, 5m, 25h or 7d')
      .refine((given) => durationSeconds(given) * 1000 >= LIMITS.heartbeatInterval.value, {
        error: `a duration of at least ${LIMITS.heartbeatInterval.value / 1000}s`,
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
