/** A translated page shows no English other than data, names, and words that are the same in both languages. */
import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestBridge } from './support/bridge.ts';
import { CPU, DMS, LOAD, notificationsOf } from './support/endpoints.ts';
import { register } from './support/packages.ts';
import { expect, test } from './support/test.ts';
import { isSaid, textsOn } from './support/texts.ts';
import type { Frame } from './support/views/frame.ts';

const ID = 'nodebell-notifications-app';
const ROOT = path.join(import.meta.dirname, '..', '..');
const LOCALES = path.join(ROOT, 'src', 'locales');
const LANGUAGES = ['de-DE', 'es-ES'] as const;
type Language = (typeof LANGUAGES)[number] | 'en-US';

/** Texts of @grafana/ui, which Grafana translates; the standalone host has only English ones. */
const LIBRARY = new Set(['Clear value', 'Clear', 'Close', 'Close alert', 'configured', 'Copied', 'Remove', 'Reset']);

/** Texts of the standalone host around the page. */
const HOST = ['Home', 'Panel', 'Configuration'];

/** Names of formats and products. */
const NAMES = ['CSV', 'JSON Lines', 'Nodebell', 'PostgreSQL', 'SQLite'];

/** Members with user-written text, shown as is. */
const MEMBERS = /^(title|body|name|dnpName|description|shortDescription|version|upstreamVersion|category|unit|url)$/;

/** All texts in a response; `wanted` selects them by member name. */
function valuesOf(value: unknown, wanted: RegExp = /./, name = 'list'): string[] {
  if (typeof value === 'string') {
    return wanted.test(name) ? [value] : [];
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => valuesOf(inner, wanted, Array.isArray(value) ? name : key))
    : [];
}

const wordsOf = (text: string): string[] => text.match(/\p{L}[\p{L}\p{N}./:_-]*[\p{L}\p{N}]/gu) ?? [];

const readJson = (...file: string[]): unknown => JSON.parse(readFileSync(path.join(...file), 'utf8'));
const texts = (language: Language): string[] => valuesOf(readJson(LOCALES, language, `${ID}.json`));

/** Texts that may be English: responses of the bridge, and words that are the same in both languages. */
async function allowedIn(language: Language, bridge: TestBridge): Promise<(text: string) => boolean> {
  const paths = [
    'notifications',
    'packages',
    `packages/${DMS}`,
    `packages/${DMS}/endpoints`,
    'chains',
    'status',
    'audit',
  ];
  const responses = await Promise.all(paths.map((one) => bridge.call<unknown>('GET', `/api/v1/${one}`)));
  const english = new Set(texts('en-US'));
  const shared = texts(language).filter((text) => english.has(text));
  // On Grafana's page of the plugin.
  const described = valuesOf(readJson(ROOT, 'plugin.json'), /^description$/);
  const whole = new Set([...LIBRARY, ...HOST, ...NAMES, ...shared, ...described, ...valuesOf(responses)]);
  const written = valuesOf(responses, MEMBERS);
  const words = new Set([...NAMES, ...shared, ...written].flatMap(wordsOf).map((word) => word.toLowerCase()));
  // Placeholders with example input.
  const example = /^(https?:|\{)/;
  return (text) =>
    whole.has(text) || example.test(text) || wordsOf(text).every((word) => words.has(word.toLowerCase()));
}

async function seed(bridge: TestBridge): Promise<number> {
  await register(
    bridge,
    {
      name: DMS,
      chain: 'ethereum',
      backup: [{ name: 'keys', path: '/keys', service: 'dms' }],
      dependencies: { 'other.dnp.dappnode.eth': '^0.1.0' },
      warnings: { onRemove: 'Keys are lost.' },
    },
    { notifications: notificationsOf(CPU, LOAD) }
  );
  const sent = { dnpName: DMS, category: 'hardware', correlationId: 'core-disk', priority: 'critical' };
  await bridge.send({ ...sent, status: 'triggered', title: 'ZZ disk', body: 'ZZ little left' });
  const { id } = await bridge.send({ ...sent, status: 'triggered', isBanner: true, title: 'ZZ disk', body: 'ZZ less' });
  await bridge.send({ dnpName: 'other.dnp.dappnode.eth', title: 'ZZ event', body: 'ZZ text' });
  return id;
}

/** The pages to check, and what to wait for until each is loaded. */
const PAGES: Array<[string, address: (id: number) => string, ready: string]> = [
  ['inbox', (id) => `/a/${ID}/inbox?id=${id}`, 'article'],
  ['an empty tab', () => `/a/${ID}/inbox?tab=errors`, '[role=tablist]'],
  ['nothing that matches', () => `/a/${ID}/inbox?q=nowhere`, '[role=search]'],
  ['thresholds', () => `/a/${ID}/thresholds`, 'input[type=range]'],
  ['packages', () => `/a/${ID}/packages`, '[data-package]'],
  ['a package', () => `/a/${ID}/packages/${DMS}`, 'dl'],
  ['its notifications', () => `/a/${ID}/packages/${DMS}?tab=notifications`, '[role=tablist]'],
  ['a package that is not there', () => `/a/${ID}/packages/other.dnp.dappnode.eth`, 'code'],
  ['adding a package', () => `/a/${ID}/packages/add`, 'textarea'],
  ['chains', () => `/a/${ID}/chains`, '[data-node]'],
  ['channels', () => `/a/${ID}/channels`, 'h1'],
  ['configuration', () => `/plugins/${ID}`, 'dl'],
  ['the inbox panel', () => '/panel/nodebell-inbox-panel?w=12&h=10&title=Panel', '[data-id]'],
  ['the thresholds panel', () => '/panel/nodebell-thresholds-panel?w=12&h=10&title=Panel', 'input[type=range]'],
  ['the packages panel', () => '/panel/nodebell-packages-panel?w=12&h=10&title=Panel', '[role=region] li'],
  ['the chains panel', () => '/panel/nodebell-chainsync-panel?w=12&h=10&title=Panel', '[data-node]'],
];

/** Opens a page in English and in each language: no text is the same, except for allowed ones. */
async function checkTexts(page: Page, frame: Frame, bridge: TestBridge, [, address, ready]: (typeof PAGES)[number]) {
  const id = await seed(bridge);
  const said = async (lang: Language) => {
    const url = address(id);
    await page.goto(`${url}${url.includes('?') ? '&' : '?'}lang=${lang}`);
    await page.locator(ready).first().waitFor();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const title = (await page.title()).replace(/^\(\d+\) | - Nodebell$/g, '');
    const crumbs = await frame.breadcrumbs.getByRole('listitem').allTextContents();
    return [...(await textsOn(page)), ...crumbs, title].filter(isSaid);
  };
  const english = new Set(await said('en-US'));
  for (const language of LANGUAGES) {
    const own = await said(language);
    const allowed = await allowedIn(language, bridge);
    expect(own, language).not.toEqual([]);
    expect(
      own.filter((text) => english.has(text) && !allowed(text)),
      language
    ).toEqual([]);
  }
}

const titleOf = (name: string) => `in ${LANGUAGES.join(' and ')}, ${name} shows no English`;
for (const one of PAGES) {
  test(titleOf(one[0]), ({ page, frame, bridge }) => checkTexts(page, frame, bridge, one));
}
// It still has what other tests sent, since counts are not cleared.
test(titleOf('the report'), ({ page, frame, ownBridge }) =>
  checkTexts(page, frame, ownBridge, ['', () => `/a/${ID}/report`, '[role=radiogroup]'])
);

test('the page sets its lang attribute, and the panel follows', { tag: '@hosts' }, async ({ page, frame, bridge }) => {
  await seed(bridge);
  await frame.open('inbox', { lang: 'de-DE' });
  await expect(page.locator('html')).toHaveAttribute('lang', 'de-DE');
  await expect(page.getByRole('tab', { name: /^Ungelesen/ })).toBeVisible();
  // The choice persists, as a user preference does.
  await frame.open('thresholds');
  await expect(
    page.getByRole('searchbox').or(page.getByPlaceholder('Endpunkte und Pakete suchen')).first()
  ).toBeVisible();
});

test('numbers are formatted and read as in the language', async ({ page, frame, bridge }) => {
  await seed(bridge);
  await frame.open('thresholds', { lang: 'de-DE' });
  const load = page.locator('[data-endpoint="dms-load"]');
  await expect(load).toContainText('Warnt über 0,75');
  const field = load.getByRole('spinbutton');
  await expect(field).toHaveValue('0,75');
  await field.fill('1.5');
  await expect(load.getByRole('alert')).toContainText('Komma für Dezimalstellen');
  await field.fill('1,5');
  await field.press('Enter');
  await expect(load).toContainText('Warnt über 1,5');
});

test('a language without translations shows English texts with its own dates and numbers', async ({
  page,
  frame,
  bridge,
}) => {
  await seed(bridge);
  await page.goto(`/a/${ID}/inbox?lang=fr-FR`);
  await expect(page.getByRole('tab', { name: /^Unread/ })).toBeVisible();
  await frame.open('inbox', { lang: 'en-US' });
});
