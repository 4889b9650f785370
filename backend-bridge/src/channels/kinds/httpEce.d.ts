/** What is used of `http_ece`, which has no types of its own. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  export interface EncryptOptions {
    version: 'aes128gcm';
    /** Public key of the receiver, base64url. */
    dh: string;
    /** Authentication secret of the receiver, base64url. */
    authSecret: string;
    /** Of the sender, for this message only. */
    privateKey: ECDH;
    /** 16 bytes, base64url. */
    salt: string;
  }

  /** @throws Error if the receiver's public key is not on the curve */
  export function encrypt(plain: Buffer, options: EncryptOptions): Buffer;
}
