/** Checks of single values beyond the schema. Works on the parsed manifest, which omits members of a wrong type. */
import semver from 'semver';
import { isObject } from '../../../contract/text.ts';
import { quoteValue, label, nearest } from '../source/messages.ts';
import { type Path } from '../source/source.ts';
import {
  checkStyle,
  contentIdOf,
  isContentId,
  isRange,
  readLink,
  readPerson,
  readTimeout,
  readTimeoutLeniently,
  STYLES,
  TIMEOUT_SINCE,
  webLink,
} from './fields.ts';
import { entries, type Json, type Manifest, readText } from './manifest.ts';
import { reportDependencies } from './references.ts';
import type { ManifestReport } from '../report.ts';
import type { RuleId } from '../rules.ts';
import { VERSION } from './schema.ts';

/**
 * @param raw the manifest's value, for the indexes of entries
 * @param manifest the same, read
 */
export function reportValues(raw: Json, manifest: Partial<Manifest>, report: ManifestReport): void {
  reportVersion(manifest.version, ['version'], 'version-semver', report);
  const minimum = ['requirements', 'minimumDappnodeVersion'];
  reportVersion(manifest.requirements?.minimumDappnodeVersion, minimum, 'minimum-semver', report);
  reportShortDescription(manifest.shortDescription, report);
  reportPeople(raw, report);
  reportCategoryCount(manifest, report);
  reportDependencies(raw, manifest, report);
  reportUpdateAlerts(raw, report);
  reportTimeout(manifest, report);
  reportStyle(manifest, report);
  reportLinks(manifest, report);
  reportImages(manifest, report);
  reportLicense(manifest.license, report);
  if (manifest.disclaimer?.message.trim() === '') {
    const detail = 'Users would have to accept an empty text. Set the message, or remove the disclaimer.';
    report.at('disclaimer-empty', ['disclaimer', 'message'], 'The disclaimer is empty', detail);
  }
}

function reportVersion(version: string | undefined, path: Path, rule: RuleId, report: ManifestReport): void {
  if (version !== undefined && VERSION.test(version) && semver.valid(version) !== version) {
    const detail = `Found ${quoteValue(version)}. Expected MAJOR.MINOR.PATCH without leading zeros: 1.2.3.`;
    report.at(rule, path, `${label(path)} is not a semantic version`, detail);
  }
}

/** Markdown is searched for in this many characters only. */
const MARKDOWN_WITHIN = 1_000;
const MARKDOWN = /\[[^\]\n]+\]\([^)\n]+\)|\*\*[^*\n]+\*\*|`[^`\n]+`|^ {0,3}#{1,6} |^ {0,3}[-*+] |<\/?[a-z][^>\n]*>/im;

function reportShortDescription(text: string | undefined, report: ManifestReport): void {
  if (text === undefined) {
    return;
  }
  const path = ['shortDescription'];
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}\p{S}]/u.test(word)).length;
  if (words < 6 || words > 8) {
    const title = `shortDescription has ${words} word${words === 1 ? '' : 's'}`;
    report.at('short-description-words', path, title, '6 to 8 words are recommended.');
  }
  const markdown = MARKDOWN.exec(text.slice(0, MARKDOWN_WITHIN))?.[0].trim();
  if (markdown !== undefined) {
    const detail = `Found ${quoteValue(markdown)}. Markdown is not rendered here. Use plain text.`;
    report.at('short-description-markdown', path, 'shortDescription contains Markdown', detail);
  }
}

function reportPeople({ author, contributors }: Json, report: ManifestReport): void {
  const people = [
    ...entries([author], readText).map(([, text]) => ({ text, path: ['author'], who: 'author' })),
    ...entries(contributors, readText).map(([place, text]) => {
      return { text, path: ['contributors', place], who: 'A contributor' };
    }),
  ];
  // An empty one is reported as empty.
  for (const { text, path, who } of people.filter((one) => one.text !== '')) {
    const { person, wrong } = readPerson(text);
    const form = 'name <email> (https://…)';
    if (wrong !== undefined) {
      const detail = `Found ${quoteValue(text)}. ${wrong} Expected: ${form}.`;
      report.at('person', path, `${who} has an invalid format`, detail);
    } else if (person.url === undefined) {
      const detail = `Found ${quoteValue(text)}. The complete format is: ${form}.`;
      report.at('person-address', path, `${who} has no profile URL`, detail);
    }
  }
}

function reportCategoryCount({ categories, type }: Partial<Manifest>, report: ManifestReport): void {
  if (categories === undefined) {
    if (type === 'service' && !report.has(['categories'])) {
      report.at('category-none', ['categories'], 'No categories', 'One or two categories help users find the package.');
    }
  } else if (categories.length === 0 || categories.length > 2) {
    const detail = 'One or two categories are recommended.';
    report.at('category-count', ['categories'], `${categories.length} categories`, detail);
  }
}

function reportUpdateAlerts({ updateAlerts }: Json, report: ManifestReport): void {
  for (const [place, alert] of entries(updateAlerts, (entry) => (isObject(entry) ? entry : undefined))) {
    for (const member of ['from', 'to']) {
      const range = alert[member];
      if (typeof range === 'string' && range !== '' && !isRange(range)) {
        const detail = `Found ${quoteValue(range)}. Expected a semantic version range, for example <2.0.0 or 1.x.`;
        const title = `updateAlerts ${member} is not a version range`;
        report.at('update-range', ['updateAlerts', place, member], title, detail);
      }
    }
  }
}

function reportTimeout({ dockerTimeout, requirements }: Partial<Manifest>, report: ManifestReport): void {
  if (dockerTimeout === undefined) {
    return;
  }
  const path = ['dockerTimeout'];
  if (readTimeout(dockerTimeout) === undefined) {
    const detail = `Found ${quoteValue(dockerTimeout)}. Expected seconds such as "120" or a duration such as "20min" or "1h 30m".`;
    const rule = readTimeoutLeniently(dockerTimeout) === undefined ? 'timeout' : 'timeout-format';
    report.at(rule, path, 'dockerTimeout is not a duration', detail);
  }
  const minimum = requirements?.minimumDappnodeVersion;
  const since = `Package managers before ${TIMEOUT_SINCE} ignore dockerTimeout`;
  if (minimum === undefined) {
    const detail = `${since}. Consider setting requirements.minimumDappnodeVersion.`;
    report.at('timeout-no-minimum', path, `dockerTimeout requires ${TIMEOUT_SINCE}`, detail);
  } else if (semver.valid(minimum) !== null && semver.lt(minimum, TIMEOUT_SINCE)) {
    const detail = `${since}, but minimumDappnodeVersion is ${minimum}. Raise it.`;
    report.at('timeout-minimum', path, `dockerTimeout requires ${TIMEOUT_SINCE}`, detail);
  }
}

function reportStyle({ style = {} }: Partial<Manifest>, report: ManifestReport): void {
  for (const member of Object.keys(STYLES) as (keyof typeof STYLES)[]) {
    const value = style[member];
    const check = value === undefined ? undefined : checkStyle(member, value);
    if (check?.ok === true && check.value !== value) {
      const used = check.value === undefined ? 'The default of the page is used' : `${quoteValue(check.value)} is used`;
      report.at('style-cleaned', ['style', member], `${member} is cleaned`, `Found ${quoteValue(value)}. ${used}.`);
    }
    if (check?.ok === false) {
      const title = check.rule === 'style-value' ? `${member} is not valid CSS` : `${member} is ignored`;
      report.at(check.rule, ['style', member], title, `Found ${quoteValue(value)}. ${check.why}`);
    }
  }
}

function reportLinks({ links = {}, bugs, repository }: Partial<Manifest>, report: ManifestReport): void {
  const add = (path: Path, address: string, allowed: string): void => {
    const detail = `Found ${quoteValue(address)}. It is ignored. Expected ${allowed}.`;
    report.at('link', path, `${label(path)} is not a link`, detail);
  };
  for (const [key, address] of Object.entries(links)) {
    if (readLink(key, address) === undefined) {
      add(report.has(['links', key]) ? ['links', key] : ['links'], address, 'a URL or a path');
    }
  }
  if (bugs !== undefined && webLink(bugs.url) === undefined) {
    add(['bugs', 'url'], bugs.url, 'an http(s) URL');
  }
  if (repository !== undefined && /^\s*(?:javascript|data|vbscript|file):/i.test(repository.url)) {
    add(['repository', 'url'], repository.url, 'a repository URL');
  }
}

/** Images by CID, which only DAppNode defines. */
function reportImages(manifest: Partial<Manifest>, report: ManifestReport): void {
  const image = manifest.image as { hash?: unknown } | null | undefined;
  const candidates: [Path, unknown][] = [
    [['avatar'], manifest.avatar],
    [['image', 'hash'], typeof image === 'object' ? image?.hash : undefined],
  ];
  for (const [path, address] of candidates) {
    const id = typeof address === 'string' ? contentIdOf(address) : undefined;
    if (id !== undefined && !isContentId(id)) {
      const detail = `Found ${quoteValue(address)}. The part after /ipfs/ is not a valid content identifier (CID).`;
      report.at('image-address', path, `${label(path)} has an invalid CID`, detail);
    }
  }
}

/** The most common SPDX identifiers of packages. */
const LICENSES = [
  ...['GPL-3.0', 'GPL-3.0-only', 'GPL-3.0-or-later', 'GPL-2.0', 'LGPL-3.0', 'AGPL-3.0', 'Apache-2.0', 'MIT', 'MPL-2.0'],
  ...['BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'Unlicense', 'BUSL-1.1', 'CC0-1.0'],
];

function reportLicense(license: string | undefined, report: ManifestReport): void {
  if (license === undefined || LICENSES.includes(license) || license.length < 5) {
    return;
  }
  const spaced = license.replaceAll(' ', '-');
  const meant = nearest(spaced, LICENSES);
  // short names are similar to those of other licenses
  if (meant !== undefined && Math.abs(meant.length - spaced.length) <= 2 && firstDigit(meant) === firstDigit(spaced)) {
    const detail = `Found ${quoteValue(license)}. Did you mean ${meant}?`;
    report.at('license-spelling', ['license'], 'Uncommon license', detail);
  }
}

const firstDigit = (text: string): string | undefined => /\d/.exec(text)?.[0];
