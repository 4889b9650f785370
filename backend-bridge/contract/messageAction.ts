/** Actions that messages of channels offer. Semantics: docs/channels.md, "Act from a message". */
import { z } from 'zod';

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

export const actionBodySchema = z
  .strictObject({ token: z.string().min(1).max(200).describe('The token of a message. It can be used once.') })
  .meta({ id: 'MessageAction', description: 'An action of a message.' });

export const actionShownSchema = z
  .object({
    action: z.enum(MESSAGE_ACTIONS).describe('What it does.'),
    title: z.string().describe('Title of the notification.'),
    channel: z.string().describe('The channel in whose name it is done.'),
  })
  .meta({ id: 'MessageActionShown', description: 'What a token of a message does.' });
export type ActionShown = z.infer<typeof actionShownSchema>;

export const actionTakenSchema = z
  .object({ done: z.string().describe('What was done, as a sentence.') })
  .meta({ id: 'MessageActionTaken', description: 'The result of an action of a message.' });

/** Source: Mattermost documentation, "Interactive messages", "Parameters" of the request. */
export const mattermostPressSchema = z
  .looseObject({
    user_name: z.string().max(200).describe('Who pressed.'),
    context: z.looseObject({ token: actionBodySchema.shape.token }).describe('As the message gave it.'),
  })
  .meta({ id: 'MattermostPress', description: 'A press of a button, as Mattermost sends it.' });

export const twilioQuerySchema = z.object({
  message: z.string().max(64).describe('The token of the message without its signature.'),
});

export const mattermostAnswerSchema = z
  .object({ ephemeral_text: z.string().describe('What was done, or why not, as a sentence for who pressed.') })
  .meta({ id: 'MattermostAnswer', description: 'The response to Mattermost.' });
