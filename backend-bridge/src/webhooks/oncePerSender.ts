/**
 * What counts as "the same alert again": the same alert, from the same sender, for the same package. Whoever may send for one
 * package only can repeat and contradict nothing of another; two senders of one alert add to the same thread.
 */
import { createHash } from 'node:crypto';
import { DEFAULTS } from '../../contract/notification.ts';
import type { Sender } from '../http/auth.ts';
import type { Incoming } from '../notifications/receive.ts';

/** No sender token has such an id: theirs are hexadecimal. */
export type UnnamedSender = 'open' | 'signed';

/** @param unnamed what a sender without a token is called */
export const identityOf = (sender: Sender | undefined, unnamed: UnnamedSender): string => sender?.id ?? unnamed;

/** The package that a notification will have once it is stored. */
export const packageOf = ({ payload }: Incoming): string => payload.dnpName ?? DEFAULTS.dnpName;

/** Longer keys were hardly stored by a monitor. */
const LONGEST_LEGACY_KEY = 1000;

/**
 * Limits `once` to the sender and the package, whose limits have been applied already. Earlier versions stored it for all senders
 * alike; that is looked up as well, so that an upgrade repeats nothing.
 */
export function oncePerSender(incoming: Incoming, sender: string): Incoming {
  const { once } = incoming;
  if (once === undefined) {
    return incoming;
  }
  const { scope, key } = once;
  const named = JSON.stringify([packageOf(incoming), key]);
  return {
    ...incoming,
    once: {
      scope: `${scope}:${sender}`,
      key: createHash('sha256').update(named).digest('base64url'),
      ...(key.length <= LONGEST_LEGACY_KEY && { legacy: { scope, key } }),
    },
  };
}
