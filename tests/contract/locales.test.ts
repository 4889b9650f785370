/**
 * Translations. English is extracted from the source; the other languages are written by hand and must match it: the same keys,
 * variables and tags, no missing text, and all plural forms of the language.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..', '..');
const LOCALES = path.join(ROOT, 'src', 'locales');
const readJson = (...file: string[]): unknown => JSON.parse(readFileSync(path.join(...file), 'utf8'));

interface PluginJson {
  id: string;
  languages: string[];
  includes: { name: string; path: string }[];
}
const app = readJson(ROOT, 'plugin.json') as PluginJson;
const PANELS = readdirSync(path.join(ROOT, 'src', 'panels')).map((name) => `src/panels/${name}/plugin.json`);

type Texts = Record<string, string>;

/** Key to text. */
function flat(value: unknown, prefix = ''): Texts {
  return Object.fromEntries(
    Object.entries(value as Record<string, unknown>).flatMap(([key, inner]) =>
      typeof inner === 'string' ? [[prefix + key, inner]] : Object.entries(flat(inner, `${prefix}${key}.`))
    )
  );
}

const textsOf = (language: string): Texts => flat(readJson(LOCALES, language, `${app.id}.json`));

const english = textsOf('en-US');
const PLURAL = /_(zero|one|two|few|many|other)$/;
const withoutForm = (key: string): string => key.replace(PLURAL, '');

/** Keys that have plural forms, without the form. */
const pluralsOf = (texts: Texts): Set<string> =>
  new Set(Object.keys(texts).flatMap((key) => (key.endsWith('_other') ? [withoutForm(key)] : [])));

/** `{{name, number}}` and `<1>`, sorted: a translation may reorder them. */
const marksOf = (text: string): string[] => (text.match(/\{\{[^}]*\}\}|<\/?\d+>/g) ?? []).sort();

test('English matches the source, without unused texts (npm run i18n)', async () => {
  const cli = path.join(ROOT, 'node_modules', 'i18next-cli', 'dist', 'esm', 'cli.js');
  const args = [cli, 'extract', '--sync-all', '--ci', '--dry-run', '--quiet'];
  const outcome = await promisify(execFile)(process.execPath, args, { cwd: ROOT }).then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr
  );
  expect(outcome).toBe('');
});

test('each plugin lists all languages', () => {
  const languages = readdirSync(LOCALES).sort();
  for (const file of ['plugin.json', ...PANELS]) {
    expect((readJson(ROOT, file) as PluginJson).languages.toSorted(), file).toEqual(languages);
  }
});

test('each page has a translated title, equal to its name in the menu in English', () => {
  const pages = app.includes.filter(({ path: url }) => url.startsWith('/a/'));
  expect(pages.length).toBeGreaterThan(5);
  const named = pages.map(({ name, path: url }) => [`parts.page.${path.basename(url)}`, name]);
  expect(Object.fromEntries(named)).toEqual(
    Object.fromEntries(Object.entries(english).filter(([key]) => key.startsWith('parts.page.')))
  );
});

describe.each(app.languages.filter((language) => language !== 'en-US'))('%s', (language) => {
  const texts = textsOf(language);

  test('has a text for each English one', () => {
    expect(new Set(Object.keys(texts).map(withoutForm))).toEqual(new Set(Object.keys(english).map(withoutForm)));
    expect(Object.keys(texts).filter((key) => texts[key]?.trim() === '')).toEqual([]);
  });

  test('has all plural forms of the language for each counted text', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const wanted = [...pluralsOf(english)].flatMap((key) => forms.map((form) => `${key}_${form}`));
    expect(
      Object.keys(texts)
        .filter((key) => PLURAL.test(key))
        .sort()
    ).toEqual(wanted.sort());
  });

  test('keeps variables, numbers and tags', () => {
    const different = Object.entries(texts).filter(([key, text]) => {
      const original = english[key] ?? english[`${withoutForm(key)}_other`] ?? '';
      return marksOf(text).join() !== marksOf(original).join() && !isSpelledOut(key, text, original);
    });
    expect(different).toEqual([]);
  });

  test('differs from English', () => {
    // Texts that are the same in both are short, never sentences.
    const same = Object.entries(texts).filter(([key, text]) => text === english[key] && text.split(' ').length > 3);
    expect(same).toEqual([]);
  });
});

/** One word for each of our terms, which every text with the English one uses; Grafana's own translations where it has the term. */
const GLOSSARY: Record<string, [english: RegExp, translation: RegExp][]> = {
  'de-DE': [
    [/\bthreads?\b/i, /vorg[aä]ng/i],
    [/\bthresholds?\b/i, /schwellenwert/i],
    [/\bsilences?\b/i, /stumm/i],
    [/\balert rules?\b/i, /warnregel/i],
    [/\bprovision/i, /provision/i],
    [/(?<!\{)\balerts?\b/i, /warn/i],
  ],
  'es-ES': [
    [/\bthreads?\b/i, /\bhilos?\b/i],
    [/\bthresholds?\b/i, /umbral/i],
    [/\bsilences?\b/i, /silenci/i],
    [/\backnowledge/i, /recono/i],
    [/\bprovision/i, /provision/i],
  ],
};

test.each(Object.keys(GLOSSARY))('%s has one word for each term', (language) => {
  const others = Object.entries(textsOf(language)).filter(([key, text]) => {
    const original = english[key] ?? english[`${withoutForm(key)}_other`] ?? '';
    return GLOSSARY[language]!.some(([term, translation]) => term.test(original) && !translation.test(text));
  });
  expect(others).toEqual([]);
});

/** The singular may omit the number: "each second". */
const isSpelledOut = (key: string, text: string, original: string): boolean =>
  key.endsWith('_one') && marksOf(text).join() === marksOf(original.replace(/\{\{count[^}]*\}\}/, '')).join();
