/** The delivery of a notification over a channel (channel.ts). */
import { z } from 'zod';
import { component, integer, nullable, oneOf, string } from './schema.ts';

/**
 * `waiting`: it was not sent yet, or is retried; `held`: it waits for the end of quiet hours, for a digest, or whether somebody acknowledges
 * it; `skipped`: a step of an escalation that reached nobody; `sent`; `merged`: a message that counts many, or one of the same thread, was sent for it; `undelivered`: it was given up.
 */
export const DELIVERY_STATES = ['waiting', 'held', 'sent', 'merged', 'skipped', 'undelivered'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const deliverySchema = component('Delivery', 'The delivery of a notification over a channel.', {
  channel: string('Name of the channel; of a step of an escalation, also `on call: <schedule>` or `person: <login>`.'),
  person: string('Login of the person for whom it was sent there.').optional(),
  state: oneOf('The outcome.', DELIVERY_STATES),
  at: nullable('When it was sent or given up; null: it waits.', z.iso.datetime()),
  attempts: integer('Failed attempts.'),
  reason: nullable(
    'Why the last attempt failed, why it was skipped, or a problem of a message that was sent: its template failed, or an address was rejected.',
    z.string()
  ),
});
export type Delivery = z.infer<typeof deliverySchema>;
