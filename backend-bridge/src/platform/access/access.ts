/** The senders, and the guard that checks each request. */
import type { Logger } from 'pino';
import { CLEAN_EVERY_MS, removeOldEntries } from '../audit/record.ts';
import { createAdmission } from './admitPerson.ts';
import { createGuard } from './auth.ts';
import type { AuthMode } from '../http/guard.ts';
import { createGrafanaIdCheck } from './grafanaId.ts';
import type { Replica } from '../replicas/replica.ts';
import { repeat } from '../runtime/repeat.ts';
import { Reread } from '../runtime/reread.ts';
import type { Core } from '../core/area.ts';
import { openAdminToken } from './adminToken.ts';
import { KEEP_USE_EVERY_MS, Senders } from './service.ts';
import { createTokenStore } from './store.ts';

interface AccessDeps extends Pick<Core, 'db' | 'writes' | 'gate' | 'log' | 'now' | 'steady'> {
  replica: Pick<Replica, 'isAlone' | 'feed'>;
}

/** See `Config`. */
interface AccessSettings {
  auth: AuthMode;
  adminToken: string | undefined;
  previousAdminToken?: string | undefined;
  dataDir: string;
  monitors?: { grafana?: { url: string } | undefined };
  requireGrafanaId?: boolean;
}

export async function openAccess({ db, writes, replica, gate, log, now, steady }: AccessDeps, config: AccessSettings) {
  const senders = await Senders.open(createTokenStore(db), writes, now, steady);
  const adminToken = openAdminToken({
    dataDir: config.dataDir,
    configured: config.adminToken,
    configuredPrevious: config.previousAdminToken,
    now,
  });
  const grafanaUrl = config.monitors?.grafana?.url;
  const admitPerson = createAdmission({
    checkId: grafanaUrl === undefined ? undefined : createGrafanaIdCheck({ grafanaUrl, now, log }),
    requireId: config.requireGrafanaId ?? false,
  });
  const stopCleaning = repeat('remove old audit entries', CLEAN_EVERY_MS, () => removeOldEntries(writes, steady), log);
  const storeUse = async (): Promise<void> => {
    await Promise.all([senders.keepUse(), senders.removeRevoked()]);
    // When tokens were used at other replicas.
    await (replica.isAlone ? undefined : senders.reload());
  };
  const stopStoring = repeat('store when tokens were last used', KEEP_USE_EVERY_MS, storeUse, log);
  const stopFollowing = replica.isAlone ? undefined : followTokens(senders, replica, log);
  return {
    senders,
    adminToken,
    guard: createGuard({
      mode: config.auth,
      isAdmin: (token, address) => adminToken.matches(token, address),
      senders: {
        find: (tokenHash, address) => senders.find(tokenHash, address),
        lookUp: replica.isAlone ? undefined : (tokenHash: string) => senders.lookUp(tokenHash),
      },
      admitPerson,
      gate,
    }),
    async close() {
      stopFollowing?.();
      stopCleaning();
      stopStoring();
      // A failed write must not keep the database from being closed.
      await senders
        .keepUse()
        .catch((error: unknown) => log.error({ err: error }, 'could not store when tokens were last used'));
    },
  };
}

/** A token that was revoked at another replica must not be accepted here. @returns stops it */
function followTokens(senders: Pick<Senders, 'reload'>, { feed }: Pick<Replica, 'feed'>, log: Logger): () => void {
  const tokens = new Reread('read the tokens that another replica has changed', () => senders.reload(), log);
  feed.onEvents((events, isComplete) => {
    if (!isComplete || events.some(({ type }) => type === 'tokens')) {
      tokens.soon();
    }
  });
  return () => tokens.stop();
}
