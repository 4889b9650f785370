/** Actions that messages of channels offer. Semantics: docs/channels.md, "Act from a message". */
import { z } from 'zod';
import { component, looseComponent, oneOf, strictComponent, string } from './schema.ts';

/** In the order of the buttons. */
export const MESSAGE_ACTIONS = ['acknowledge', 'snooze', 'resolve'] as const;
export type MessageActionKind = (typeof MESSAGE_ACTIONS)[number];

/** Texts of buttons and links; messages are in English. */
export const ACTION_LABELS: Readonly<Record<MessageActionKind, string>> = {
  acknowledge: 'Acknowledge',
  snooze: 'Snooze 1 h',
  resolve: 'Resolve',
};

/** Path of the page that asks before it acts; the token is its fragment, so that no server logs it. */
export const ACTION_PAGE = '/act';

/** `actions` of a channel. */
export const messageActionsSchema = z
  .array(z.enum(MESSAGE_ACTIONS))
  .min(1)
  .transform((some) => MESSAGE_ACTIONS.filter((one) => some.includes(one)));

export const actionBodySchema = strictComponent('MessageAction', 'An action of a message.', {
  token: string('The token of a message. It can be used once.').min(1).max(200),
});

export const actionShownSchema = component('MessageActionShown', 'What a token of a message does.', {
  action: oneOf('What it does.', MESSAGE_ACTIONS),
  title: string('Title of the notification.'),
  channel: string('The channel in whose name it is done.'),
});
export type ActionShown = z.infer<typeof actionShownSchema>;

export const actionTakenSchema = component('MessageActionTaken', 'The result of an action of a message.', {
  done: string('What was done, as a sentence.'),
});

/** Source: Mattermost documentation, "Interactive messages", "Parameters" of the request. */
export const mattermostPressSchema = looseComponent('MattermostPress', 'A press of a button, as Mattermost sends it.', {
  user_name: string('Who pressed.').max(200),
  context: z.looseObject({ token: actionBodySchema.shape.token }).describe('As the message gave it.'),
});

export const twilioQuerySchema = z.object({
  message: string('The token of the message without its signature.').max(64),
});

export const mattermostAnswerSchema = component('MattermostAnswer', 'The response to Mattermost.', {
  ephemeral_text: string('What was done, or why not, as a sentence for who pressed.'),
});
