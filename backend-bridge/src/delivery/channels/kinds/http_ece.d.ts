/** Types of the package `http_ece`, which has none: the part that the bridge uses. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

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

  const ece: {
    /** @throws Error if the receiver's public key is not on the curve */
    encrypt: (plain: Buffer, options: EncryptOptions) => Buffer;
  };
  export default ece;
}
