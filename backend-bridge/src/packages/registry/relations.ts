/** Relations of a package to its environment: dependencies, the version of the node, Prometheus targets. Pure. */
import semver from 'semver';
import type { Finding, Verdict } from '../../../contract/finding.ts';
import type { Dependency, NodeRequirement, TargetGroup } from '../../../contract/package.ts';
import { show, toPointer } from '../../../contract/text.ts';
import { readJson } from '../../validation/source/json.ts';
import { pointerOf } from '../../validation/source/source.ts';
import type { ManifestDependency } from '../../validation/manifest/validateManifest.ts';
import type { PackageWorld, ShippedFile } from './types.ts';

/** Dependencies are not resolved transitively, so cycles are harmless. */
export function dependencyStates(
  dependencies: readonly ManifestDependency[],
  versionOf: PackageWorld['versionOf']
): Dependency[] {
  return dependencies.map((dependency) => {
    const registered = versionOf(dependency.name);
    return registered === undefined
      ? { ...dependency, state: 'missing' }
      : { ...dependency, state: stateOf(dependency, registered), registered };
  });
}

function stateOf({ kind, range }: ManifestDependency, registered: string): Dependency['state'] {
  switch (kind) {
    case 'any':
    case 'latest':
      return 'satisfied';
    case 'version':
    case 'range':
      return semver.satisfies(registered, range) ? 'satisfied' : 'unsatisfied';
    default:
      return 'unknown';
  }
}

/** Whether a required dependency is missing or has another version. */
export const isLacking = ({ optional, state }: Dependency): boolean =>
  !optional && (state === 'missing' || state === 'unsatisfied');

/** @param node the version of the node; undefined if not configured */
export function nodeRequirement(minimum: string | undefined, node: string | undefined): NodeRequirement | undefined {
  if (minimum === undefined) {
    return undefined;
  }
  if (node === undefined || semver.valid(minimum) === null) {
    return { minimum, state: 'unknown', ...(node !== undefined && { node }) };
  }
  return { minimum, state: semver.gte(node, minimum) ? 'met' : 'unmet', node };
}

/** A finding without its position in the file. */
export interface RelationFinding {
  rule: string;
  verdict: Verdict;
  title: string;
  detail: string;
  path: (string | number)[];
}

/** Findings about the environment of a package. None is an error, since the manifest itself is valid. */
export function relationFindings(
  dependencies: readonly Dependency[],
  node: NodeRequirement | undefined
): RelationFinding[] {
  return [...dependencies.flatMap(dependencyFinding), ...nodeFinding(node)];
}

function dependencyFinding(dependency: Dependency): RelationFinding[] {
  const { name, range, state, registered, optional } = dependency;
  const path = [optional ? 'optionalDependencies' : 'dependencies', name];
  if (state === 'unsatisfied') {
    return [
      {
        rule: 'dependency-unsatisfied',
        verdict: optional ? 'note' : 'warning',
        title: `${name} does not match the required version`,
        detail: `The package ${optional ? 'supports' : 'requires'} ${name} ${range}; version ${registered ?? ''} is registered.`,
        path,
      },
    ];
  }
  return state === 'missing' && !optional
    ? [
        {
          rule: 'dependency-missing',
          verdict: 'warning',
          title: `${name} is not registered`,
          detail: `The package requires ${name} ${range}. Register it as well.`,
          path,
        },
      ]
    : [];
}

function nodeFinding(node: NodeRequirement | undefined): RelationFinding[] {
  const path = ['requirements', 'minimumDappnodeVersion'];
  if (node?.state === 'unmet') {
    return [
      {
        rule: 'node-version-unmet',
        verdict: 'warning',
        title: 'Node version too old',
        detail: `The package requires node version ${node.minimum}; this node has ${node.node ?? ''}. Update the node first.`,
        path,
      },
    ];
  }
  return node?.state === 'unknown' && node.node === undefined
    ? [
        {
          rule: 'node-version-unknown',
          verdict: 'note',
          title: 'Node version unknown',
          detail: `The package requires node version ${node.minimum}. Set NODEBELL_NODE_VERSION to check it.`,
          path,
        },
      ]
    : [];
}

/**
 * Adds positions in the manifest to findings.
 * @param manifest a text that could be parsed
 */
export function placeFindings(findings: readonly RelationFinding[], manifest: string): Finding[] {
  const source = findings.length === 0 ? undefined : readJson(manifest);
  if (!source?.root) {
    return [];
  }
  return findings.map(({ path, ...finding }) => ({
    ...finding,
    file: 'manifest',
    pointer: pointerOf(path),
    ...source.lines.place(source.span(path)),
  }));
}

/** An ignored entry. */
export interface TargetMistake {
  /** Path in the list. */
  path: (string | number)[];
  message: string;
}

export interface ReadTargets {
  groups: TargetGroup[];
  mistakes: TargetMistake[];
}

/** Label names (Prometheus documentation, "Data model"). */
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?|\[[0-9a-f:.]+\])$/i;
const LONGEST_HOST = 255;
const ALLOWED_TARGET = 'host:port, with a port from 1 to 65535 and no path';

/**
 * The Prometheus targets of a package, from provisioned files, or else from the member `prometheusTargets` of its manifest, to
 * which DAppNode's build tools add these files. Targets that Prometheus would reject are ignored, so that they do not affect others.
 */
export function targetsOf(
  dnpName: string,
  files: readonly ShippedFile[],
  own: unknown
): { groups: TargetGroup[]; findings: RelationFinding[] } {
  if (files.length === 0) {
    const { groups, mistakes } = own === undefined ? { groups: [], mistakes: [] } : readTargets(own, dnpName);
    return { groups, findings: mistakes.map(({ path, message }) => finding(path, message)) };
  }
  const read = files.map(({ path, text }) => ({ file: path, ...readTargetsText(text, dnpName) }));
  return {
    groups: read.flatMap(({ groups }) => groups),
    findings: read.flatMap(({ file, mistakes }) =>
      mistakes.map(({ path, message }) => finding([], `${file}, ${toPointer(path)}: ${message}`))
    ),
  };
}

function finding(path: (string | number)[], detail: string): RelationFinding {
  return {
    rule: 'prometheus-target',
    verdict: 'warning',
    title: 'Invalid Prometheus target',
    detail,
    path: ['prometheusTargets', ...path],
  };
}

/** @param given expected: `[{ targets: [host:port], labels?: {} }]` */
export function readTargets(given: unknown, dnpName: string): ReadTargets {
  if (!Array.isArray(given)) {
    return {
      groups: [],
      mistakes: [{ path: [], message: `Expected a list of { targets, labels }, found ${show(given)}.` }],
    };
  }
  const read = given.map((group: unknown, index) => readGroup(group, index, dnpName));
  return {
    groups: read.flatMap(({ groups }) => groups),
    mistakes: read.flatMap(({ mistakes }) => mistakes),
  };
}

/** Reads the targets in a file. */
export function readTargetsText(text: string, dnpName: string): ReadTargets {
  try {
    return readTargets(JSON.parse(text.replace(/^\ufeff/, '')), dnpName);
  } catch {
    return { groups: [], mistakes: [{ path: [], message: 'The file is not valid JSON.' }] };
  }
}

function readGroup(group: unknown, index: number, dnpName: string): ReadTargets {
  const { targets, labels = {} } = (typeof group === 'object' && group !== null ? group : {}) as Record<
    string,
    unknown
  >;
  if (!Array.isArray(targets)) {
    const message = `Expected an object with a list of targets, found ${show(targets ?? group)}.`;
    return { groups: [], mistakes: [{ path: [index], message }] };
  }
  const mistakes: TargetMistake[] = [];
  const good = targets.filter((target: unknown, at): target is string => {
    const isGood = typeof target === 'string' && isTarget(target);
    if (!isGood) {
      mistakes.push({
        path: [index, 'targets', at],
        message: `Expected ${ALLOWED_TARGET}; found ${show(target)}. The target is ignored.`,
      });
    }
    return isGood;
  });
  const kept = readLabels(labels, index, mistakes);
  const groups = good.length === 0 ? [] : [{ targets: good, labels: { package: dnpName, ...kept } }];
  return { groups, mistakes };
}

function readLabels(labels: unknown, index: number, mistakes: TargetMistake[]): Record<string, string> {
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) {
    mistakes.push({
      path: [index, 'labels'],
      message: `Expected an object of labels, found ${show(labels)}. The labels are ignored.`,
    });
    return {};
  }
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(labels)) {
    if (!LABEL_NAME.test(name) || typeof value !== 'string' || !value.isWellFormed()) {
      mistakes.push({
        path: [index, 'labels', name],
        message: `Expected a label name of letters, digits and _ with a string value, found ${show(name)}: ${show(value)}. The label is ignored.`,
      });
    } else if (name !== '__proto__') {
      kept[name] = value;
    }
  }
  return kept;
}

function isTarget(text: string): boolean {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  return host.length <= LONGEST_HOST && HOST.test(host) && Number(port) >= 1 && Number(port) <= 65535;
}
