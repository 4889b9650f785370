import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findShell } from './chromium.mjs';

test('the shell is found in PATH; CHROMIUM_PATH takes precedence', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nodebell-chromium-'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  writeFileSync(path.join(folder, 'chromium-headless-shell'), '', { mode: 0o755 });
  vi.stubEnv('CHROMIUM_PATH', '');
  vi.stubEnv('PATH', folder);
  expect(['/usr/bin', folder]).toContain(path.dirname(findShell() ?? ''));
  vi.stubEnv('CHROMIUM_PATH', process.execPath);
  expect(findShell()).toBeUndefined();
});
