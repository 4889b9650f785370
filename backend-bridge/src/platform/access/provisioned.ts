/** Senders of provisioning files, and their rows. */
import type { SenderTokenRow } from '../storage/schema.ts';
import { provisionedId } from './token.ts';

export interface ProvisionedSender {
  name: string;
  packages: string[];
  /** The node of what it sends. */
  node?: string | undefined;
  /** Hash of its token, which is not kept. */
  hash: string;
  /** Hash of the token before a rotation, which is valid as well. */
  previousHash?: string | undefined;
}
export type ProvisionedRow = Pick<SenderTokenRow, 'id' | 'name' | 'hash' | 'packages' | 'previous_hash' | 'node'>;

export const provisionedRow = ({
  name,
  packages,
  node = '',
  hash,
  previousHash = undefined,
}: ProvisionedSender): ProvisionedRow => ({
  id: provisionedId(hash),
  name,
  hash,
  packages: packagesColumn(packages),
  previous_hash: previousHash ?? null,
  node,
});

export const packagesColumn = (packages: readonly string[]): string => JSON.stringify([...new Set(packages)]);
