/** Turns schema violations into findings. */
import { type z } from 'zod';
import { quoteValue, label, joinList, nameAdvice, nearest } from '../messages.ts';
import { type Path, pointerOf } from './document.ts';
import { type Report, type RuleId, RULES } from './rules.ts';
import { manifestSchemas } from './schema.ts';

type Issue = z.core.$ZodIssue;
interface Refusal {
  rule: RuleId;
  path: Path;
  /** Allowed types or values. */
  allowed: string[];
}

/**
 * Reports violations of the schema of the dialect.
 * @param value the manifest
 * @param explained pointers that already have a more specific finding
 */
export function reportSchemaViolations(value: unknown, report: Report, explained: ReadonlySet<string>): void {
  const { error } = manifestSchemas[report.dialect].safeParse(value);
  for (const issue of error?.issues ?? []) {
    for (const refusal of refusals(issue, [])) {
      if (!explained.has(pointerOf(refusal.path))) {
        reportRefusal(refusal, report, value);
      }
    }
  }
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

function refusals(issue: Issue, above: Path): Refusal[] {
  const path = [...above, ...(issue.path as (string | number)[])];
  if (issue.code === 'invalid_union') {
    // The first branch is the form of the specification, which is recommended in both dialects.
    const meant = issue.errors.find((branch) => !branch.some(isOfOtherType));
    return meant
      ? meant.flatMap((inner) => refusals(inner, path))
      : [{ rule: 'type', path, allowed: (issue.errors[0] ?? []).flatMap(typeName) }];
  }
  if (Object.hasOwn(RULES, issue.message)) {
    return [{ rule: issue.message as RuleId, path, allowed: [] }];
  }
  if (issue.code === 'invalid_key') {
    return [{ rule: 'dependency-name', path, allowed: [] }];
  }
  return issue.code === 'invalid_value'
    ? [{ rule: 'unlisted-value', path, allowed: issue.values.map(String) }]
    : [{ rule: 'type', path, allowed: typeName(issue) }];
}

const isOfOtherType = ({ code, path, message }: Issue): boolean =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_value') && !Object.hasOwn(RULES, message);
const typeName = (issue: Issue): string[] =>
  issue.code === 'invalid_type' ? [TYPE_NAMES[issue.expected] ?? issue.expected] : [];

function reportRefusal(refusal: Refusal, report: Report, root: unknown): void {
  const { path } = refusal;
  if (path.length === 0) {
    report.add(
      'not-an-object',
      path,
      'Not an object',
      `Found ${quoteValue(root)}. Expected an object: { "name": …, … }.`
    );
  } else if (!report.has(path)) {
    const last = String(path.at(-1));
    const title = `${label(path)} is missing`;
    report.add(
      'required',
      path,
      title,
      REQUIRED[path.length === 1 ? last : `*/${last}`] ?? `${last} is required in every entry.`
    );
  } else {
    const value = at(root, path);
    const [title, detail] = (MESSAGES[refusal.rule] ?? typeMessage)(value, refusal);
    report.add(refusal.rule, path, title, detail, refusal.rule === 'dependency-name' ? 'key' : 'value');
  }
}

const at = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<string | number, unknown> | undefined)?.[step], root);

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
};

type Message = (value: unknown, refusal: Refusal) => [title: string, detail: string];

const typeMessage: Message = (value, { path, allowed }) => {
  const expected = joinList(allowed, 'or');
  return [`${label(path)} is not ${expected}`, `Found ${quoteValue(value)}. Expected ${expected}.`];
};

const MESSAGES: Partial<Record<RuleId, Message>> = {
  type: typeMessage,
  empty: (_value, { path }) => [
    `${label(path)} is empty`,
    'At least one character is required. Set a value, or remove the member if it is optional.',
  ],
  'unlisted-value': (value, { path, allowed }) => {
    const meant = typeof value === 'string' ? (ALIASES[value.toLowerCase()] ?? nearest(value, allowed)) : undefined;
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

const ALIASES: Record<string, string> = {
  amd64: 'linux/amd64',
  x86_64: 'linux/amd64',
  'x86-64': 'linux/amd64',
  arm64: 'linux/arm64',
  aarch64: 'linux/arm64',
};

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
