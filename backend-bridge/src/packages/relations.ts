/** What the other packages and the node make of a package: its dependencies, and the version of the node. Pure. */
import semver from 'semver';
import type { Finding, Verdict } from '../../contract/finding.ts';
import { Index, Lines, parse, pointerOf } from '../validation/manifest/document.ts';
import type { ManifestDependency } from '../validation/manifest/validateManifest.ts';
import type { Dependency, NodeRequirement } from '../../contract/package.ts';
import type { PackageWorld } from './world.ts';

/** Only what a dependency names itself is looked at, so that packages that need each other are no riddle. */
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

/** Whether the package cannot work for want of it, as far as can be told. */
export const isLacking = ({ optional, state }: Dependency): boolean =>
  !optional && (state === 'missing' || state === 'unsatisfied');

/** @param node the version of the node; undefined where nobody has said it */
export function nodeRequirement(minimum: string | undefined, node: string | undefined): NodeRequirement | undefined {
  if (minimum === undefined) {
    return undefined;
  }
  if (node === undefined || semver.valid(minimum) === null) {
    return { minimum, state: 'unknown', ...(node !== undefined && { node }) };
  }
  return { minimum, state: semver.gte(node, minimum) ? 'met' : 'unmet', node };
}

/** A finding that has not been given its place yet. */
export interface RelationFinding {
  rule: string;
  verdict: Verdict;
  title: string;
  detail: string;
  path: (string | number)[];
}

/** What is to be said of these; none is an error, since none is a mistake in the manifest. */
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
        title: `${name} is registered in another version`,
        detail: `The package ${optional ? 'asks for' : 'needs'} ${name} ${range}; ${registered ?? ''} is registered.`,
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
          detail: `The package needs ${name} ${range}, which is not registered. Register it too.`,
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
        title: 'the node is older than the package needs',
        detail: `The package needs version ${node.minimum} of the node; this one has ${node.node ?? ''}. Update the node first.`,
        path,
      },
    ];
  }
  return node?.state === 'unknown' && node.node === undefined
    ? [
        {
          rule: 'node-version-unknown',
          verdict: 'note',
          title: 'the version of the node is not known',
          detail: `The package needs version ${node.minimum} of the node. The bridge is told which it has by NODEBELL_NODE_VERSION.`,
          path,
        },
      ]
    : [];
}

/**
 * Gives findings their places in the manifest.
 * @param manifest a text that the judge could read
 */
export function placeFindings(findings: readonly RelationFinding[], manifest: string): Finding[] {
  const tree = findings.length === 0 ? undefined : parse(manifest).tree;
  if (tree === undefined) {
    return [];
  }
  const index = new Index(tree);
  const lines = new Lines(manifest);
  return findings.map(({ path, ...finding }) => ({
    ...finding,
    file: 'manifest',
    ...lines.place(index.span(path), pointerOf(path)),
  }));
}
