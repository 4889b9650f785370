import plugins from '@grafana/eslint-plugin-plugins';
import tsParser from '@typescript-eslint/parser';
import { defineConfig } from 'eslint/config';

/** Grafana's rule alone: whatever is imported from its packages must be exported by the version that is asked about. */
export default defineConfig([
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    // Comments that switch off other rules are none of its business.
    linterOptions: { reportUnusedDisableDirectives: 'off', noInlineConfig: true },
    languageOptions: { parser: tsParser, parserOptions: { ecmaFeatures: { jsx: true } } },
    plugins: { '@grafana/plugins': plugins },
    rules: {
      '@grafana/plugins/import-is-compatible': ['error', { minGrafanaVersion: process.env.NODEBELL_GRAFANA_VERSION }],
    },
  },
]);
