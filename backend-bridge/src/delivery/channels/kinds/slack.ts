/**
 * Channel `slack`: chat.postMessage and chat.update with a bot token, or an incoming webhook. Texts are `plain_text`, which has no markup.
 * Source: docs.slack.dev, "chat.postMessage", "chat.update", "Sending messages using incoming webhooks", "Block Kit" (header, section,
 * context, actions, text object), "Formatting message text" (escaping), "Rate limits".
 */
import { z } from 'zod';
import type { OutboundAnswer } from '../../../platform/http/outbound.ts';
import type { Channel, ChannelSettings, Message, Network, Outcome } from './channel.ts';
import {
  editedOrSent,
  escapedWithin,
  escapeTags,
  isOk,
  chatLinks,
  outcomeOfChat,
  partsOf,
  urlSecrets,
} from './chat.ts';
import { jsonOf, jsonSender, outcomeOf, retryAfterMs } from './http.ts';
import { listenToApp } from './slackSocket.ts';
import { maskedDetail } from './text.ts';

const WEB_API = 'https://slack.com/api';
/** Characters. */
const MAX = { header: 150, section: 3000, context: 600, button: 75, fallback: 1000 } as const;
/** They pass by themselves, or the token can be replaced. */
const PASSING = new Set([
  ...['ratelimited', 'rate_limited', 'message_limit_exceeded', 'internal_error', 'fatal_error', 'service_unavailable'],
  ...['request_timeout', 'team_added_to_org', 'invalid_auth', 'not_authed', 'account_inactive', 'token_expired'],
  'token_revoked',
]);

const responseSchema = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional(),
  /** The scope that the token lacks. */
  needed: z.string().optional(),
  channel: z.string().optional(),
  ts: z.string().optional(),
});

/** Slack: a reference is `channel:ts`, because chat.update takes the ID of a channel only. */
export function createSlack({ name, url, token, channel, appToken }: ChannelSettings, network: Network): Channel {
  const base = (url ?? WEB_API).replace(/\/$/, '');
  const sendJson = jsonSender(base, name, network);
  const headers = { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${token}` };
  const call = (method: string, parameters: object, signal: AbortSignal): Promise<Outcome> =>
    outcomeOf(
      sendJson(`${base}/${method}`, { ...parameters, parse: 'none', link_names: false }, { headers, signal }),
      network,
      (answer) => readAnswer(answer, token, network.now())
    );
  const presses = appToken !== undefined && {
    account: `${base} ${appToken}`,
    chat: channel ?? '',
    listen: listenToApp({ name, url: base, appToken }, network),
  };
  return {
    ...(presses && { presses }),
    send(message, { signal }) {
      const payload = payloadOf(message, presses ? message.buttons : []);
      if (token === undefined) {
        return outcomeOf(sendJson(base, payload, { signal }), network, (answer) =>
          readHook(answer, base, network.now())
        );
      }
      return editedOrSent(
        message,
        (ref) => {
          const [in_, ts] = ref.split(':');
          return call('chat.update', { channel: in_, ts, ...payload }, signal);
        },
        () => call('chat.postMessage', { channel, ...payload, unfurl_links: false, unfurl_media: false }, signal)
      );
    },
  };
}

/** Errors of a webhook are one word of plain text. */
function readHook(answer: OutboundAnswer, url: string, now: number): Outcome {
  const text = answer.body.toString('utf8').trim();
  const body =
    /^[a-z_]{1,60}$/.test(text) && text !== 'ok' ? Buffer.from(JSON.stringify({ error: text })) : answer.body;
  return outcomeOfChat({ ...answer, body }, { service: 'a Slack webhook', refOf: isOk, secrets: urlSecrets(url), now });
}

function readAnswer(answer: OutboundAnswer, token: string | undefined, now: number): Outcome {
  const { ok, error, needed, channel, ts } = responseSchema.safeParse(jsonOf(answer)).data ?? {};
  if (ok === false && error !== undefined && answer.status < 300) {
    const detail = maskedDetail(`${error}${needed === undefined ? '' : `, needed: ${needed}`}`, token);
    const reason = `The server responds with ${detail}.`;
    const afterMs = retryAfterMs(answer.headers['retry-after'], now);
    return PASSING.has(error)
      ? { kind: 'retry', reason, ...(afterMs !== undefined && { afterMs }) }
      : { kind: 'refused', reason };
  }
  const ref = ok === true && channel !== undefined && ts !== undefined ? `${channel}:${ts}` : undefined;
  return outcomeOfChat(answer, { service: "Slack's Web API", refOf: () => ref, secrets: [token], now });
}

const plain = (text: string, max: number): object => ({
  type: 'plain_text',
  text: escapedWithin(text, max, escapeTags),
  emoji: false,
});

/** `text` is for notifications and screen readers, where there are blocks. */
function payloadOf(message: Message, acting: Message['buttons'] = []): object {
  const { title, text, from } = partsOf(message);
  const buttonOf = (label: string) => ({ type: 'button', text: plain(label, MAX.button) });
  const buttons = [
    ...acting.map(({ action, label, token }) => ({ ...buttonOf(label), action_id: action, value: token })),
    ...chatLinks(message).map(({ label, url }) => ({ ...buttonOf(label), url })),
  ];
  return {
    text: escapedWithin(text === '' ? title : `${title}\n${text}`, MAX.fallback, escapeTags),
    mrkdwn: false,
    blocks: [
      { type: 'header', text: plain(title, MAX.header) },
      ...(text === '' ? [] : [{ type: 'section', text: plain(text, MAX.section) }]),
      ...(from === '' ? [] : [{ type: 'context', elements: [plain(from, MAX.context)] }]),
      ...(buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }]),
    ],
  };
}
