/** Shares the messages that a channel may still send between senders, and finds floods. */
import { notificationsText } from './digest.ts';
import type { Flood, SenderWaiting } from './floodStore.ts';

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

/** Counts one message of the sender. @param left messages that each may still send @returns whether there was one left */
export function takeOne(left: Map<string, number>, sender: string): boolean {
  const of = left.get(sender) ?? 0;
  left.set(sender, of - 1);
  return of > 0;
}

/** Text of the message that stands for a flood. */
export function floodText({ count, titles, packages }: Flood): { title: string; body: string } {
  const intro = count === 1 ? 'It is in the inbox, of' : 'All of them are in the inbox. The most urgent, of';
  const list = titles.map((one) => `- ${one}`).join('\n');
  return { title: notificationsText(count), body: `${intro} ${packages.join(', ')}:\n${list}` };
}

/** Sent messages, to compare them with the limit per minute. */
export class RecentMessages {
  #all: { at: number; sender: string }[] = [];

  /** @param at milliseconds */
  add(sender: string, at: number): void {
    this.#all.push({ at, sender });
  }

  /** Forgets older ones. @param after milliseconds @returns counts by sender */
  since(after: number): Map<string, number> {
    this.#all = this.#all.filter(({ at }) => at > after);
    const counts = new Map<string, number>();
    this.#all.forEach(({ sender }) => counts.set(sender, (counts.get(sender) ?? 0) + 1));
    return counts;
  }
}
