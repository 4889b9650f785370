/** Prometheus targets of packages, checked one by one: what Prometheus would refuse must not take the others with it. Pure. */
import type { TargetGroup } from '../../contract/package.ts';
import { show, toPointer } from '../../contract/text.ts';
import type { RelationFinding } from './relations.ts';
import type { ShippedFile } from './types.ts';

/** An entry that was left out. */
export interface TargetMistake {
  /** Into the list that was read. */
  path: (string | number)[];
  message: string;
}

export interface ReadTargets {
  groups: TargetGroup[];
  mistakes: TargetMistake[];
}

/** Prometheus documentation, "Data model": names of labels. */
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?|\[[0-9a-f:.]+\])$/i;
const LONGEST_HOST = 255;
const ALLOWED_TARGET = 'host:port, with a port from 1 to 65535 and no path';

/**
 * The targets of a package: of the files that the operator has given, else of the member `prometheusTargets` of its manifest,
 * into which the real system's tools put the same files.
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
    title: 'a Prometheus target cannot be used',
    detail,
    path: ['prometheusTargets', ...path],
  };
}

/** @param given anything, of the form `[{ targets: [host:port], labels?: {} }]` where it is right */
export function readTargets(given: unknown, dnpName: string): ReadTargets {
  if (!Array.isArray(given)) {
    return {
      groups: [],
      mistakes: [{ path: [], message: `Must be a list of { targets, labels }; found ${show(given)}.` }],
    };
  }
  const read = given.map((group: unknown, index) => readGroup(group, index, dnpName));
  return {
    groups: read.flatMap(({ groups }) => groups),
    mistakes: read.flatMap(({ mistakes }) => mistakes),
  };
}

/** The same for the text of a file. */
export function readTargetsText(text: string, dnpName: string): ReadTargets {
  try {
    return readTargets(JSON.parse(text.replace(/^\ufeff/, '')), dnpName);
  } catch {
    return { groups: [], mistakes: [{ path: [], message: 'The file is not JSON.' }] };
  }
}

function readGroup(group: unknown, index: number, dnpName: string): ReadTargets {
  const { targets, labels = {} } = (typeof group === 'object' && group !== null ? group : {}) as Record<
    string,
    unknown
  >;
  if (!Array.isArray(targets)) {
    const message = `Must be an object with a list of targets; found ${show(targets ?? group)}.`;
    return { groups: [], mistakes: [{ path: [index], message }] };
  }
  const mistakes: TargetMistake[] = [];
  const good = targets.filter((target: unknown, at): target is string => {
    const isGood = typeof target === 'string' && isTarget(target);
    if (!isGood) {
      mistakes.push({
        path: [index, 'targets', at],
        message: `A target is ${ALLOWED_TARGET}; found ${show(target)}. It is left out.`,
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
      message: `Labels are an object; found ${show(labels)}. They are left out.`,
    });
    return {};
  }
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(labels)) {
    if (!LABEL_NAME.test(name) || typeof value !== 'string' || !value.isWellFormed()) {
      mistakes.push({
        path: [index, 'labels', name],
        message: `A label is a name of letters, digits and _ with a text; found ${show(name)}: ${show(value)}. It is left out.`,
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
