/** Reactions that stand for buttons. Source: Matrix client-server API, "Event annotations and reactions". */
import type { MessageActionKind } from '../../../../contract/messageAction.ts';
import type { Message } from './channel.ts';

/** None resembles another. */
export const REACTIONS: Readonly<Record<MessageActionKind, string>> = {
  acknowledge: '✅',
  snooze: '💤',
  resolve: '🏁',
};
/** Member of a message: its tokens by action. */
export const TOKENS = 'nodebell.actions';

/** Members of a message with buttons, and what its reactions do. */
export function reactionsOf({ buttons = [] }: Message): { tokens: object; keys: string[]; legend: string } {
  const tokens = Object.fromEntries(buttons.map(({ action, token }) => [action, token]));
  const legend = buttons.map(({ action, label }) => `${REACTIONS[action]} ${label}`).join(' · ');
  return {
    tokens: legend === '' ? {} : { [TOKENS]: tokens },
    keys: buttons.map(({ action }) => REACTIONS[action]),
    legend,
  };
}

export const reactionTo = (event: string, key: string): object => ({
  'm.relates_to': { rel_type: 'm.annotation', event_id: event, key },
});
