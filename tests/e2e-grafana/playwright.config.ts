/** Against the real Grafana at GRAFANA_URL, provisioned from provisioning/ (see CONTRIBUTING.md). `npm run e2e:grafana`. */
import type { PluginOptions } from '@grafana/plugin-e2e';
import { defineConfig } from '@playwright/test';
import { createRequire } from 'node:module';
import path from 'node:path';
import { findChromium } from '../../scripts/chromium.mjs';
import { sessionOf, USERS } from './support/users.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const executablePath = findChromium();
const auth = path.join(path.dirname(createRequire(import.meta.url).resolve('@grafana/plugin-e2e')), 'auth');
const names = ['admin', 'editor', 'viewer'] as const;

export default defineConfig<PluginOptions>({
  testDir: '.',
  outputDir: path.join(ROOT, 'test-results', 'e2e-grafana'),
  forbidOnly: Boolean(process.env['CI']),
  // One Grafana and one bridge for all, which the tests change.
  workers: 1,
  // Rules are evaluated every ten seconds, and alerts are sent ten seconds later.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: process.env['NODEBELL_REPORT']
    ? [['list'], ['json', { outputFile: process.env['NODEBELL_REPORT'] }]]
    : [['list']],
  use: {
    baseURL: process.env['GRAFANA_URL'],
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    provisioningRootDir: path.join(ROOT, 'provisioning'),
    launchOptions: { ...(executablePath && { executablePath }), args: ['--no-sandbox', '--disable-gpu'] },
  },
  projects: [
    ...names.map((name) => ({
      name: `sign in as ${name}`,
      testDir: auth,
      testMatch: /auth\.setup\.js$/,
      use: { user: USERS[name] },
    })),
    ...names.map((name) => ({
      name,
      // Tests for admins are in files without a role, the others in files with theirs.
      testMatch: name === 'admin' ? /(?<!\.(editor|viewer))\.spec\.ts$/ : new RegExp(`\\.${name}\\.spec\\.ts$`),
      use: { user: USERS[name], storageState: path.join(ROOT, sessionOf(name)) },
      dependencies: [`sign in as ${name}`],
    })),
  ],
});
