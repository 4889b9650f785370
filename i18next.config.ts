import { readFileSync } from 'node:fs';
import { defineConfig } from 'i18next-cli';

const { id, languages } = JSON.parse(readFileSync('plugin.json', 'utf8')) as { id: string; languages: string[] };

/** `npm run i18n` gathers the texts from the source; where an English one has changed, its translations are emptied. */
export default defineConfig({
  locales: languages,
  extract: {
    input: ['src/**/*.{ts,tsx}', 'backend-bridge/contract/channelTypes/*.ts'],
    ignore: ['src/**/*.test.{ts,tsx}', 'src/i18n/**'],
    output: 'src/locales/{{language}}/{{namespace}}.json',
    defaultNS: id,
    functions: ['t'],
    transComponents: ['Trans'],
    sort: true,
    indentation: 2,
  },
});
