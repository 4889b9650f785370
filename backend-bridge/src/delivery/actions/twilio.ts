/**
 * Keys that are pressed in calls by Twilio. It signs its requests with the auth token of the account, so their URL has the token of the
 * message without its signature, which is no secret.
 * Source: Twilio documentation, "Webhooks security" (Validate that webhook requests are coming from Twilio), "TwiML <Gather>".
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { MESSAGE_ACTIONS, type MessageActionKind } from '../../../contract/messageAction.ts';
import { rawBody } from '../../platform/http/body.ts';
import type { ChannelSettings } from '../channels/kinds/channel.ts';
import { escaped } from '../channels/kinds/text.ts';

const FORM = 'application/x-www-form-urlencoded';
const MAX_BODY = 16_384;

/** A key that Twilio reports. */
export interface KeyPress {
  /** A token without its signature. */
  unsigned: string;
  /** Undefined: no action has this key. */
  action: MessageActionKind | undefined;
  /** Whether Twilio has sent it for this channel. @param url address of the bridge, without a slash at the end */
  isOf: (channel: Pick<ChannelSettings, 'accountSid' | 'toNumber' | 'token'>, url: string) => boolean;
}

/** @param press acts @returns a sentence for who has pressed */
export const takeKeys = (press: (key: KeyPress) => Promise<string>): RequestHandler[] => [
  ...rawBody({ limit: MAX_BODY, otherTypes: [FORM] }),
  async (req, res) => {
    const said = await press(readKey(req));
    res.type('text/xml').send(`<Response><Say>${escaped(said)}</Say></Response>`);
  },
];

function readKey(req: Request): KeyPress {
  const fields = new URLSearchParams((req.body as Buffer).toString());
  return {
    unsigned: new URL(req.originalUrl, 'http://bridge').searchParams.get('message') ?? '',
    action: MESSAGE_ACTIONS[Number(fields.get('Digits')) - 1],
    isOf: ({ accountSid, toNumber, token = '' }, url) =>
      fields.get('AccountSid') === accountSid &&
      fields.get('To') === toNumber &&
      isSigned(req.get('x-twilio-signature'), token, url + req.originalUrl, fields),
  };
}

/** @param url address that Twilio has called, with its query */
export function isSigned(signature = '', token: string, url: string, fields: URLSearchParams): boolean {
  const given = Buffer.from(signature, 'base64');
  const ends = [...fields].sort(([a], [b]) => (a < b ? -1 : 1)).flat();
  return withAndWithoutPort(url).some((address) => {
    const expected = createHmac('sha1', token)
      .update([address, ...ends].join(''))
      .digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Twilio's own libraries accept both, since its services differ in it. */
function withAndWithoutPort(address: string): string[] {
  const [, origin = '', port, rest = ''] = /^(https?:\/\/[^/:]+)(:\d+)?(.*)$/.exec(address) ?? [];
  const standard = origin.startsWith('https:') ? ':443' : ':80';
  return [origin + rest, `${origin}${port ?? standard}${rest}`];
}
