/** Members and values on which DAppNode and the specification differ, and unknown members. */
import { z } from 'zod';
import { isObject } from '../../../contract/text.ts';
import { quoteValue, label, joinList, nearest, plain } from '../source/messages.ts';
import { type Path, pointerOf } from '../source/source.ts';
import type { Authority } from '../authority.ts';
import type { ManifestReport } from '../report.ts';
import { ruleOf, type RuleId } from '../rules.ts';
import { CATEGORIES, CHAINS, OTHER_CATEGORIES, manifestSchemas, OTHER_CHAINS, UPDATE_WARNINGS } from './schema.ts';

interface Level {
  /** Defined in the specification. */
  known: readonly string[];
  /** Used by real packages only. */
  foreign: readonly string[];
}

/** Members at the top of real packages that neither schema has. */
const UNLISTED = [
  ...['avatar', 'avatarUrl', 'icon', 'image', 'title', 'autoupdate', 'builddate', 'homepage', 'ui', 'gettingStarted'],
  ...['setupWizard', 'setupSchema', 'setupTarget', 'setupUiJson', 'setupUiSchema', 'notifications'],
  ...['grafanaDashboards', 'prometheusTargets'],
];

/** Paths of objects; `*` is each entry of an array. */
const PATHS = [
  ...['', 'requirements', 'globalEnvs', 'globalEnvs/*', 'chain', 'backup/*', 'warnings', 'updateAlerts/*'],
  ...['disclaimer', 'style', 'exposable/*', 'repository', 'bugs'],
];

/** Levels by path. The schema of the specification also has members that only DAppNode validates: without a type. */
export const LEVELS: Readonly<Record<string, Level>> = Object.fromEntries(PATHS.map((path) => [path, levelAt(path)]));

function levelAt(path: string): Level {
  const [spec, dappnode] = [manifestSchemas.spec, manifestSchemas.dappnode].map((schema) => {
    const [member = '', each] = path.split('/');
    return member === '' ? schema.shape : shapeOf((schema.shape as Shape)[member], each !== undefined);
  }) as [Shape, Shape];
  const known = Object.keys(spec).filter((member) => member === '$schema' || isTyped(spec[member]));
  const others = path === '' ? UNLISTED : path === 'exposable/*' ? ['dnpName'] : [];
  const all = new Set([...Object.keys(spec), ...Object.keys(dappnode), ...others]);
  return { known, foreign: [...all].filter((member) => !known.includes(member)) };
}

type Shape = Readonly<Record<string, z.ZodType>>;

/** The members of an object, or of the entries of an array. */
function shapeOf(schema: unknown, isList: boolean): Shape {
  if (schema instanceof z.ZodOptional) {
    return shapeOf(schema.unwrap(), isList);
  }
  if (schema instanceof z.ZodUnion) {
    return Object.assign({}, ...schema.options.map((option) => shapeOf(option, isList))) as Shape;
  }
  const whole = isList && schema instanceof z.ZodArray ? schema.element : isList ? undefined : schema;
  return whole instanceof z.ZodObject ? whole.shape : {};
}

function isTyped(schema: unknown): boolean {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return !(inner instanceof z.ZodUnknown || inner instanceof z.ZodNever);
}

/** Objects that the specification does not define, or that have a rule of their own. */
const REPORTED_ELSEWHERE = new Set(['globalEnvs/*', 'chain', 'warnings']);

/** The object of each member that exists in a single object only. */
const PLACES = new Map(
  Object.entries(LEVELS)
    .filter(([level]) => level !== '' && !level.endsWith('*'))
    .flatMap(([level, { known }]) => known.map((member) => [member, level] as const))
    .filter(([member], _at, all) => all.filter(([other]) => other === member).length === 1)
);
/** Common alternative names of members. */
const SYNONYMS: Record<string, string> = { repo: 'repository', chainDriver: 'chain', licence: 'license' };

/** Reports unknown members, and members that only DAppNode defines. */
export function reportMembers(manifest: Record<string, unknown>, report: ManifestReport): void {
  for (const level of Object.keys(LEVELS)) {
    const [member = '', each] = level.split('/');
    const value = member === '' ? manifest : manifest[member];
    if (each === undefined) {
      reportLevel(level, value, member === '' ? [] : [member], report);
    } else if (Array.isArray(value)) {
      value.forEach((entry, place) => reportLevel(level, entry, [member, place], report));
    }
  }
}

function reportLevel(level: string, value: unknown, path: Path, report: ManifestReport): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return;
  }
  const { known, foreign } = LEVELS[level]!;
  for (const member of Object.keys(value)) {
    if (foreign.includes(member)) {
      if (!REPORTED_ELSEWHERE.has(level)) {
        const title = `${label([...path, member])} is specific to DAppNode`;
        report.at('dialect-member', [...path, member], title, 'The specification does not define this member.', 'key');
      }
    } else if (!known.includes(member)) {
      const advice = adviceFor(member, level, [...known, ...foreign]);
      report.at('unknown-member', [...path, member], `Unknown member ${plain(member)}`, advice, 'key');
    }
  }
}

function adviceFor(member: string, level: string, allowed: readonly string[]): string {
  const kept = 'It has no effect.';
  const place = PLACES.get(member);
  if (place !== undefined && place !== level) {
    return `Move it to ${place}. It has no effect here.`;
  }
  const meant =
    (level === '' && Object.hasOwn(SYNONYMS, member) ? SYNONYMS[member] : undefined) ?? nearest(member, allowed);
  return meant === undefined ? kept : `Did you mean ${meant}? ${kept}`;
}

type Json = Record<string, unknown>;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/**
 * Reports forms that differ.
 * @returns pointers with a finding, for which schema violations are not reported again
 */
export function reportDialect(manifest: Json, report: ManifestReport): Set<string> {
  const explained = new Set<string>();
  const add: Add = (rule, path, title, detail, what) => {
    report.at(rule, path, title, detail, what);
    if (ruleOf(rule)[report.authority] === 'error') {
      explained.add(pointerOf(path));
    }
  };
  reportChain(manifest, report.authority, add);
  reportCategories(manifest, report.authority, add);
  reportWarnings(manifest, add);
  reportGlobalEnvs(manifest, report.authority, add);
  if (typeof manifest.links === 'string') {
    const detail = `Found a string. Use { "homepage": ${JSON.stringify(manifest.links.slice(0, 80))} }.`;
    add('links-text', ['links'], 'links must be an object', detail);
  }
  reportUpstream(manifest, add);
  return explained;
}

type Add = (rule: RuleId, path: Path, title: string, detail: string, what?: 'value' | 'key') => void;

function reportChain({ chain }: Json, authority: Authority, add: Add): void {
  const supported: readonly string[] = authority === 'spec' ? CHAINS : [...CHAINS, ...OTHER_CHAINS];
  if (isObject(chain)) {
    const driver = typeof chain.driver === 'string' ? chain.driver : undefined;
    const detail =
      driver !== undefined && supported.includes(driver) && Object.keys(chain).length === 1
        ? `Use "chain": "${driver}".`
        : 'The specification defines a string: ethereum, bitcoin or monero. Only DAppNode defines the object.';
    add('chain-object', ['chain'], 'chain is an object', detail);
  }
  const [driver, path] = isObject(chain) ? [chain.driver, ['chain', 'driver']] : [chain, ['chain']];
  if (typeof driver === 'string' && !supported.includes(driver)) {
    if (isObject(chain) && (OTHER_CHAINS as readonly string[]).includes(driver)) {
      return; // reported as an object
    }
    const detail = unlisted(driver, supported, OTHER_CHAINS);
    add('chain-unlisted', path, 'chain has an unsupported driver', detail);
  }
}

function reportCategories({ categories }: Json, authority: Authority, add: Add): void {
  const listed: readonly string[] = authority === 'spec' ? CATEGORIES : [...CATEGORIES, ...OTHER_CATEGORIES];
  for (const [place, category] of list(categories).entries()) {
    if (typeof category === 'string' && !listed.includes(category)) {
      const detail = unlisted(category, listed, OTHER_CATEGORIES);
      add('category-unlisted', ['categories', place], 'Unlisted category', detail);
    }
  }
}

/** @param others values that only DAppNode allows */
function unlisted(found: string, allowed: readonly string[], others: readonly string[]): string {
  const meant = nearest(found, allowed);
  const advice = others.includes(found)
    ? 'Only DAppNode allows it.'
    : meant === undefined
      ? `Allowed values: ${joinList(allowed)}.`
      : `Did you mean ${meant}?`;
  return `Found ${quoteValue(found)}. ${advice}`;
}

function reportWarnings({ warnings }: Json, add: Add): void {
  if (!isObject(warnings)) {
    return;
  }
  const numbered = UPDATE_WARNINGS.filter((member) => Object.hasOwn(warnings, member));
  for (const member of numbered) {
    const detail = 'The specification defines onUpdate, which applies to every update.';
    add('update-warning', ['warnings', member], `warnings ${member} is specific to DAppNode`, detail, 'key');
  }
  if (Object.hasOwn(warnings, 'onUpdate') && numbered.length === 0) {
    const detail = `DAppNode reads ${joinList(UPDATE_WARNINGS)} instead. Set those that apply.`;
    add('update-warning-unread', ['warnings', 'onUpdate'], 'DAppNode never shows onUpdate', detail, 'key');
  }
}

function reportGlobalEnvs({ globalEnvs }: Json, authority: Authority, add: Add): void {
  if (Array.isArray(globalEnvs)) {
    const detail = 'The specification defines an object: { "all": true }. Only DAppNode defines the list.';
    add('global-envs-list', ['globalEnvs'], 'globalEnvs is a list', detail);
  }
  const all = isObject(globalEnvs) && authority === 'spec' ? globalEnvs.all : undefined;
  if (all === 'true' || all === 'false') {
    const detail = `Found “${all}”. Expected ${all}, without quotes.`;
    add('other-type', ['globalEnvs', 'all'], 'globalEnvs all is not a boolean', detail);
  }
}

function reportUpstream(manifest: Json, add: Add): void {
  const beside = ['upstreamVersion', 'upstreamRepo', 'upstreamArg'].filter((member) => Object.hasOwn(manifest, member));
  // Another type is reported at the same position.
  if (Array.isArray(manifest.upstream) && beside.length > 0) {
    const detail = `DAppNode rejects upstream next to ${joinList(beside)}. Keep upstream, or the others.`;
    add('upstream-twice', ['upstream'], 'Duplicate upstream', detail, 'key');
  }
}
