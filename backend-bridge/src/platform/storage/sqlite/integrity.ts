/** Checks the pages of the database, in a thread of its own so that nothing waits for it. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

const THREAD = new URL(`./integrityThread${extname(import.meta.url)}`, import.meta.url);

/** A running check. */
export type IntegrityCheck = ReturnType<typeof checkIntegrity>;

/** `quick_check` of each table. @param path of the database */
export function checkIntegrity(path: string) {
  const worker = new Worker(THREAD, { workerData: { path }, resourceLimits: { maxYoungGenerationSizeMb: 8 } });
  const result = new Promise<string | undefined>((resolve, reject) => {
    worker.once('message', (damage: string | null) => resolve(damage ?? undefined));
    worker.once('error', reject);
    worker.once('exit', () => resolve(undefined));
  });
  return {
    /** The first damage found; undefined if none, or if the check was stopped. @throws when it could not run */
    result,
    stop: async (): Promise<void> => void (await worker.terminate()),
  };
}
