/** Devices: browsers that receive web push, each of one person. Semantics: docs/channels.md. */
import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** Unpadded base64url of this many bytes. */
const base64url = (bytes: number, what: string) =>
  z
    .string()
    .regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}$`), { error: `${what}, ${bytes} bytes as base64url` });

/** http only for a push service on the same machine, as in tests; the outbound guard decides whether the bridge may connect. */
const ENDPOINT = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)[:/])/;

const deviceName = z
  .string()
  .trim()
  .min(1)
  .max(LIMITS.pushDeviceName.value)
  .regex(/^[^\p{Cc}]+$/u, { error: 'a name without control characters' })
  .describe('Its name.')
  .meta({ examples: ['Chrome on Android'] });

/** A `PushSubscription` of a browser, as its `toJSON()` returns it, and a name. */
export const deviceBodySchema = z
  .object({
    endpoint: z
      .url()
      .max(LIMITS.pushEndpoint.value)
      .regex(ENDPOINT, { error: 'an https: address' })
      .refine((url) => !/^\w+:\/\/[^/?#]*@/.test(url), { error: 'an address without user name and password' })
      .describe('Address at the push service. Whoever knows it can use it: a secret, which no response contains.'),
    keys: z
      .object({
        p256dh: base64url(65, 'the public key of the browser').describe('Public key of the browser.'),
        auth: base64url(16, 'the authentication secret of the browser').describe('Authentication secret.'),
      })
      .describe('With which messages are encrypted (RFC 8291).'),
    key: z
      .string()
      .max(100)
      .describe('`publicKey` of GET /push/key with which the browser has subscribed; 409 if it was replaced since.'),
    name: deviceName,
  })
  .meta({ id: 'NewDevice', description: 'The subscription of a browser.' });
export type NewDevice = z.output<typeof deviceBodySchema>;

export const deviceNameBodySchema = z.strictObject({ name: deviceName }).meta({ id: 'DeviceName' });

export const deviceSchema = z
  .object({
    id: z.int().positive().describe('Its id.'),
    name: z.string().describe('Its name.'),
    fingerprint: z.string().describe('SHA-256 of its endpoint in base64url, by which a browser recognises itself.'),
    service: z.string().describe('Host of its push service.'),
    createdAt: z.iso.datetime().describe('When it subscribed.'),
    lastDeliveredAt: z.iso
      .datetime()
      .nullable()
      .describe('When its push service last accepted a notification; null: none yet, or long ago.'),
    lastFailure: z.string().nullable().describe('Why a notification waits or was not delivered; null: none.'),
  })
  .meta({ id: 'Device', description: 'A device that receives web push.' });
export type Device = z.infer<typeof deviceSchema>;

export const deviceListSchema = z
  .object({ devices: z.array(deviceSchema).describe('In the order in which they subscribed.') })
  .meta({ id: 'Devices', description: 'The devices of one person.' });
export type DeviceList = z.infer<typeof deviceListSchema>;

export const pushKeySchema = z
  .object({
    publicKey: z
      .string()
      .nullable()
      .describe('`applicationServerKey` for `PushManager.subscribe`; null: no channel of type webpush is configured.'),
  })
  .meta({ id: 'PushKey', description: 'The public key with which browsers subscribe.' });
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
