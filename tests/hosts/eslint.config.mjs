import plugins from '@grafana/eslint-plugin-plugins';
import tsParser from '@typescript-eslint/parser';
import { defineConfig } from 'eslint/config';

/** Only Grafana's rule: imports from its packages must be exported by the given version. */
export default defineConfig([
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    // Ignores comments that disable other rules.
    linterOptions: { reportUnusedDisableDirectives: 'off', noInlineConfig: true },
    languageOptions: { parser: tsParser, parserOptions: { ecmaFeatures: { jsx: true } } },
    plugins: { '@grafana/plugins': plugins },
    rules: {
      '@grafana/plugins/import-is-compatible': ['error', { minGrafanaVersion: process.env.NODEBELL_GRAFANA_VERSION }],
    },
  },
]);
