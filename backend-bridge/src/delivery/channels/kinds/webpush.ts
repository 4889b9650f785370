/**
 * Channel `webpush`: encrypted messages to browsers (RFC 8030, 8291, 8292). Each device is a channel of its own in the outbox, for which
 * {@link createDevice} sends; push/ has the devices.
 */
import { createECDH, randomBytes } from 'node:crypto';
import ece from 'http_ece';
import { LIMITS } from '../../../../contract/limits.ts';
import type { Priority } from '../../../../contract/notification.ts';
import type { PushPayload } from '../../../../contract/push.ts';
import { readAddressRules } from '../../../platform/http/addresses.ts';
import { createOutbound } from '../../../platform/http/outbound.ts';
import { vapidHeader } from './vapid.ts';
import type { PushDeviceRow, PushKeyRow } from '../../../platform/storage/schema.ts';
import type { Channel, Message, Network, Outcome } from './channel.ts';
import { cutToFit } from './chat.ts';
import { cut, linesOf, titleOf } from './text.ts';
import { outcomeOf, outcomeOfStatus } from './http.ts';

/** Salt 16, record size 4, length of the key 1, key 65, padding delimiter 1, tag 16 (RFC 8188). */
const OVERHEAD = 103;
const MAX_PAYLOAD = LIMITS.pushBytes.value - OVERHEAD;
const MAX_TITLE = 200;

const HOUR_S = 3600;
type Urgency = 'low' | 'normal' | 'high';
/**
 * Time for which the push service keeps a message for a device that is off, and whether it may wait for a better moment (RFC 8030, 5.2 and
 * 5.3).
 */
const DELIVERY: Record<Priority, { ttl: number; urgency: Urgency }> = {
  low: { ttl: 4 * HOUR_S, urgency: 'low' },
  medium: { ttl: 12 * HOUR_S, urgency: 'normal' },
  high: { ttl: 24 * HOUR_S, urgency: 'high' },
  critical: { ttl: 72 * HOUR_S, urgency: 'high' },
};
/** Kept as long as the longest message that it replaces: otherwise that would stay on a device. */
const REPLACING = { ttl: DELIVERY.critical.ttl, urgency: 'normal' } as const;
const CLOSING = { ttl: 12 * HOUR_S, urgency: 'low' } as const;

/** Subscription and keys for sending to a device. */
export interface DeviceTarget {
  device: Pick<PushDeviceRow, 'endpoint' | 'p256dh' | 'auth' | 'person'>;
  keys: Pick<PushKeyRow, 'public_key' | 'private_key'>;
  subject: string;
}

/** The channel to one device. */
export interface DeviceChannel extends Channel {
  /** Removes notifications on the device. */
  close(tags: readonly string[], signal: AbortSignal): Promise<Outcome>;
}

export interface DeviceDeps {
  network: Network;
  /** Undefined: the device or the channel has been removed. */
  target: () => Promise<DeviceTarget | undefined>;
  /** The subscription has expired, or was ended in the browser. */
  onGone: () => Promise<void>;
}

/** A channel to all devices has no message of its own. */
export const createWebPush = (): Channel => ({
  send: () =>
    Promise.resolve({ kind: 'refused', reason: 'Web push is tested by each person on their own device: My devices.' }),
});

/** Names the notification of a thread on a device, so that the next one replaces it. At most 32 of base64url, as a topic (RFC 8030, 5.4). */
export const tagOf = (threadId: number): string => `t${threadId}`;

/** Encrypts (RFC 8291) and posts to the push service (RFC 8030), with VAPID (RFC 8292). 404 and 410 remove the device. */
export function createDevice({ network, target, onGone }: DeviceDeps): DeviceChannel {
  const outbound = createOutbound({
    allow: readAddressRules(network.allow),
    timeoutMs: LIMITS.channelTime.value,
    maxBytes: LIMITS.channelResponseBytes.value,
    ...(network.lookup && { lookup: network.lookup }),
  });

  async function post(
    payload: (found: DeviceTarget) => Buffer,
    { ttl, urgency, topic }: { ttl: number; urgency: Urgency; topic?: string | undefined },
    signal: AbortSignal
  ): Promise<Outcome> {
    const found = await target();
    if (found === undefined) {
      return { kind: 'refused', reason: 'The device has been removed.' };
    }
    const { device, keys, subject } = found;
    const { endpoint } = device;
    const headers = {
      authorization: await vapidHeader(keys, { endpoint, subject, now: network.now() }),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(ttl),
      urgency,
      ...(topic !== undefined && { topic }),
    };
    const body = encrypted(payload(found), device);
    const request = outbound.fetchGuarded(endpoint, 'push service', { method: 'POST', headers, body, signal });
    let isGone = false;
    const outcome = await outcomeOf(request, network, (answer) => {
      isGone = answer.status === 404 || answer.status === 410;
      return outcomeOfStatus(answer, network.now());
    });
    if (isGone) {
      await onGone();
      return { kind: 'refused', reason: 'The subscription has expired: the device has been removed.' };
    }
    return outcome;
  }

  return {
    async send(message, { signal }) {
      const tag = message.threadId === undefined ? message.key : tagOf(message.threadId);
      const topic = message.threadId === undefined ? undefined : tag;
      const delivery = message.ref === undefined ? DELIVERY[message.priority] : REPLACING;
      const outcome = await post(
        ({ device }) => payloadOf(message, tag, device.person),
        { ...delivery, topic },
        signal
      );
      return outcome.kind === 'delivered' ? { ...outcome, ref: tag } : outcome;
    },
    close: (tags, signal) =>
      post(
        () => Buffer.from(JSON.stringify({ close: tags.slice(0, LIMITS.pushClosed.value) } satisfies PushPayload)),
        // With the same topic, what the push service still holds is replaced, and never shown.
        { ...CLOSING, topic: tags.length === 1 ? tags[0] : undefined },
        signal
      ),
  };
}

/** Organisation in Grafana of a person; undefined for devices of another UI, which does not understand the service worker's `close`. */
export function orgOf(person: string): number | undefined {
  const org = /^org:(\d+)\//.exec(person)?.[1];
  return org === undefined ? undefined : Number(org);
}

/** The message as JSON, its text cut so that it fits. */
export function payloadOf(message: Message, tag: string, person: string): Buffer {
  const { id, priority, status, ref, timestamp } = message;
  const org = orgOf(person);
  const isResolved = status === 'resolved';
  const payload = {
    tag,
    title: cut(titleOf(message), MAX_TITLE),
    ts: Date.parse(timestamp),
    ...(id > 0 && { id }),
    ...(id > 0 && !isResolved && { fires: true as const }),
    ...(org === undefined ? { correlationId: tag } : { org }),
    // A message that changes another is silent.
    renotify: ref === undefined && message.threadId !== undefined,
    silent: ref !== undefined || (priority === 'low' && message.threadId !== undefined),
    stays: priority === 'critical' && !isResolved,
  };
  const text = linesOf(message).join('\n').toWellFormed();
  const written = (body: string): Buffer => Buffer.from(JSON.stringify({ ...payload, body } satisfies PushPayload));
  return written(cutToFit(text, (shorter) => written(shorter).length <= MAX_PAYLOAD));
}

/** RFC 8291. */
function encrypted(payload: Buffer, { p256dh, auth }: Pick<PushDeviceRow, 'p256dh' | 'auth'>): Buffer {
  const privateKey = createECDH('prime256v1');
  privateKey.generateKeys();
  const salt = randomBytes(16).toString('base64url');
  return ece.encrypt(payload, { version: 'aes128gcm', dh: p256dh, authSecret: auth, privateKey, salt });
}
