import { defineConfig } from 'vitest/config';

const PARALLEL = 'tests/hostile/**/*.parallel.test.ts';

/** Attacks on the built bridge, in a process of its own with the heap that it ships with: `npm run hostile`. */
export default defineConfig({
  test: {
    environment: 'node',
    // Only against hanging.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['tests/hostile/**/*.test.ts'],
          exclude: [PARALLEL],
          // They measure memory, or what is served during an attack.
          fileParallelism: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        // They mostly wait: for processes that are killed and started again, and for faults to be noticed.
        test: { name: 'parallel', include: [PARALLEL], maxWorkers: 3, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
