import i18n from '@grafana/i18n/eslint-plugin';
import tseslint from '@typescript-eslint/eslint-plugin';
import tsParser from '@typescript-eslint/parser';
import prettier from 'eslint-config-prettier/flat';
import { defineConfig, globalIgnores } from 'eslint/config';
import grafanaConfig from './.config/eslint.config.mjs';

const TYPESCRIPT = ['**/*.ts', '**/*.tsx'];
const BROWSER = ['src/**/*.{ts,tsx}', 'standalone/host/**/*.{ts,tsx}'];
const TESTS = ['**/*.test.ts', '**/*.test.tsx', 'tests/**'];

const ENCODING = { name: 'encodeURIComponent', message: 'Use urlSegment or urlValue of contract/url.ts.' };
/** Of the browser or of Node, but not of both. */
const SURROUNDINGS = ['process', 'Buffer', 'window', 'document', 'fetch', 'setTimeout'];

const LOADING = '/^(img|image|feImage|use|picture|source|video|audio|track|iframe|frame|embed|object|script|link)$/';
const ADDRESSES = '/^(src|srcSet|srcset|poster|imgUrl|imgSrc|imageUrl|avatarUrl|gravatarUrl|backgroundUrl)$/';
const CSS_IMAGES = '/^(background|backgroundImage|borderImage.*|listStyleImage|mask|maskImage|WebkitMask.*|content)$/';
const message =
  'The browser loads no address that a sender, a package or a file names: show icons with Avatar and styles with cardStyle (docs/decisions/0011-access.md).';

/** Style functions that load from an address. A test compares this list with examples. */
const LOADERS = [
  `JSXOpeningElement[name.name=${LOADING}]`,
  `JSXAttribute[name.name=${ADDRESSES}]`,
  'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
  `ObjectExpression > Property[key.name=${ADDRESSES}]`,
  // Renderer for images in Markdown, as links.
  'ObjectExpression > Property[key.name="img"]:not([value.name="BodyImage"])',
  `ObjectExpression > Property[key.name=${CSS_IMAGES}]:not([value.type="Literal"]):not(:has(Identifier[name="theme"]))`,
  // The name of a page's position in a list as well, so only where styles are.
  ...['CallExpression[callee.name="css"]', 'JSXAttribute[name.name="style"]'].map(
    (styles) => `${styles} Property[key.name="cursor"]:not([value.type="Literal"])`
  ),
  'Literal[value=/\\b(url|image-set|src)\\(/i]',
  'TemplateElement[value.raw=/\\b(url|image-set|src)\\(/i]',
  'NewExpression[callee.name=/^(Image|Audio|FontFace)$/]',
  `CallExpression[callee.property.name="createElement"][arguments.0.value=${LOADING}]`,
  `CallExpression[callee.property.name="setAttribute"][arguments.0.value=${ADDRESSES}]`,
  'AssignmentExpression[left.property.name=/^(src|srcset|poster|backgroundImage|innerHTML|outerHTML)$/]',
].map((selector) => ({ selector, message }));

/** Grafana's rules are about React and the browser; the bridge, the scripts and the servers have neither. */
const forBrowser = (configs) => configs.map((config) => ({ ...config, files: BROWSER }));

export default defineConfig([
  globalIgnores(['**/dist/', '**/data/', 'artifacts/', 'coverage/', 'test-results/', 'playwright-report/', '.config/']),
  // The stock file repeats Grafana's rules for its own folders; only what is for every file is wanted here.
  ...forBrowser(grafanaConfig.filter((config) => !config.files?.includes('./tests/**/*'))),
  // Rules that need types are in .oxlintrc.json: they take a tenth of the time there.
  ...tseslint.configs['flat/recommended'].map((config) => ({ ...config, files: TYPESCRIPT })),
  prettier,
  {
    files: TYPESCRIPT,
    languageOptions: {
      parser: tsParser,
      parserOptions: { project: null },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-deprecated': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    rules: {
      complexity: ['error', 15],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: BROWSER,
    rules: {
      // The automatic JSX runtime needs no React in scope.
      'react/react-in-jsx-scope': 'off',
      'react-hooks/incompatible-library': 'error',
      // Worth a look each time, and right where a component follows something outside React.
      'react-hooks/set-state-in-effect': 'error',
    },
  },
  {
    // The host provides what plugins of every age may call, and carries any data for them.
    files: ['standalone/host/**'],
    rules: {
      'no-restricted-imports': 'off',
    },
  },
  {
    files: ['backend-bridge/**/*.ts', 'src/**/*.{ts,tsx}', 'standalone/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', '**/*.testing.ts'],
    rules: { 'no-restricted-globals': ['error', ENCODING] },
  },
  {
    // The contract runs in the browser and in Node alike, so it may use what both have and nothing else.
    files: ['backend-bridge/contract/**'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': ['error', ENCODING, ...SURROUNDINGS],
      'no-restricted-imports': ['error', { patterns: ['node:*', '../src/*', '@grafana/*', 'react'] }],
    },
  },
  {
    files: ['backend-bridge/contract/url.ts'],
    rules: { 'no-restricted-globals': ['error', ...SURROUNDINGS] },
  },
  {
    // Validation is pure: text in, findings out.
    files: ['backend-bridge/src/validation/**'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': ['error', ENCODING, ...SURROUNDINGS],
      'no-restricted-imports': ['error', { patterns: ['node:*', '@grafana/*', 'react'] }],
    },
  },
  {
    files: ['src/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [{ name: '@grafana/ui', importNames: ['Avatar', 'UserIcon', 'UsersIndicator'], message }],
          patterns: [
            { group: ['**/backend-bridge/**'], message: 'Use @nodebell/contract: the rest is the server.' },
            { group: ['@grafana/i18n'], message: 'Use t and Trans of src/i18n/t: they write values as they are.' },
          ],
        },
      ],
    },
  },
  {
    files: ['src/**'],
    // The two that show what somebody else chose, after a check.
    ignores: ['src/components/Avatar.tsx', 'src/packages/cardStyle.ts', ...TESTS],
    rules: { 'no-restricted-syntax': ['error', ...LOADERS] },
  },
  {
    // Every text that a person sees is translated; what only tests show is not.
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', '**/*.testing.ts'],
    plugins: { '@grafana/i18n': i18n },
    rules: {
      '@grafana/i18n/no-untranslated-strings': ['error', { calleesToIgnore: ['^css$', 'useStyles2'] }],
      '@grafana/i18n/no-translation-top-level': 'error',
      '@grafana/i18n/t-plural-defaults': 'error',
      '@grafana/i18n/trans-plural-defaults': 'error',
    },
  },
  {
    files: ['src/i18n/*.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: TESTS,
    rules: {
      'max-lines-per-function': 'off',
      'react-hooks/rules-of-hooks': 'off',
    },
  },
  {
    // Programs for a terminal speak to it.
    files: ['scripts/**', 'tests/bench/**', 'backend-bridge/bin/**', 'standalone/server/main.ts', '.ci/**'],
    rules: { 'no-console': 'off' },
  },
]);
