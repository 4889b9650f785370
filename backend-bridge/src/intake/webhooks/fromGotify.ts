/** Messages as they are sent to Gotify. */
import type { GotifyMessage } from '../../../contract/foreignBodies.ts';
import type { Priority } from '../../../contract/notification.ts';
import { isObject } from '../../../contract/text.ts';
import { missing, type Parts } from './dialect.ts';
import { type Reading, textOf } from './text.ts';

/** Lower bounds, as Gotify's Android app groups them (its README, "Message Priorities"); 10 is the highest that its documentation uses. */
const FROM: readonly [number, Priority][] = [
  [10, 'critical'],
  [8, 'high'],
  [4, 'medium'],
];

export function fromGotify(body: GotifyMessage): Reading<Parts> {
  const { message, title, extras } = body;
  if (textOf(message) === undefined) {
    return missing('/message', 'text with at least one visible character');
  }
  const notification = extras?.['client::notification'];
  const click = isObject(notification) && isObject(notification.click) ? notification.click.url : undefined;
  const given = gotifyPriority(body.priority);
  const priority = FROM.find(([from]) => given >= from)?.[1] ?? 'low';
  return {
    ok: true,
    value: {
      title,
      body: message,
      priority,
      links: [['Open', typeof click === 'string' ? click : undefined]],
      extra: { priority: given, ...(extras && { extras }) },
    },
  };
}

/** @returns 0 if the text is not a number */
export const gotifyPriority = (given: GotifyMessage['priority']): number =>
  Number.isInteger(Number(given)) ? Number(given) : 0;
