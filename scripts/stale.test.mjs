import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './run.mjs';
import { isFresh, markFresh } from './stale.mjs';

test('an output that `npm run dev` has written since is stale', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nodebell-stale-'));
  const name = path.basename(folder);
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
    rmSync(path.join(ROOT, 'node_modules', '.cache', 'nodebell', name));
  });
  const file = path.join(folder, 'module.js');
  const output = path.relative(ROOT, file);
  writeFileSync(file, 'production');
  markFresh(name, ['README.md'], output);
  expect(isFresh(name, ['README.md'], output)).toBe(true);
  writeFileSync(file, 'development');
  expect(isFresh(name, ['README.md'], output)).toBe(false);
});
