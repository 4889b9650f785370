import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@nodebell/contract': path.join(import.meta.dirname, 'backend-bridge', 'contract') } },
  test: {
    // Tests that need a page say so themselves, with `@vitest-environment jsdom` in their first comment.
    environment: 'node',
    include: [
      'src/**/*.test.{ts,tsx}',
      'backend-bridge/**/*.test.ts',
      'standalone/**/*.test.ts',
      'scripts/**/*.test.mjs',
      'tests/{contract,integration,e2e-grafana}/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    restoreMocks: true,
    // By default one core is left free: half of the small machines that this must run on.
    maxWorkers: '100%',
    // Limits only against hanging: how long things take is measured elsewhere, and a busy machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
