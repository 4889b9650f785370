/**
 * A push service on this machine, and browsers that have subscribed to it. It decrypts by RFC 8291 and verifies the bridge's signature by
 * RFC 8292 with Web Crypto, as the receiving end, and rejects what these demand that it rejects.
 */
import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { PushPayload } from '../../../contract/push.ts';

const { subtle } = webcrypto;
const fromBase64 = (text: string): Buffer<ArrayBuffer> => Buffer.from(text, 'base64url');
const toBase64 = (bytes: ArrayBuffer | Uint8Array): string => Buffer.from(bytes as ArrayBuffer).toString('base64url');
const utf8 = (text: string): Buffer<ArrayBuffer> => Buffer.from(text);

/** Keys of a browser's subscription. */
export interface SubscriberKeys {
  /** Uncompressed point, base64url. */
  p256dh: string;
  /** Base64url. */
  auth: string;
  privateKey: webcrypto.CryptoKey;
}

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const;

export async function newSubscriber(): Promise<SubscriberKeys> {
  const pair = await subtle.generateKey(CURVE, true, ['deriveBits']);
  const auth = toBase64(webcrypto.getRandomValues(new Uint8Array(16)));
  return { p256dh: toBase64(await subtle.exportKey('raw', pair.publicKey)), auth, privateKey: pair.privateKey };
}

/** RFC 8291, 3.4, with one record (RFC 8188). @throws if the message is not for these keys */
export async function decrypt(message: Buffer, { p256dh, auth, privateKey }: SubscriberKeys): Promise<Buffer> {
  const salt = new Uint8Array(message.subarray(0, 16));
  const recordSize = message.readUInt32BE(16);
  const keyLength = message[20]!;
  const sender = new Uint8Array(message.subarray(21, 21 + keyLength));
  const record = new Uint8Array(message.subarray(21 + keyLength));
  if (keyLength !== 65 || record.length > recordSize) {
    throw new Error('not one record by RFC 8291');
  }
  const senderKey = await subtle.importKey('raw', sender, CURVE, false, []);
  const secret = await subtle.deriveBits({ name: 'ECDH', public: senderKey }, privateKey, 256);
  const info = Buffer.concat([utf8('WebPush: info\0'), fromBase64(p256dh), sender]);
  const input = await hkdf(secret, fromBase64(auth), info, 32);
  const key = await hkdf(input, salt, utf8('Content-Encoding: aes128gcm\0'), 16);
  const iv = await hkdf(input, salt, utf8('Content-Encoding: nonce\0'), 12);
  const aes = await subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
  const padded = Buffer.from(await subtle.decrypt({ name: 'AES-GCM', iv }, aes, record));
  const end = padded.lastIndexOf(2);
  if (end === -1 || padded.subarray(end + 1).some((byte) => byte !== 0)) {
    throw new Error('wrong padding');
  }
  return padded.subarray(0, end);
}

async function hkdf(
  secret: ArrayBuffer,
  salt: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  bytes: number
): Promise<ArrayBuffer> {
  const key = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  return subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, bytes * 8);
}

export interface VapidClaims {
  aud: string;
  exp: number;
  sub: string;
}

/** @returns undefined if the signature is not by the key `k` */
export async function verifyVapid(header: string): Promise<{ key: string; claims: VapidClaims } | undefined> {
  const [, head, payload, signature, key] = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  if (key === undefined) {
    return undefined;
  }
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const publicKey = await subtle.importKey('raw', fromBase64(key), algorithm, false, ['verify']);
  const isValid = await subtle.verify(algorithm, publicKey, fromBase64(signature!), utf8(`${head}.${payload}`));
  const claims = JSON.parse(fromBase64(payload!).toString()) as VapidClaims;
  return isValid ? { key, claims } : undefined;
}

export interface Pushed {
  /** Token of the subscription. */
  token: string;
  headers: IncomingHttpHeaders;
  /** Encrypted. */
  bytes: number;
  payload: PushPayload;
  vapid: { key: string; claims: VapidClaims };
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
}

/** A subscription as `PushSubscription.toJSON()` returns it. */
export interface Subscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** A push service that decrypts and checks each message. */
export class PushService {
  url = '';
  /** Accepted messages, in order. */
  readonly accepted: Pushed[] = [];
  /** Requests by subscription, accepted or not. */
  readonly arrived: string[] = [];
  readonly #subscribers = new Map<string, SubscriberKeys & { key: string }>();
  readonly #replies = new Map<string, Reply>();
  readonly #server = createServer((request, response) => {
    void this.#respond(request).then(
      ({ status, headers }) => response.writeHead(status, headers).end(),
      () => response.writeHead(400).end()
    );
  });

  static async start(): Promise<PushService> {
    const service = new PushService();
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    service.url = `http://127.0.0.1:${(service.#server.address() as AddressInfo).port}`;
    return service;
  }

  /** @param key `publicKey` of GET /push/key: messages must be signed with it */
  async subscribe(token: string, key: string): Promise<Subscription> {
    const { p256dh, auth, privateKey } = await newSubscriber();
    this.#subscribers.set(token, { p256dh, auth, privateKey, key });
    return { endpoint: `${this.url}/push/${token}`, keys: { p256dh, auth } };
  }

  /** Responds so to each message for the subscription, until it is undefined. */
  reject(token: string, reply: Reply | undefined): void {
    if (reply) {
      this.#replies.set(token, reply);
    } else {
      this.#replies.delete(token);
    }
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #respond(request: IncomingMessage): Promise<Reply> {
    const token = request.url!.replace('/push/', '');
    const body = await buffer(request);
    this.arrived.push(token);
    const reply = this.#replies.get(token);
    if (reply) {
      return reply;
    }
    const subscriber = this.#subscribers.get(token);
    if (subscriber === undefined) {
      return { status: 404 };
    }
    const { headers } = request;
    const vapid = await verifyVapid(headers.authorization ?? '');
    if (vapid?.key !== subscriber.key || vapid.claims.aud !== this.url) {
      return { status: 403 };
    }
    // RFC 8030, 5.2; RFC 8291, 4.
    if (headers.ttl === undefined || headers['content-encoding'] !== 'aes128gcm') {
      return { status: 400 };
    }
    if (body.length > 4096) {
      return { status: 413 };
    }
    const payload = JSON.parse((await decrypt(body, subscriber)).toString()) as PushPayload;
    this.accepted.push({ token, headers, bytes: body.length, payload, vapid });
    return { status: 201 };
  }
}
