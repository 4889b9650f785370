/** Members that are known at each place, and what is said of others. */
import { nearest } from '../nearest.ts';
import { type Path } from './document.ts';
import { type Report } from './report.ts';
import { label, plain } from './words.ts';

interface Level {
  /** Of the specification. */
  known: readonly string[];
  /** Of real packages only. */
  foreign?: readonly string[];
}

/** By path; `*` stands for each entry of a list. `$schema` is the editors'. */
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

/** Those whose members are the specification's at no place, or that are reported by a rule of their own. */
const REPORTED_ELSEWHERE = new Set(['globalEnvs/*', 'chain', 'warnings']);

/** Members that belong somewhere else, where that is the only place for them. */
const PLACES = new Map(
  Object.entries(LEVELS)
    .filter(([level]) => level !== '' && !level.endsWith('*'))
    .flatMap(([level, { known }]) => known.map((member) => [member, level] as const))
    .filter(([member], _at, all) => all.filter(([other]) => other === member).length === 1)
);
/** Words that others use for a member. */
const SYNONYMS: Record<string, string> = { repo: 'repository', chainDriver: 'chain', licence: 'license' };

/** Reports members that nobody knows, and those that only the other dialect knows. */
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
        const title = `${label([...path, member])} is DAppNode’s own`;
        report.say('dialect-member', [...path, member], title, 'It is not in the specification.', 'key');
      }
    } else if (!known.includes(member)) {
      const advice = adviceFor(member, level, [...known, ...foreign]);
      report.say('unknown-member', [...path, member], `Unknown member ${plain(member)}`, advice, 'key');
    }
  }
}

function adviceFor(member: string, level: string, allowed: readonly string[]): string {
  const kept = 'It is kept, but has no effect.';
  const place = PLACES.get(member);
  if (place !== undefined && place !== level) {
    return `It belongs into ${place}. Here it is kept, but has no effect.`;
  }
  const meant =
    (level === '' && Object.hasOwn(SYNONYMS, member) ? SYNONYMS[member] : undefined) ?? nearest(member, allowed);
  return meant === undefined ? kept : `Did you mean ${meant}? ${kept}`;
}
