import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@nodebell/contract': path.join(import.meta.dirname, 'backend-bridge', 'contract') } },
  test: {
    restoreMocks: true,
    // By default one core is left free: half of a machine with two.
    maxWorkers: '100%',
    // Limits only against hanging: durations are measured elsewhere, and a busy machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Component tests have `@vitest-environment jsdom` in their first comment.
          environment: 'node',
          include: [
            'src/**/*.test.{ts,tsx}',
            'backend-bridge/**/*.test.ts',
            'standalone/**/*.test.ts',
            'scripts/**/*.test.mjs',
          ],
          exclude: ['**/node_modules/**', '**/dist/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          environment: 'node',
          include: ['tests/{contract,integration,e2e-grafana}/**/*.test.ts'],
        },
      },
    ],
  },
});
