/** Writes of the platform. Each runs in the writer thread, inside a transaction. */
import { createToken, keepUsedTokens, removeRevokedTokens, revokeToken, rotateToken } from './access/writes.ts';
import { audit, cleanAudit } from './audit/writes.ts';
import { recordLeader, shareState } from './replicas/writes.ts';
import { keepNumber } from './storage/keptNumber.ts';
import { touch } from './storage/series.ts';
import { indexText } from './storage/textIndex.ts';
import { type WriteKind, writesOf } from './storage/write.ts';

export const PLATFORM_WRITES = {
  touch: { write: touch, probe: true },
  ...writesOf({ indexText }, { grows: true }),
  ...writesOf({
    keepNumber,
    createToken,
    rotateToken,
    revokeToken,
    keepUsedTokens,
    removeRevokedTokens,
    shareState,
    recordLeader,
    audit,
    cleanAudit,
  }),
} satisfies Record<string, WriteKind>;
