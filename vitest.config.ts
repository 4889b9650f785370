import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** Beside their files, but with databases, threads, processes or replaced modules. */
const SLOW = [
  'backend-bridge/src/{backups,storage}/**/*.test.ts',
  'backend-bridge/src/**/{cleaning,hostGuard,members,server,watch,writes}.test.ts',
  'scripts/**/*.test.mjs',
];
/** What runs on PostgreSQL as well, in any run of the tests: what is stored, counted, searched and repaired. */
const ON_POSTGRES = [
  'backend-bridge/src/storage/postgres/*.test.ts',
  'backend-bridge/src/transfer/postgres.test.ts',
  'backend-bridge/src/notifications/{cleaning,members,origin}.test.ts',
  'backend-bridge/src/readers/writes.test.ts',
  'tests/integration/{channelNodebell,channels,gatusRetries,idempotency,model,nodes,packageApprovals,queryPlansPostgres,replicas,replicasPush,search,texts,threads}.test.ts',
];
/** With NODEBELL_TEST_ALL=1 (.ci/run), all but these. */
const ALL_ON_POSTGRES = ['backend-bridge/src/{report,retention}/*.test.ts', 'tests/integration/**/*.test.ts'];
const ONLY_SQLITE = [
  // Query plans of SQLite.
  'tests/integration/queryPlans.test.ts',
  // Databases of versions that had SQLite only.
  'tests/integration/receiptsUpgrade.test.ts',
  // Locks, sizes and removal of files; for a server: storage/postgres/faults.test.ts.
  'tests/integration/{clockJump,readersEvents,storeFailure}.test.ts',
];
const ONLY_ON_POSTGRES = [
  'backend-bridge/src/storage/postgres/*.test.ts',
  'backend-bridge/src/transfer/postgres.test.ts',
  'tests/integration/{queryPlansPostgres,replicas*}.test.ts',
];
/**
 * V8 13.6 may abort the process ("Check failed: jit_page.has_value()") when a thread replaces a wrapper of a WebAssembly import, such as
 * those of the parsers of Node and vitest, by a compiled one while another thread ends. The tests start and end hundreds of writer
 * threads. With this budget of calls none is replaced.
 */
const THREADS = ['--no-memory-protection-keys', '--wasm-wrapper-tiering-budget=2147483647'];
/** In CI a test with databases and processes has a second try, which scripts/failures.mjs lists. */
const RETRIES = process.env.CI ? 1 : 0;
const NEVER = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  resolve: { alias: { '@nodebell/contract': path.join(import.meta.dirname, 'backend-bridge', 'contract') } },
  test: {
    restoreMocks: true,
    // The default leaves one core free: half of a machine with two.
    maxWorkers: '100%',
    // Limits only against hanging: durations are measured elsewhere, and a busy machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Tests that need a document say so, with `@vitest-environment jsdom` in their first comment.
          environment: 'node',
          include: ['src/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'bridge',
          environment: 'node',
          include: ['backend-bridge/**/*.test.ts', 'standalone/**/*.test.ts'],
          exclude: [...NEVER, ...SLOW, ...ONLY_ON_POSTGRES],
          // None replaces a module, and loading them anew for each file would double the time.
          isolate: false,
          execArgv: THREADS,
        },
      },
      {
        extends: true,
        // Grafana's ES modules need a bundler.
        resolve: {
          alias: [
            {
              find: /^@grafana\/(data|i18n|runtime|ui)$/,
              replacement: path.join(import.meta.dirname, 'node_modules/@grafana/$1/dist/cjs/index.cjs'),
            },
          ],
        },
        test: {
          name: 'component',
          environment: 'jsdom',
          include: ['src/**/*.test.tsx'],
          setupFiles: ['src/jsdom.testing.ts'],
          // @grafana/ui takes seconds to load: once per worker, not once per file.
          isolate: false,
          execArgv: ['--import', path.join(import.meta.dirname, 'scripts', 'ignoreCss.mjs')],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          environment: 'node',
          retry: RETRIES,
          include: ['tests/{contract,integration,e2e-grafana}/**/*.test.ts', ...SLOW],
          exclude: [...NEVER, ...ONLY_ON_POSTGRES],
          execArgv: THREADS,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          environment: 'node',
          retry: RETRIES,
          include: [...ON_POSTGRES, ...(process.env.NODEBELL_TEST_ALL === '1' ? ALL_ON_POSTGRES : [])],
          exclude: [...NEVER, ...ONLY_SQLITE],
          execArgv: THREADS,
          // Also where this project runs together with others.
          env: { NODEBELL_TEST_ENGINE: 'postgres' },
          globalSetup: 'backend-bridge/src/storage/postgres/globalSetup.testing.ts',
        },
      },
    ],
  },
});
