/** Retention with its parts, for the bridge. */
import { statfsSync } from 'node:fs';
import path from 'node:path';
import { engineOf } from '../../platform/storage/engine.ts';
import { createArchive } from './archiveFiles.ts';
import type { Replica } from '../../platform/replicas/replica.ts';
import type { SharedWriter } from '../../platform/replicas/sharedState.ts';
import { createRetention, type RetentionDeps, type RetentionReport } from './service.ts';
import { createRetentionStore } from './store.ts';

/** Entry of what the runs have done, for other replicas. */
const RUNS = 'runs';

/** @param dataDir archives are in its folder `archive`; a database of SQLite is on its disk, that of a server elsewhere */
export function openRetention(
  core: Pick<RetentionDeps, 'db' | 'writes' | 'now' | 'steady' | 'log'> & { replica: Replica },
  dataDir: string
) {
  const reader = core.replica.reader<RetentionReport>('retention');
  let leading: { shared: SharedWriter | undefined } | undefined;
  const retention = createRetention({
    ...core,
    store: createRetentionStore(core.db),
    archive: createArchive(path.join(dataDir, 'archive'), core.now),
    diskFree() {
      if (engineOf(core.db).name !== 'sqlite') {
        return undefined;
      }
      const { bavail, bsize } = statfsSync(dataDir);
      return bavail * bsize;
    },
    share:
      reader &&
      ((report) => {
        leading?.shared?.set(RUNS, report);
        void leading?.shared?.flush();
      }),
    followed: async () => (leading ? undefined : (await reader?.read())?.get(RUNS)),
  });
  return {
    ...retention,
    /** Removes notifications, until the function that it returns is called and resolves. */
    lead(term: number): () => Promise<void> {
      leading = { shared: core.replica.writer('retention', term) };
      const stop = retention.lead();
      return async () => {
        await stop();
        leading = undefined;
      };
    },
  };
}
