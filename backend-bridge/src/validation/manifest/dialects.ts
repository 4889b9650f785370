/** Members and values outside of the specification: unknown members, and what real packages use (dialect `dappnode`). */
import { quoteValue, label, joinList, nearest, plain } from '../messages.ts';
import { type Path, pointerOf } from './document.ts';
import type { Report, RuleId } from './rules.ts';
import { CATEGORIES, CHAINS, PORT, UPDATE_WARNINGS } from './schema.ts';

interface Level {
  /** Defined in the specification. */
  known: readonly string[];
  /** Used by real packages only. */
  foreign?: readonly string[];
}

/** By path; `*` is each entry of an array. `$schema` is for editors. */
export const LEVELS: Record<string, Level> = {
  '': {
    known: [
      '$schema',
      ...['name', 'version', 'upstreamVersion', 'shortDescription', 'description', 'type', 'chain', 'mainService'],
      ...[
        'dockerTimeout',
        'dependencies',
        'requirements',
        'globalEnvs',
        'architectures',
        'backup',
        'changelog',
        'warnings',
      ],
      ...[
        'updateAlerts',
        'disclaimer',
        'style',
        'exposable',
        'author',
        'contributors',
        'categories',
        'keywords',
        'links',
      ],
      ...['repository', 'bugs', 'license'],
    ],
    foreign: [
      ...['upstream', 'upstreamRepo', 'upstreamArg', 'optionalDependencies', 'runOrder', 'restartCommand'],
      ...[
        'restartLaunchCommand',
        'avatar',
        'avatarUrl',
        'icon',
        'image',
        'title',
        'autoupdate',
        'builddate',
        'homepage',
        'ui',
      ],
      ...[
        'gettingStarted',
        'setupWizard',
        'setupSchema',
        'setupTarget',
        'setupUiJson',
        'setupUiSchema',
        'notifications',
      ],
      ...['grafanaDashboards', 'prometheusTargets'],
    ],
  },
  requirements: { known: ['minimumDappnodeVersion'], foreign: ['minimumDockerVersion', 'notInstalledPackages'] },
  globalEnvs: { known: ['all'] },
  'globalEnvs/*': { known: [], foreign: ['envs', 'services'] },
  chain: { known: [], foreign: ['driver', 'serviceName', 'portNumber'] },
  'backup/*': { known: ['name', 'path', 'service'] },
  warnings: {
    known: ['onInstall', 'onUpdate', 'onReset', 'onRemove'],
    foreign: ['onPatchUpdate', 'onMinorUpdate', 'onMajorUpdate'],
  },
  'updateAlerts/*': { known: ['from', 'to', 'message'] },
  disclaimer: { known: ['message'] },
  style: { known: ['featuredBackground', 'featuredColor', 'featuredAvatarFilter'] },
  'exposable/*': {
    known: ['name', 'description', 'serviceName', 'port', 'fromSubdomain'],
    foreign: ['exposeByDefault', 'external', 'dnpName'],
  },
  repository: { known: ['type', 'url', 'directory'] },
  bugs: { known: ['url'] },
};

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

/** Reports unknown members, and members of the dialect `dappnode`. */
export function reportMembers(manifest: Record<string, unknown>, report: Report): void {
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

function reportLevel(level: string, value: unknown, path: Path, report: Report): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return;
  }
  const { known, foreign = [] } = LEVELS[level]!;
  for (const member of Object.keys(value)) {
    if (foreign.includes(member)) {
      if (!REPORTED_ELSEWHERE.has(level)) {
        const title = `${label([...path, member])} is specific to DAppNode`;
        report.add('dialect-member', [...path, member], title, 'The specification does not define this member.', 'key');
      }
    } else if (!known.includes(member)) {
      const advice = adviceFor(member, level, [...known, ...foreign]);
      report.add('unknown-member', [...path, member], `Unknown member ${plain(member)}`, advice, 'key');
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
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Drivers of real packages that the specification does not define. */
export const OTHER_CHAINS = ['ethereum-beacon-chain', 'ethereum2-beacon-chain-prysm'] as const;
const OTHER_CATEGORIES = ['Lido', 'DVT', 'LSD', 'AI', 'MCP'];
const listedChain = (chain: string): boolean => (CHAINS as readonly string[]).includes(chain);

/**
 * Reports forms that real packages use instead of those of the specification.
 * @returns pointers with a finding, for which schema violations are not reported again
 */
export function reportDialect(manifest: Json, report: Report): Set<string> {
  const explained = new Set<string>();
  const add = (rule: RuleId, path: Path, title: string, detail: string, what?: 'value' | 'key'): void => {
    report.add(rule, path, title, detail, what);
    if (report.dialect === 'spec') {
      explained.add(pointerOf(path));
    }
  };
  reportChain(manifest, add);
  reportCategories(manifest, add);
  reportWarnings(manifest, add);
  reportTypes(manifest, add);
  if (Array.isArray(manifest.globalEnvs)) {
    const detail = 'The specification defines an object: { "all": true }. The array is supported as in DAppNode.';
    add('global-envs-list', ['globalEnvs'], 'globalEnvs is an array', detail);
  }
  if (typeof manifest.links === 'string') {
    const detail = `The string is used as the homepage. Use { "homepage": ${JSON.stringify(manifest.links.slice(0, 80))} }.`;
    add('links-text', ['links'], 'links is a string', detail);
  }
  reportUpstream(manifest, report);
  return explained;
}

type Add = (rule: RuleId, path: Path, title: string, detail: string, what?: 'value' | 'key') => void;

function reportChain({ chain }: Json, add: Add): void {
  if (isObject(chain)) {
    const driver = typeof chain.driver === 'string' ? chain.driver : undefined;
    const detail =
      driver !== undefined && listedChain(driver) && Object.keys(chain).length === 1
        ? `Use "chain": "${driver}".`
        : 'The specification defines a string: ethereum, bitcoin or monero. The object is supported as in DAppNode.';
    add('chain-object', ['chain'], 'chain is an object', detail);
  }
  const [driver, path] = isObject(chain) ? [chain.driver, ['chain', 'driver']] : [chain, ['chain']];
  if (typeof driver === 'string' && driver !== '' && !listedChain(driver)) {
    const other = (OTHER_CHAINS as readonly string[]).includes(driver);
    if (other && isObject(chain)) {
      return; // reported as an object
    }
    const meant = other ? undefined : nearest(driver, [...CHAINS, ...OTHER_CHAINS]);
    const effect = other
      ? 'It is supported by DAppNode, but not in the specification.'
      : 'The sync status cannot be shown.';
    const advice = meant === undefined ? `${effect} Allowed values: ${joinList(CHAINS)}.` : `Did you mean ${meant}?`;
    add('chain-unlisted', path, 'chain has an unlisted value', `Found ${quoteValue(driver)}. ${advice}`);
  }
}

function reportCategories({ categories }: Json, add: Add): void {
  for (const [place, category] of list(categories).entries()) {
    if (typeof category === 'string' && !(CATEGORIES as readonly string[]).includes(category)) {
      const other = OTHER_CATEGORIES.includes(category);
      const meant = other ? undefined : nearest(category, CATEGORIES);
      const advice = other
        ? 'It is supported by DAppNode, but not in the specification.'
        : meant === undefined
          ? `Allowed values: ${joinList(CATEGORIES)}.`
          : `Did you mean ${meant}?`;
      add('category-unlisted', ['categories', place], 'Unlisted category', `Found ${quoteValue(category)}. ${advice}`);
    }
  }
}

function reportWarnings({ warnings }: Json, add: Add): void {
  for (const member of UPDATE_WARNINGS) {
    if (isObject(warnings) && Object.hasOwn(warnings, member)) {
      const detail = 'The specification defines onUpdate, which applies to every update.';
      add('update-warning', ['warnings', member], `warnings ${member} is specific to DAppNode`, detail, 'key');
    }
  }
}

function reportTypes(manifest: Json, add: Add): void {
  for (const member of ['dockerTimeout', 'upstreamVersion']) {
    if (typeof manifest[member] === 'number') {
      const detail = `Found ${manifest[member]}. Expected a string: "${manifest[member]}".`;
      add('other-type', [member], `${member} is a number`, detail);
    }
  }
  const all = isObject(manifest.globalEnvs) ? manifest.globalEnvs.all : undefined;
  if (all === 'true' || all === 'false') {
    add(
      'other-type',
      ['globalEnvs', 'all'],
      'globalEnvs all is a string',
      `Found “${all}”. Expected ${all}, without quotes.`
    );
  }
  for (const [place, entry] of list(manifest.exposable).entries()) {
    if (isObject(entry) && typeof entry.port === 'string' && PORT.test(entry.port)) {
      const detail = `Found “${entry.port}”. Expected ${entry.port}, without quotes.`;
      add('other-type', ['exposable', place, 'port'], 'exposable port is a string', detail);
    }
  }
}

function reportUpstream(manifest: Json, report: Report): void {
  const beside = ['upstreamVersion', 'upstreamRepo', 'upstreamArg'].filter((member) => Object.hasOwn(manifest, member));
  if (Object.hasOwn(manifest, 'upstream') && beside.length > 0) {
    const detail = `upstream is combined with ${joinList(beside)}. Keep only one of them.`;
    report.add('upstream-twice', ['upstream'], 'Duplicate upstream', detail, 'key');
  }
}
