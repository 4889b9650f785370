import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { bundledThreads, TEST_CACHE } from './backend-bridge/src/threads.testing.ts';

/** What a test needs is in its name (CONTRIBUTING.md): `*.slow.test.ts`, `*.stores.test.ts`. */
const KINDS = '{slow,stores,sqlite,postgres,mocks}';
/**
 * V8 13.6 may abort the process ("Check failed: jit_page.has_value()") when a thread replaces a wrapper of a WebAssembly import, such as
 * those of the parsers of Node and vitest, by a compiled one while another thread ends. The tests start and end hundreds of writer
 * threads. With this budget of calls none is replaced.
 */
const THREADS = ['--no-memory-protection-keys', '--wasm-wrapper-tiering-budget=2147483647'];
/** As in .ci/run: all integration tests on PostgreSQL as well. */
const ALL = process.env.NODEBELL_TEST_ALL === '1';
const NEVER = ['**/node_modules/**', '**/dist/**'];

// For processes that run the sources, and threads: compiling is half of their start.
process.env.NODE_COMPILE_CACHE ??= path.join(TEST_CACHE, 'compiled');

export default defineConfig({
  resolve: { alias: { '@nodebell/contract': path.join(import.meta.dirname, 'backend-bridge', 'contract') } },
  test: {
    restoreMocks: true,
    // The default leaves one core free: half of a machine with two.
    maxWorkers: '100%',
    // Limits only against hanging: durations are measured elsewhere, and a busy machine is no failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
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
        plugins: [bundledThreads],
        test: {
          name: 'bridge',
          environment: 'node',
          include: ['backend-bridge/**/*.test.ts', 'standalone/**/*.test.ts'],
          exclude: [...NEVER, `**/*.${KINDS}.test.ts`],
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
        plugins: [bundledThreads],
        test: {
          name: 'integration',
          environment: 'node',
          include: [
            'tests/{contract,integration,e2e-grafana}/**/*.test.ts',
            'backend-bridge/**/*.{slow,stores,sqlite}.test.ts',
          ],
          exclude: [...NEVER, '**/*.postgres.test.ts'],
          // As above: those that replace modules are in `mocks`.
          isolate: false,
          execArgv: THREADS,
        },
      },
      {
        extends: true,
        test: {
          // They replace modules, so none shares them.
          name: 'mocks',
          environment: 'node',
          include: ['backend-bridge/**/*.mocks.test.ts', 'scripts/**/*.test.mjs'],
        },
      },
      {
        extends: true,
        plugins: [bundledThreads],
        test: {
          name: 'postgres',
          environment: 'node',
          include: ['**/*.{stores,postgres}.test.ts', ...(ALL ? ['tests/integration/**/*.test.ts'] : [])],
          exclude: [...NEVER, '**/*.sqlite.test.ts'],
          isolate: false,
          execArgv: THREADS,
          // Also where this project runs together with others.
          env: { NODEBELL_TEST_ENGINE: 'postgres' },
          globalSetup: 'backend-bridge/src/platform/storage/postgres/globalSetup.testing.ts',
        },
      },
    ],
  },
});
