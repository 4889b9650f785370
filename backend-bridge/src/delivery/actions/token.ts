/**
 * Tokens of messages: signed, bound to a notification, an action and a channel with its epoch, and short enough for Telegram's `callback_data` (64 bytes).
 * 42 bytes: version and action, notification (6), expiry in minutes (4), channel (6), epoch (6), random (3), and the start of an
 * HMAC-SHA256 (16).
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type MessageActionKind, MESSAGE_ACTIONS } from '../../../contract/messageAction.ts';
import { MINUTE_MS } from '../../../contract/time.ts';
import type { Vault } from '../../platform/access/vault.ts';
import { type StoredChannel, TOKEN_MAC_BYTES } from '../channels/kinds/channel.ts';

const VERSION = 2;
const BODY_BYTES = 26;
/** So that no two messages have the same token. */
const RANDOM_BYTES = 3;
const PURPOSE = 'message actions';

export interface ActionToken {
  action: MessageActionKind;
  /** Id of the notification. */
  notification: number;
  /** See {@link channelTag}. */
  channel: string;
  /** The epoch of the channel; see epochs.ts. */
  epoch: number;
  /** UTC milliseconds. */
  expires: number;
}

/** Another destination under the name of a channel makes its tokens invalid. */
export const channelTag = ({
  name,
  type,
  target,
  place = '',
}: Pick<StoredChannel, 'name' | 'type' | 'target' | 'place'>): string =>
  createHash('sha256')
    .update(JSON.stringify([name, type, target, place]))
    .digest()
    .toString('hex', 0, 6);

export function signToken(vault: Vault, { action, notification, channel, epoch, expires }: ActionToken): string {
  const body = Buffer.alloc(BODY_BYTES);
  body.writeUInt8((VERSION << 4) | MESSAGE_ACTIONS.indexOf(action), 0);
  body.writeUIntBE(notification, 1, 6);
  body.writeUInt32BE(Math.floor(expires / MINUTE_MS), 7);
  body.write(channel, 11, 'hex');
  body.writeUIntBE(epoch, 17, 6);
  randomBytes(RANDOM_BYTES).copy(body, BODY_BYTES - RANDOM_BYTES);
  return sealed(vault, body);
}

const sealed = (vault: Vault, body: Buffer): string => Buffer.concat([body, macOf(vault, body)]).toString('base64url');

/**
 * Signs a token again whose service proves by other means that the bridge has made it.
 * @param unsigned a token of any action without its signature
 */
export function signAgain(vault: Vault, unsigned: string, action: MessageActionKind): string {
  const body = Buffer.alloc(BODY_BYTES);
  Buffer.from(unsigned, 'base64url').copy(body);
  body.writeUInt8((VERSION << 4) | MESSAGE_ACTIONS.indexOf(action), 0);
  return sealed(vault, body);
}

/** @returns undefined: this bridge has not signed it */
export function readToken(vault: Vault, token: string): ActionToken | undefined {
  const bytes = Buffer.from(token, 'base64url');
  const body = bytes.subarray(0, BODY_BYTES);
  const mac = bytes.subarray(BODY_BYTES);
  if (
    mac.length !== TOKEN_MAC_BYTES ||
    bytes.toString('base64url') !== token ||
    !timingSafeEqual(mac, macOf(vault, body))
  ) {
    return undefined;
  }
  const first = body.readUInt8(0);
  const action = MESSAGE_ACTIONS[first & 0x0f];
  return first >> 4 !== VERSION || action === undefined
    ? undefined
    : {
        action,
        notification: body.readUIntBE(1, 6),
        expires: body.readUInt32BE(7) * MINUTE_MS,
        channel: body.toString('hex', 11, 17),
        epoch: body.readUIntBE(17, 6),
      };
}

const macOf = (vault: Vault, body: Buffer): Buffer => vault.sign(body, PURPOSE).subarray(0, TOKEN_MAC_BYTES);

/** A used token as it is stored: a copy of the database offers no unused part of it. */
export const storedToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
