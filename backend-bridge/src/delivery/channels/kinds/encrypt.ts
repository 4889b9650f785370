/** `encrypt` of `http_ece`, which has no types of its own. */
import type { ECDH } from 'node:crypto';
// @ts-expect-error -- it has no types
import ece from 'http_ece';

interface EncryptOptions {
  version: 'aes128gcm';
  /** Public key of the receiver, base64url. */
  dh: string;
  /** Authentication secret of the receiver, base64url. */
  authSecret: string;
  /** Sender's key for this message only. */
  privateKey: ECDH;
  /** 16 bytes, base64url. */
  salt: string;
}

/** @throws Error if the receiver's public key is not on the curve */
export const { encrypt } = ece as { encrypt: (plain: Buffer, options: EncryptOptions) => Buffer };
