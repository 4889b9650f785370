/** The senders, and the guard that checks each request. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createAdmission } from '../http/admitPerson.ts';
import { createGuard } from '../http/auth.ts';
import { createGrafanaIdCheck } from '../http/grafanaId.ts';
import { repeat } from '../repeat.ts';
import type { Store } from '../storage/store.ts';
import { adminToken } from './adminToken.ts';
import { createSenders, KEEP_USE_EVERY_MS } from './service.ts';
import { createTokenStore } from './store.ts';
import { hashToken } from './token.ts';

interface AccessDeps extends Pick<Store, 'db' | 'writes'> {
  log: Logger;
  /** The system's clock, UTC milliseconds. */
  now: () => number;
  /** The clock by which ages are measured, UTC milliseconds. */
  steady: () => number;
}

export async function openAccess(
  { db, writes, log, now, steady }: AccessDeps,
  config: Pick<Config, 'auth' | 'adminToken' | 'dataDir' | 'monitors' | 'requireGrafanaId'>
) {
  const senders = await createSenders(createTokenStore(db), writes, now, steady);
  const token = adminToken(config.dataDir, config.adminToken);
  const grafanaUrl = config.monitors?.grafana?.url;
  const admitPerson = createAdmission({
    checkId: grafanaUrl === undefined ? undefined : createGrafanaIdCheck({ grafanaUrl, now, log }),
    requireId: config.requireGrafanaId ?? false,
  });
  const stopStoring = repeat(KEEP_USE_EVERY_MS, () => Promise.all([senders.keepUse(), senders.removeRevoked()]));
  return {
    senders,
    adminHash: hashToken(token),
    guard: createGuard({ mode: config.auth, adminToken: token, senders, admitPerson }),
    async close() {
      stopStoring();
      // A failed write must not keep the database from being closed.
      await senders
        .keepUse()
        .catch((error: unknown) => log.error({ err: error }, 'could not store when tokens were last used'));
    },
  };
}
