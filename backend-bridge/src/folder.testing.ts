/** A folder for one test, or for those of a file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** @param atEnd `afterAll`: it is removed after the tests of the file; default: after the test, or the one that `beforeEach` prepares */
export function temporaryFolder(atEnd: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'nodebell-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
