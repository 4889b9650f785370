import { defineConfig } from 'vitest/config';

/** Attacks on the built bridge, in a process of its own with the heap that it ships with: `npm run hostile`. */
export default defineConfig({
  test: {
    environment: 'node',
    // Listed by scripts/failures.mjs.
    retry: process.env.CI ? 1 : 0,
    include: ['tests/hostile/**/*.test.ts'],
    // Only against hanging.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
