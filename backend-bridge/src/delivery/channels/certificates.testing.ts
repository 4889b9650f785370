/** A certificate authority of a test: X.509 (RFC 5280) in DER (X.690), signed by ECDSA with P-256. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { DAY_MS } from '../../../contract/time.ts';

export interface Certificate {
  /** PEM. */
  cert: string;
  /** PEM. */
  key: string;
}

export interface Authority {
  /** PEM: what has to be trusted. */
  cert: string;
  /** @param hosts names and IPv4 addresses for which it is valid @param days from when until when, counted from now. Default: -1 to 1 */
  issue(hosts: readonly string[], days?: readonly [from: number, until: number]): Certificate;
}

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (ms: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`));
const nameOf = (name: string): Buffer => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
/** ecdsa-with-SHA256. */
const SIGNATURE = sequence(oid('2a8648ce3d040302'));
const IS_CA = sequence(
  oid('551d13'),
  der(0x01, Buffer.from([255])),
  der(0x04, sequence(der(0x01, Buffer.from([255]))))
);
const validFor = (hosts: readonly string[]): Buffer =>
  sequence(
    oid('551d11'),
    der(
      0x04,
      sequence(
        ...hosts.map((host) =>
          isIP(host) === 0 ? der(0x82, Buffer.from(host)) : der(0x87, Buffer.from(host.split('.').map(Number)))
        )
      )
    )
  );

interface Content {
  subject: string;
  publicKey: KeyObject;
  days: readonly [number, number];
  extension: Buffer;
}

function certificate({ subject, publicKey, days, extension }: Content, issuer: string, key: KeyObject): string {
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    SIGNATURE,
    nameOf(issuer),
    sequence(...days.map((count) => time(Date.now() + count * DAY_MS))),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension))
  );
  const whole = sequence(content, SIGNATURE, bits(sign('sha256', content, key)));
  return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

export function createAuthority(): Authority {
  const name = 'Authority of a test';
  const own = newKey();
  const days = [-1, 1] as const;
  return {
    cert: certificate({ subject: name, publicKey: own.publicKey, days, extension: IS_CA }, name, own.privateKey),
    issue(hosts, valid = days) {
      const { publicKey, privateKey } = newKey();
      const content = { subject: hosts[0]!, publicKey, days: valid, extension: validFor(hosts) };
      return {
        cert: certificate(content, name, own.privateKey),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      };
    },
  };
}
