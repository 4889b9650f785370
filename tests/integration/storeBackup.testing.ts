/** The command line on stores of the engine that the tests run on. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { TEST_ENGINE, testAddress } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import type { Place } from '../../backend-bridge/src/platform/backup/place.ts';
import { SAMPLE } from '../../backend-bridge/src/platform/backup/sampleRows.testing.ts';
import { makeStoreAt, placeAt } from '../../backend-bridge/src/platform/backup/transferWorld.testing.ts';

const LAUNCHER = path.join(import.meta.dirname, '../../backend-bridge/bin/nodebell.mjs');

/** The environment of the bridge with this data folder. */
export const envOf = async (dataDir: string): Promise<Record<string, string>> =>
  TEST_ENGINE === 'sqlite' ? { NODEBELL_DATA_DIR: dataDir } : { NODEBELL_DATABASE_URL: await testAddress(dataDir) };
export const placeOf = async (dataDir: string): Promise<Place> => placeAt(await testAddress(dataDir));
export const makeStore = async (dataDir: string, rows = SAMPLE): Promise<void> =>
  makeStoreAt(await testAddress(dataDir), rows);

/** Runs the command in a process of its own, which is killed after so many milliseconds. */
export function nodebell(
  args: string[],
  env: Record<string, string>,
  killAfter?: number
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [LAUNCHER, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() });
    });
  });
}
