/**
 * Channel `twilio`: a text message, or a call that reads the title twice and takes a key (`delivery/actions/twilio.ts`). Neither can be changed.
 * Source: Twilio API reference, "Messages resource", "Calls resource" (Twiml), "TwiML <Say>", "TwiML <Gather>", "Error and Warning Dictionary".
 */
import { z } from 'zod';
import { MESSAGE_ACTIONS, type MessageActionKind } from '../../../../contract/messageAction.ts';
import type { OutboundAnswer } from '../../../platform/http/outbound.ts';
import {
  type Channel,
  type ChannelSettings,
  type Message,
  type Network,
  type Outcome,
  TOKEN_MAC_BYTES,
} from './channel.ts';
import { cutToFit } from './chat.ts';
import { formSender, jsonOf, outcomeOf, outcomeOfStatus, withoutSlash } from './http.ts';
import { cut, escaped, isUrgent, linesOf, linksOf, maskedDetail, titleOf, withLinks } from './text.ts';

/** A longer message is rejected (21617); it is sent and paid in parts of at most 153 characters. */
const MAX_MESSAGE = 1600;
const MAX_TEXT = 320;
/** Characters of `Twiml` (32018). */
const MAX_TWIML = 4000;
const MAX_SAID = 300;
const SAID: Readonly<Record<MessageActionKind, string>> = {
  acknowledge: 'acknowledge',
  snooze: 'snooze for an hour',
  resolve: 'resolve',
};
/** Errors that pass by themselves, whatever their status: concurrent calls, rate limits, a full queue, the daily limit. */
const PASSING = new Set<unknown>([10_004, 14_107, 20_429, 21_611, 63_038]);

const responseSchema = z.looseObject({ code: z.number().optional(), message: z.string().optional() });

/** Messages.json and Calls.json of an account. Errors are read from `code` and `message`. */
export function createTwilio(settings: ChannelSettings, network: Network): Channel {
  const { name, url = '', accountSid = '', keySid = accountSid, token = '' } = settings;
  const { fromNumber = '', toNumber = '', callPriority = 'never' } = settings;
  const sendForm = formSender(url, name, network);
  const headers = { authorization: `Basic ${Buffer.from(`${keySid}:${token}`).toString('base64')}` };
  return {
    send(message, { signal }) {
      const isCall = callPriority !== 'never' && isUrgent(message, callPriority);
      const [resource, fields] = isCall
        ? ['Calls', { From: fromNumber, Twiml: twimlOf(message, settings.keySid === undefined) }]
        : ['Messages', { ...senderOf(fromNumber), Body: textOf(message) }];
      const target = `${withoutSlash(url)}/2010-04-01/Accounts/${accountSid}/${resource}.json`;
      const request = sendForm(target, { To: toNumber, ...fields }, { headers, signal });
      return outcomeOf(request, network, (answer) => readAnswer(answer, token, network.now()));
    },
  };
}

const senderOf = (from: string): Record<string, string> =>
  /^MG[0-9a-fA-F]{32}$/.test(from) ? { MessagingServiceSid: from } : { From: from };

function readAnswer(answer: OutboundAnswer, token: string, now: number): Outcome {
  const { code, message = '' } = responseSchema.safeParse(jsonOf(answer)).data ?? {};
  const detail = maskedDetail(code === undefined ? message : `${code} ${message}`, token);
  const outcome = outcomeOfStatus(answer, now, detail);
  return outcome.kind === 'refused' && PASSING.has(code) ? { ...outcome, kind: 'retry' } : outcome;
}

function textOf(message: Message): string {
  const text = cut([titleOf(message), ...linesOf(message)].join('\n'), MAX_TEXT);
  return withLinks(text, linksOf(message), MAX_MESSAGE);
}

/**
 * No control characters and no other code points that XML 1.0 does not have.
 * @param isSigned Twilio's requests, which it signs with the auth token of the account, whatever the API key
 */
function twimlOf(message: Message, isSigned: boolean): string {
  const title = titleOf(message)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ');
  const keys = isSigned ? keysOf(message) : undefined;
  const compose = (said: string): string => {
    const say = `<Say>${escaped(said)}${keys?.said ?? ''}</Say>`;
    const twice = `${say}<Pause length="1"/>${say}`;
    return `<Response>${keys ? `<Gather numDigits="1" timeout="10" action="${escaped(keys.url)}">${twice}</Gather>` : twice}</Response>`;
  };
  return compose(cutToFit(cut(title, MAX_SAID), (shorter) => compose(shorter).length <= MAX_TWIML));
}

/** Keys, in the order of the actions, and where Twilio posts them. The signature of the token stays here: URLs are logged. */
function keysOf({ actions = [], buttons = [] }: Message): { said: string; url: string } | undefined {
  const endpoint = actions.find((one) => one.endpoint !== undefined)?.endpoint;
  const [first] = buttons;
  if (endpoint === undefined || first === undefined) {
    return undefined;
  }
  const unsigned = Buffer.from(first.token, 'base64url').subarray(0, -TOKEN_MAC_BYTES).toString('base64url');
  const keys = buttons.map(({ action }) => `${MESSAGE_ACTIONS.indexOf(action) + 1} to ${SAID[action]}`);
  return { said: `. Press ${keys.join(', ')}.`, url: `${endpoint}/twilio?message=${unsigned}` };
}
