/**
 * Presses of buttons that Discord posts, signed with the key of the application that owns the webhook.
 * Source: Discord developer documentation, "Receiving and Responding to Interactions", "Setting Up an Endpoint" (Validating Security Request
 * Headers), "Message Components".
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { jsonOf } from '../channels/kinds/http.ts';
import type { ChannelSettings } from '../channels/kinds/channel.ts';
import { rawBody } from '../../platform/http/body.ts';
import { HttpProblem } from '../../platform/http/problem.ts';

const MAX_BODY = 65_536;
const PING = 1;
const COMPONENT = 3;
const PONG = { type: 1 };
/** Only whoever pressed sees it. */
const EPHEMERAL = 64;
const personSchema = z.looseObject({ username: z.string(), global_name: z.string().nullish() });
const pressSchema = z.looseObject({
  data: z.looseObject({ custom_id: z.string().max(100) }),
  message: z.looseObject({ webhook_id: z.string() }),
  member: z.looseObject({ user: personSchema }).optional(),
  user: personSchema.optional(),
});

type Settings = Pick<ChannelSettings, 'url' | 'publicKey'>;

/** A press that Discord reports. */
export interface DiscordPress {
  token: string;
  who: string | undefined;
  /** Whether Discord has sent it for this channel. */
  isOf: (channel: Settings) => boolean;
}

/**
 * @param all settings of the channels of type discord
 * @param press acts @returns a sentence for who has pressed
 */
export const takeInteractions = (
  all: () => Settings[],
  press: (one: DiscordPress) => Promise<string>
): RequestHandler[] => [
  ...rawBody({ limit: MAX_BODY }),
  async (req, res) => {
    const body = req.body as Buffer;
    const signature = req.get('x-signature-ed25519');
    const signed = Buffer.concat([Buffer.from(req.get('x-signature-timestamp') ?? ''), body]);
    const isSigned = ({ publicKey }: Settings): boolean => isSignedBy(publicKey, signature, signed);
    // Discord tests that wrong signatures are rejected when the address is entered.
    if (!all().some(isSigned)) {
      throw new HttpProblem('unauthorized', 'The signature is not of the application of a channel.');
    }
    const interaction: unknown = jsonOf({ body });
    const { type } = z.looseObject({ type: z.number() }).safeParse(interaction).data ?? {};
    if (type === PING) {
      res.json(PONG);
      return;
    }
    const parsed = type === COMPONENT ? pressSchema.safeParse(interaction).data : undefined;
    const person = parsed?.member?.user ?? parsed?.user;
    const content = await press({
      token: parsed?.data.custom_id ?? '',
      who: person?.global_name ?? person?.username,
      isOf: (channel) =>
        isSigned(channel) && channel.url?.includes(`/webhooks/${parsed?.message.webhook_id}/`) === true,
    });
    res.json({ type: 4, data: { content, flags: EPHEMERAL, allowed_mentions: { parse: [] } } });
  },
];

function isSignedBy(publicKey: string | undefined, signature = '', signed: Buffer): boolean {
  return publicKey !== undefined && verify(null, signed, keyOf(publicKey), Buffer.from(signature, 'hex'));
}

/** @param hex 32 bytes (RFC 8032) */
const keyOf = (hex: string): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(hex, 'hex').toString('base64url') },
    format: 'jwk',
  });
