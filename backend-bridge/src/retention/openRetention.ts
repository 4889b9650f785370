/** Retention with its parts, for the bridge. */
import { statfsSync } from 'node:fs';
import path from 'node:path';
import { engineOf } from '../storage/engine.ts';
import { createArchive } from './archiveFiles.ts';
import { createRetention, type Retention, type RetentionDeps } from './service.ts';
import { createRetentionStore } from './store.ts';

/** @param dataDir archives are in its folder `archive`; a database of SQLite is on its disk, that of a server elsewhere */
export function openRetention(
  core: Pick<RetentionDeps, 'db' | 'writes' | 'now' | 'steady' | 'log'>,
  dataDir: string
): Retention {
  return createRetention({
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
  });
}
