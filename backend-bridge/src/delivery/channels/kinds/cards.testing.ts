/** Services that take cards, as in chats.testing.ts. */
import { z } from 'zod';
import type { Reply } from '../receivers.testing.ts';
import { type Chat, CHATS, startChat } from './chats.testing.ts';

const richText = z.strictObject({
  type: z.literal('RichTextBlock'),
  spacing: z.literal('Small').optional(),
  inlines: z.array(
    z.strictObject({
      type: z.literal('TextRun'),
      text: z.string().min(1),
      weight: z.literal('Bolder').optional(),
      size: z.enum(['Small', 'Medium']).optional(),
      color: z.enum(['Accent', 'Good', 'Warning', 'Attention']).optional(),
      isSubtle: z.boolean().optional(),
    })
  ),
});
const card = z.strictObject({
  $schema: z.url(),
  type: z.literal('AdaptiveCard'),
  version: z.literal('1.2'),
  msteams: z.strictObject({ width: z.literal('Full') }),
  body: z.array(richText).min(1),
  actions: z
    .array(z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string().min(1), url: z.url() }))
    .max(6),
});
const teamsMessage = z.strictObject({
  type: z.literal('message'),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: z.null(),
      content: card,
    }),
  ]),
});

export const startTeams = (): Promise<Chat> =>
  startChat(({ path, text, json }) => {
    const failed = (status: number, code: string, message: string): Reply => ({
      status,
      body: { error: { code, message } },
    });
    if (path !== CHATS.teamsHook) {
      return failed(401, 'DirectApiAuthorizationRequired', 'The request must be authenticated.');
    }
    if (Buffer.byteLength(text) > 28 * 1024) {
      return failed(413, 'RequestEntityTooLarge', 'Request Entity too large.');
    }
    return teamsMessage.safeParse(json).success
      ? { status: 202 }
      : failed(400, 'InvalidRequestContent', 'Invalid card.');
  });

const paragraph = z.strictObject({ textParagraph: z.strictObject({ text: z.string().min(1) }) });
const openLink = z.strictObject({ openLink: z.strictObject({ url: z.url() }) });
const buttons = z.array(z.strictObject({ text: z.string().min(1), onClick: openLink })).min(1);
const widget = z.union([paragraph, z.strictObject({ buttonList: z.strictObject({ buttons }) })]);
const sections = z.array(z.strictObject({ widgets: z.array(widget).min(1).max(100) }));
const googleMessage = z.strictObject({
  fallbackText: z.string(),
  cardsV2: z.array(z.strictObject({ cardId: z.string(), card: z.strictObject({ sections }) })),
  thread: z.strictObject({ threadKey: z.string().min(1).max(4000) }),
});

/** `messages` are the threads. */
export const startGoogleChat = (): Promise<Chat> =>
  startChat(({ path, text, json }, messages) => {
    const failed = (code: number, status: string, message: string): Reply => ({
      status: code,
      body: { error: { code, message, status } },
    });
    const { pathname, searchParams } = new URL(path, 'http://google');
    const option = searchParams.get('messageReplyOption');
    searchParams.delete('messageReplyOption');
    if (`${pathname}?${searchParams.toString()}` !== CHATS.googleHook) {
      return failed(403, 'PERMISSION_DENIED', 'The caller does not have permission');
    }
    if (Buffer.byteLength(text) > 32_000 || !googleMessage.safeParse(json).success) {
      return failed(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.');
    }
    const { threadKey } = json.thread as { threadKey: string };
    const thread = option === 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD' ? threadKey : `new${messages.size}`;
    messages.set(thread, json);
    return {
      status: 200,
      body: { name: 'spaces/AAAA/messages/BBB.CCC', thread: { name: `spaces/AAAA/threads/${thread}` } },
    };
  });
