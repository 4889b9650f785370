/** Devices: browsers that receive web push, each of one person. Semantics: docs/channels.md. */
import { z } from 'zod';
import { component, integer, list, nullable, object, string, time } from './schema.ts';
import { LIMITS } from './limits.ts';

/** Unpadded base64url of this many bytes. */
const base64url = (bytes: number, what: string) =>
  z
    .string()
    .regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}$`), { error: `${what}, ${bytes} bytes as base64url` });

/** http only for a push service on the same machine, as in tests; the outbound guard decides whether the bridge may connect. */
const ENDPOINT = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)[:/])/;

const deviceName = string('Its name.', { examples: ['Chrome on Android'] })
  .trim()
  .min(1)
  .max(LIMITS.pushDeviceName.value)
  .regex(/^[^\p{Cc}]+$/u, { error: 'a name without control characters' });

/** A `PushSubscription` of a browser, as its `toJSON()` returns it, and a name. */
export const deviceBodySchema = component('NewDevice', 'The subscription of a browser.', {
  endpoint: z
    .url()
    .max(LIMITS.pushEndpoint.value)
    .regex(ENDPOINT, { error: 'an https: address' })
    .refine((url) => !/^\w+:\/\/[^/?#]*@/.test(url), { error: 'an address without user name and password' })
    .describe('Address at the push service. Whoever knows it can use it: a secret, which no response contains.'),
  keys: object('With which messages are encrypted (RFC 8291).', {
    p256dh: base64url(65, 'the public key of the browser').describe('Public key of the browser.'),
    auth: base64url(16, 'the authentication secret of the browser').describe('Authentication secret.'),
  }),
  key: string('`publicKey` of GET /push/key with which the browser has subscribed; 409 if it was replaced since.').max(
    100
  ),
  name: deviceName,
});
export type NewDevice = z.output<typeof deviceBodySchema>;

export const deviceNameBodySchema = z.strictObject({ name: deviceName }).meta({ id: 'DeviceName' });

export const deviceSchema = component('Device', 'A device that receives web push.', {
  id: integer('Its id.').positive(),
  name: string('Its name.'),
  fingerprint: string('SHA-256 of its endpoint in base64url, by which a browser recognises itself.'),
  service: string('Host of its push service.'),
  createdAt: time('When it subscribed.'),
  lastDeliveredAt: nullable(
    'When its push service last accepted a notification; null: none yet, or long ago.',
    z.iso.datetime()
  ),
  lastFailure: nullable('Why a notification waits or was not delivered; null: none.', z.string()),
});
export type Device = z.infer<typeof deviceSchema>;

export const deviceListSchema = component('Devices', 'The devices of one person.', {
  devices: list('In the order in which they subscribed.', deviceSchema),
});
export type DeviceList = z.infer<typeof deviceListSchema>;

export const pushKeySchema = component('PushKey', 'The public key with which browsers subscribe.', {
  publicKey: nullable(
    '`applicationServerKey` for `PushManager.subscribe`; null: no channel of type webpush is configured.',
    z.string()
  ),
});
export type PushKey = z.infer<typeof pushKeySchema>;

/** Message to the service worker. JSON, decrypted by the browser. */
export type PushPayload =
  | {
      /** Names the notification on the device: a later one with the same tag replaces it. */
      tag: string;
      title: string;
      body: string;
      /** UTC milliseconds. */
      ts: number;
      /** Id of the notification; undefined: a test, or one that stands for many. */
      id?: number;
      /** Organisation in Grafana of the person. */
      org?: number;
      /** The tag, for the service worker of DAppNode's UI. */
      correlationId?: string;
      /** Whether it makes a sound although it replaces another. */
      renotify: boolean;
      silent: boolean;
      /** Whether it stays until somebody acts. */
      stays: boolean;
      /** An alert that fires: it can be acknowledged. */
      fires?: true;
    }
  /** Removes these: they have been read elsewhere. */
  | { close: string[] };
