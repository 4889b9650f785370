import { defineConfig } from 'vitest/config';

/** Tests against real monitors, which need programs that `npm test` does not: `npm run real`. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['tests/real/**/*.test.ts'],
    // Monitors judge and repeat by the second, and each file starts its own.
    testTimeout: 600_000,
    hookTimeout: 400_000,
    fileParallelism: false,
  },
});
