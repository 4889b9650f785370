/** Encrypts secrets that are stored in the database, so that neither the database nor a backup of it contains them in clear text. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keptSecret } from './adminToken.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export const secretKeyPath = (dataDir: string): string => join(dataDir, 'secret-key');

/**
 * The key is NODEBELL_SECRET_KEY, else the one in the data directory, which is made when it is needed first.
 * @returns undefined with PostgreSQL and without the setting: replicas would have keys of their own
 */
export function openVault({
  dataDir,
  databaseUrl,
  secretKey,
}: {
  dataDir: string;
  databaseUrl?: string | undefined;
  secretKey?: string | undefined;
}): Vault | undefined {
  if (secretKey === undefined && databaseUrl !== undefined) {
    return undefined;
  }
  let key: Buffer | undefined;
  return createVault(() => (key ??= keyOf(secretKey ?? keptSecret(secretKeyPath(dataDir), 'nbk_'))));
}

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'nodebell stored secrets', 32));

export type Vault = ReturnType<typeof createVault>;

function createVault(key: () => Buffer) {
  return {
    /** @param purpose what the text is for; it must be the same to open it */
    seal(text: string, purpose: string): string {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key(), iv).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    /** Undefined: it was sealed with another key, or for another purpose. */
    open(sealed: string, purpose: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64url');
      try {
        const decipher = createDecipheriv(CIPHER, key(), bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(purpose))
          .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString(
          'utf8'
        );
      } catch {
        return undefined;
      }
    },
    /** HMAC-SHA256. @param purpose as of `seal` */
    sign: (bytes: Uint8Array, purpose: string): Buffer =>
      createHmac('sha256', key()).update(`${purpose}\n`).update(bytes).digest(),
  };
}
