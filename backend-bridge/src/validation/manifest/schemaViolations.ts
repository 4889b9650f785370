/** Turns schema violations into findings. */
import { quoteValue, label, joinList, nameAdvice, nearest } from '../source/messages.ts';
import { type Converted, typeName, valueAt, type Violation, violationsOf } from '../violations.ts';
import { type Path, pointerOf } from '../source/source.ts';
import type { ManifestReport } from '../report.ts';
import { type RuleId, RULES } from '../rules.ts';
import { manifestSchemas } from './schema.ts';

interface Refusal {
  rule: RuleId;
  path: Path;
  /** Allowed types or values. */
  allowed: string[];
}

function refusalOf({ path, types, issue }: Violation): Refusal {
  if (Object.hasOwn(RULES, issue.message)) {
    return { rule: issue.message as RuleId, path, allowed: types };
  }
  if (types.length > 0) {
    return { rule: 'type', path, allowed: types };
  }
  return issue.code === 'invalid_value'
    ? { rule: 'unlisted-value', path, allowed: issue.values.map(String) }
    : { rule: 'dependency-name', path, allowed: [] };
}

/**
 * Reports violations of the authority's schema, and what DAppNode converts.
 * @param value the manifest
 * @param dappnode the same, as DAppNode reads it
 * @param explained pointers that already have a more specific finding
 */
export function reportSchemaViolations(
  value: unknown,
  dappnode: Converted,
  report: ManifestReport,
  explained: ReadonlySet<string>
): void {
  const isSpec = report.authority === 'spec';
  const refused = dappnode.violations.map(refusalOf);
  const places = new Set(refused.map(({ path }) => pointerOf(path)));
  const conversions = new Map(dappnode.conversions.map(({ path, type }) => [pointerOf(path), { path, type }] as const));
  places.forEach((place) => conversions.delete(place));
  const bySpec = violationsOf(manifestSchemas.spec, isSpec ? value : dappnode.value).map(refusalOf);
  const isConverted = ({ rule, path }: Refusal): boolean => rule === 'type' && conversions.has(pointerOf(path));
  const found = isSpec
    ? bySpec.filter((one) => !isConverted(one))
    : // What only the specification rejects is a recommendation here.
      [...refused, ...bySpec.filter(({ rule }) => RULES[rule].dappnode === 'warning')];
  for (const refusal of found) {
    if (!explained.has(pointerOf(refusal.path))) {
      reportRefusal(refusal, report, value);
    }
  }
  const shown = new Set(isSpec ? bySpec.filter(isConverted).map(({ path }) => pointerOf(path)) : conversions.keys());
  for (const [pointer, { path, type }] of conversions) {
    if (shown.has(pointer) && ![...explained].some((one) => pointer === one || pointer.startsWith(`${one}/`))) {
      const detail = `Found ${quoteValue(valueAt(value, path))}. DAppNode converts it, other programs may not.`;
      report.at('other-type', path, `${label(path)} must be ${typeName(type)}`, detail);
    }
  }
}

function reportRefusal(refusal: Refusal, report: ManifestReport, root: unknown): void {
  const { path } = refusal;
  if (path.length === 0) {
    report.at(
      'not-an-object',
      path,
      'Not an object',
      `Found ${quoteValue(root)}. Expected an object: { "name": …, … }.`
    );
  } else if (!report.has(path)) {
    const last = String(path.at(-1));
    const title = `${label(path)} is missing`;
    report.at(
      'required',
      path,
      title,
      REQUIRED[path.length === 1 ? last : `*/${last}`] ?? `${last} is required in every entry.`
    );
  } else {
    const value = valueAt(root, path);
    const [title, detail] = (MESSAGES[refusal.rule] ?? typeMessage)(value, refusal);
    report.at(refusal.rule, path, title, detail, refusal.rule === 'dependency-name' ? 'key' : 'value');
  }
}

const REQUIRED: Record<string, string> = {
  name: 'Set the name of the package, for example "name": "my-node.public.dappnode.eth".',
  version: 'Set the version of the package, for example "version": "0.1.0".',
  description: 'Set a description. Markdown is supported.',
  type: 'Set the type: service, library or dncore. Most packages are services.',
  license: 'Set the license, for example "license": "GPL-3.0".',
  '*/path': 'Backup entries require the absolute path of a file or folder.',
  '*/port': 'Exposable services require the port they listen on.',
  '*/message': 'Set the message to show.',
  '*/from': 'Update alerts require the version range to update from.',
  '*/url': 'Set a URL.',
  '*/repo': 'DAppNode requires repo, version and arg in each entry of upstream.',
  '*/arg': 'DAppNode requires repo, version and arg in each entry of upstream.',
};

type Message = (value: unknown, refusal: Refusal) => [title: string, detail: string];

const typeMessage: Message = (value, { path, allowed }) => {
  const expected = joinList(
    [...new Set(allowed)].map((type) => typeName(type)),
    'or'
  );
  return [`${label(path)} must be ${expected}`, `Found ${quoteValue(value)}. Expected ${expected}.`];
};

const MESSAGES: Partial<Record<RuleId, Message>> = {
  type: typeMessage,
  empty: (_value, { path }) => [
    `${label(path)} is empty`,
    'At least one character is required. Set a value, or remove the member if it is optional.',
  ],
  'unlisted-value': (value, { path, allowed }) => {
    const meant = typeof value === 'string' ? (ALIASES.get(value.toLowerCase()) ?? nearest(value, allowed)) : undefined;
    const advice = meant ? `Did you mean ${meant}? Allowed values:` : 'Expected';
    return [`${label(path)} has an invalid value`, `Found ${quoteValue(value)}. ${advice} ${joinList(allowed, 'or')}.`];
  },
  'version-format': (value, { path }) => [
    `${label(path)} is not a version`,
    `Found ${quoteValue(value)}. ${versionAdvice(String(value), path)}`,
  ],
  'name-format': (value) => ['name is not a package name', `Found ${quoteValue(value)}. ${nameAdvice(String(value))}`],
  'dependency-name': (_value, { path }) => {
    const name = String(path.at(-1));
    return ['A dependency is not a package name', `Found ${quoteValue(name)}. ${nameAdvice(name)}`];
  },
  'backup-path': (value) => pathMessage(String(value)),
  'port-range': (value, { path }) => [
    `${label(path)} is not a port number`,
    `Found ${quoteValue(value)}. Expected an integer from 1 to 65535.`,
  ],
};

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['amd64', 'linux/amd64'],
  ['x86_64', 'linux/amd64'],
  ['x86-64', 'linux/amd64'],
  ['arm64', 'linux/arm64'],
  ['aarch64', 'linux/arm64'],
]);

function versionAdvice(version: string, path: Path): string {
  const [, numbers, suffix] = /^\s*[vV]?(\d{1,9}\.\d{1,9}\.\d{1,9})(?!\d)(.*)$/s.exec(version) ?? [];
  if (numbers === undefined) {
    return 'Expected MAJOR.MINOR.PATCH, for example 1.2.3.';
  }
  const belongs = path[0] === 'version' && suffix !== '' ? ' and move the suffix to upstreamVersion' : '';
  return `Use ${numbers}${belongs}.`;
}

function pathMessage(path: string): [string, string] {
  if (path.startsWith('~')) {
    const rest = path.replace(/^~[^/]*\/*/, '/');
    return [
      'backup path is not absolute',
      `Found ${quoteValue(path)}. “~” is not expanded. Use ${quoteValue(rest).slice(1, -1)}.`,
    ];
  }
  return path.startsWith('/')
    ? ['backup path contains a ~', `Found ${quoteValue(path)}. Use the full path in the container, without “~”.`]
    : [
        'backup path is not absolute',
        `Found ${quoteValue(path)}. Use the full path in the container, starting with /.`,
      ];
}
