/** Gatus as a monitor: the file that it reads. Gatus looks at it every 30 seconds and takes it in by itself. */
import { putFile } from '../writtenFile.ts';
import type { MonitorWriter } from '../reconciler.ts';
import { gatusConcern, gatusConfig, type GatusTarget } from './config.ts';

/** @param path absolute; the file that is written */
export function gatusMonitor(path: string, target: () => GatusTarget): MonitorWriter {
  return {
    monitor: 'gatus',
    concern: gatusConcern,
    async write(endpoints) {
      const told = target();
      // With a token in it, the file is not for everybody.
      await putFile(path, gatusConfig(endpoints, told), told.token === undefined ? 0o644 : 0o640);
      return new Map();
    },
  };
}
