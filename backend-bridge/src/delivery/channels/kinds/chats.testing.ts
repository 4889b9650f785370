/**
 * Chat services on this machine, held to what they document: members, lengths, credentials, content types, and their errors. Sources: the
 * pages that each file of a type names.
 */
import { z } from 'zod';
import { type Received, type Receiver, type Reply, startReceiver } from '../receivers.testing.ts';

/** A service with its messages by id. */
export type Chat = Receiver & { messages: Map<string, object> };

const HOOK = '/hooks/theSecretOfTheWebhook1';
/** Addresses of webhooks and credentials. */
export const CHATS = {
  slackHook: '/services/T00000000/B00000000/theSecretOfTheWebhook1',
  discordHook: '/api/webhooks/1040000000000000001/theSecretOfTheWebhook1',
  teamsHook:
    '/workflows/abc/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sig=theSecretOfTheWebhook1',
  googleHook: '/v1/spaces/AAAA/messages?key=theKeyOfTheWebhook123&token=theSecretOfTheWebhook1',
  hook: HOOK,
  token: 'the-token-of-the-bot',
  appToken: 'xapp-1-A1-2-theTokenOfTheApp',
  userId: 'aobEdbYhXfu5hkeqG',
  channel: 'C0123456789',
} as const;

const isJson = ({ headers }: Received): boolean => /^application\/json/.test(headers['content-type'] ?? '');

/** @param respond to requests with JSON */
export function startChat(respond: (request: Received, messages: Map<string, object>) => Reply): Promise<Chat> {
  const messages = new Map<string, object>();
  const checked = (request: Received): Reply =>
    isJson(request) ? respond(request, messages) : { status: 400, body: { error: 'invalid_content_type' } };
  return startReceiver(checked).then((receiver) => Object.assign(receiver, { messages }));
}

/** `&`, `<` and `>` are control characters of Slack. */
const slackText = (max: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z
      .string()
      .min(1)
      .max(max)
      .regex(/^(?:[^&<>]|&(?:amp|lt|gt);)*$/),
    emoji: z.boolean(),
  });
const slackLink = z.strictObject({ type: z.literal('button'), text: slackText(75), url: z.url().max(3000) });
const slackPress = z.strictObject({
  type: z.literal('button'),
  text: slackText(75),
  action_id: z.string().min(1).max(255),
  value: z.string().max(2000),
});
const slackButton = z.union([slackLink, slackPress]);
const slackMessage = z.strictObject({
  channel: z.string().optional(),
  ts: z.string().optional(),
  text: z.string().regex(/^(?:[^&<>]|&(?:amp|lt|gt);)*$/),
  mrkdwn: z.boolean(),
  parse: z.literal('none').optional(),
  link_names: z.literal(false).optional(),
  unfurl_links: z.boolean().optional(),
  unfurl_media: z.boolean().optional(),
  blocks: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('header'), text: slackText(150) }),
        z.strictObject({ type: z.literal('section'), text: slackText(3000) }),
        z.strictObject({ type: z.literal('context'), elements: z.array(slackText(3000)).min(1).max(10) }),
        z.strictObject({ type: z.literal('actions'), elements: z.array(slackButton).min(1).max(25) }),
      ])
    )
    .max(50),
});

/** @param open returns the address of a WebSocket, for an app-level token */
export const startSlack = (open?: () => string): Promise<Chat> =>
  startChat(({ path, headers, json }, messages) => {
    if (path === '/api/apps.connections.open') {
      const isKnown = headers.authorization === `Bearer ${CHATS.appToken}`;
      return { status: 200, body: isKnown ? { ok: true, url: open!() } : { ok: false, error: 'invalid_auth' } };
    }
    if (path.startsWith('/actions/')) {
      return { status: 200, body: 'ok' };
    }
    const isValid = slackMessage.safeParse(json).success;
    if (path.startsWith('/services/')) {
      const bad = path === CHATS.slackHook ? undefined : { status: 404, body: 'no_service' };
      return bad ?? (isValid ? { status: 200, body: 'ok' } : { status: 400, body: 'invalid_blocks' });
    }
    const { channel, ts = `1700000000.00000${messages.size}` } = json as { channel: string; ts?: string };
    const failed = (error: string): Reply => ({ status: 200, body: { ok: false, error } });
    if (headers.authorization !== `Bearer ${CHATS.token}`) {
      return failed('invalid_auth');
    }
    if (channel !== CHATS.channel) {
      return failed('channel_not_found');
    }
    if (!isValid) {
      return failed('invalid_blocks');
    }
    if (path === '/api/chat.update' && !messages.has(ts)) {
      return failed('message_not_found');
    }
    messages.set(ts, json);
    return { status: 200, body: { ok: true, channel, ts } };
  });

const characters = (max: number) => z.string().refine((text) => [...text].length <= max);
const embed = z
  .strictObject({
    title: characters(256),
    description: characters(4096),
    color: z.int().min(0).max(0xffffff),
    footer: z.strictObject({ text: characters(2048) }).optional(),
  })
  .refine((one) => one.title.length + one.description.length + (one.footer?.text.length ?? 0) <= 6000);
/** Buttons, which only the webhook of an application may send. */
const discordRow = z.strictObject({
  type: z.literal(1),
  components: z
    .array(
      z.strictObject({
        type: z.literal(2),
        style: z.number().min(1).max(4),
        label: characters(80),
        custom_id: characters(100),
      })
    )
    .min(1)
    .max(5),
});
const discordMessage = z.strictObject({
  components: z.array(discordRow).max(5).optional(),
  embeds: z.array(embed).min(1).max(10),
  allowed_mentions: z.strictObject({ parse: z.array(z.enum(['roles', 'users', 'everyone'])).max(0) }),
});

export const startDiscord = (): Promise<Chat> =>
  startChat(({ method, path, json }, messages) => {
    const { pathname, searchParams } = new URL(path, 'http://discord');
    const [, hook, id] = /^(\/api\/webhooks\/\d+\/\w+)(?:\/messages\/(\w+))?$/.exec(pathname) ?? [];
    if (hook !== CHATS.discordHook) {
      return { status: 404, body: { message: 'Unknown Webhook', code: 10_015 } };
    }
    if (!discordMessage.safeParse(json).success) {
      return { status: 400, body: { message: 'Invalid Form Body', code: 50_035, errors: {} } };
    }
    if (method === 'PATCH' && (id === undefined || !messages.has(id))) {
      return { status: 404, body: { message: 'Unknown Message', code: 10_008 } };
    }
    const key = id ?? String(1_100_000_000_000_000_000n + BigInt(messages.size));
    messages.set(key, json);
    return searchParams.get('wait') === 'true' || id ? { status: 200, body: { id: key } } : { status: 204 };
  });

const mattermostError = (status: number, id: string, message: string): Reply => ({
  status,
  body: { id, message, detailed_error: '', request_id: 'r', status_code: status },
});

/** IDs are alphanumeric. */
const mattermostAttachment = z.strictObject({
  fallback: z.string(),
  actions: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-zA-Z0-9]+$/),
        type: z.literal('button'),
        name: z.string().min(1),
        integration: z.strictObject({
          url: z.url({ protocol: /^https?$/ }),
          context: z.record(z.string(), z.unknown()),
        }),
      })
    )
    .min(1),
});

export const startMattermost = (): Promise<Chat> =>
  startChat(({ method, path, headers, json }, messages) => {
    if (path === HOOK) {
      const isValid = z
        .strictObject({ text: characters(16_383), attachments: z.array(mattermostAttachment).optional() })
        .safeParse(json).success;
      return isValid
        ? { status: 200, body: 'ok' }
        : mattermostError(400, 'web.incoming_webhook.text.app_error', 'No text');
    }
    if (headers.authorization !== `Bearer ${CHATS.token}`) {
      return mattermostError(
        401,
        'api.context.session_expired.app_error',
        'Invalid or expired session, please login again.'
      );
    }
    const [, patched] = /^\/api\/v4\/posts\/(\w+)\/patch$/.exec(path) ?? [];
    const isPatch = method === 'PUT' && patched !== undefined;
    const content = {
      message: characters(16_383),
      props: z.strictObject({ attachments: z.array(mattermostAttachment) }),
    };
    const schema = isPatch
      ? z.strictObject(content)
      : z.strictObject({ channel_id: z.literal(CHATS.channel), ...content });
    if (!schema.safeParse(json).success) {
      return mattermostError(
        400,
        'api.context.invalid_body_param.app_error',
        'Invalid or missing post in request body.'
      );
    }
    // Also where there is no such post.
    if (isPatch && !messages.has(patched)) {
      return mattermostError(403, 'api.context.permissions.app_error', 'You do not have the appropriate permissions.');
    }
    const id = patched ?? `post${messages.size}`;
    messages.set(id, json);
    return { status: isPatch ? 200 : 201, body: { id } };
  });

export const startRocketChat = (): Promise<Chat> =>
  startChat(({ path, headers, json }, messages) => {
    const text = z.string().max(5000);
    const failed = (error: string, status = 400): Reply => ({ status, body: { success: false, error } });
    const isValid = (schema: z.ZodType): boolean => schema.safeParse(json).success;
    if (path === HOOK) {
      return isValid(z.strictObject({ text })) ? { status: 200, body: { success: true } } : failed('invalid-params');
    }
    if (headers['x-auth-token'] !== CHATS.token || headers['x-user-id'] !== CHATS.userId) {
      return { status: 401, body: { status: 'error', message: 'You must be logged in to do this.' } };
    }
    if (path === '/api/v1/chat.update') {
      const { msgId } = json as { msgId: string };
      if (!isValid(z.strictObject({ roomId: z.string(), msgId: z.string(), text }))) {
        return failed('invalid-params');
      }
      return messages.has(msgId) ? stored(msgId) : failed(`No message found with the id of "${msgId}".`);
    }
    if (
      !isValid(z.union([z.strictObject({ channel: z.string(), text }), z.strictObject({ roomId: z.string(), text })]))
    ) {
      return failed('error-message-size-exceeded');
    }
    return (json.channel ?? json.roomId) === '#ops' ? stored(`m${messages.size}`) : failed('invalid-channel');
    function stored(id: string): Reply {
      messages.set(id, json);
      return { status: 200, body: { success: true, ts: 1, message: { _id: id, rid: 'room1' } } };
    }
  });
