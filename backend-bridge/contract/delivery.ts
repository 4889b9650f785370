/** The delivery of a notification over a channel (channel.ts). */
import { z } from 'zod';

/**
 * `waiting`: it was not sent yet, or is retried; `held`: it waits for the end of quiet hours, for a digest, or whether somebody acknowledges
 * it; `skipped`: a step of an escalation that reached nobody; `sent`; `merged`: a message that counts many, or one of the same thread, was sent for it; `undelivered`: it was given up.
 */
export const DELIVERY_STATES = ['waiting', 'held', 'sent', 'merged', 'skipped', 'undelivered'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const deliverySchema = z
  .object({
    channel: z
      .string()
      .describe('Name of the channel; of a step of an escalation, also `on call: <schedule>` or `person: <login>`.'),
    person: z.string().optional().describe('Login of the person for whom it was sent there.'),
    state: z.enum(DELIVERY_STATES).describe('The outcome.'),
    at: z.iso.datetime().nullable().describe('When it was sent or given up; null: it waits.'),
    attempts: z.int().describe('Failed attempts.'),
    reason: z
      .string()
      .nullable()
      .describe(
        'Why the last attempt failed, why it was skipped, or why a message that was sent has not the text of its template.'
      ),
  })
  .meta({ id: 'Delivery', description: 'The delivery of a notification over a channel.' });
export type Delivery = z.infer<typeof deliverySchema>;
