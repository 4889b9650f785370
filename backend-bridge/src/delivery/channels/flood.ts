/** Shares the messages that a channel may still send between senders, and finds floods. Pure. */
import type { SenderWaiting } from './floodStore.ts';

/**
 * Senders are served by how much they want, the least first, until `perMinute` is used up: whoever sends little is not held up by whoever
 * sends much.
 * @param sent messages of the last minute, by sender
 * @returns senders of whom all that waits becomes part of one message
 */
export function flooding(
  waiting: readonly SenderWaiting[],
  sent: ReadonlyMap<string, number>,
  perMinute: number
): string[] {
  const wanted = waiting
    .map(({ sender, count }) => ({ sender, total: count + (sent.get(sender) ?? 0) }))
    .sort((a, b) => a.total - b.total);
  let sum = 0;
  return wanted.flatMap(({ sender, total }) => {
    sum += total;
    return sum > perMinute ? [sender] : [];
  });
}
