/**
 * The judge of notifications files (`notifications.yaml`, or the same as JSON). Pure. The specification knows of them only that an
 * endpoint has `conditions` and may have a `metric`; the rest is what the node's own schema and real files hold.
 */
import type { Finding } from '../../../contract/finding.ts';
import { readCustomEndpoint } from './customEndpoint.ts';
import { readEndpoint } from './endpoint.ts';
import type { CustomEndpointDefinition, EndpointDefinition } from './types.ts';
import { found as inWords } from '../manifest/words.ts';
import { describe, findUnknown, member, type Place } from '../yaml/members.ts';
import { createReport, type Report, reportProblems } from '../yaml/report.ts';
import { readYaml, type YamlMap } from '../yaml/tree.ts';

export type {
  CallToAction,
  CustomEndpointDefinition,
  EndpointAlert,
  EndpointDefinition,
  EndpointRequirements,
  Metric,
} from './types.ts';

export interface JudgedNotifications {
  findings: Finding[];
  /** Those that can be used, in the order of the file. */
  endpoints: EndpointDefinition[];
  customEndpoints: CustomEndpointDefinition[];
}

/** Judges the text of a notifications file, YAML or JSON. Never throws. */
export function judgeNotifications(text: string): JudgedNotifications {
  const report = createReport('notifications', text);
  const tree = readYaml(text);
  reportProblems(report, tree);
  const { root } = tree;
  if (root?.kind !== 'map') {
    if (root || tree.problems.length === 0) {
      const found = root ? describe(root) : 'nothing';
      const at = root ?? { start: 0, end: text.length };
      report.add(
        'file-shape',
        '',
        at,
        'The file is not a map',
        `Found ${found}. It should hold endpoints, customEndpoints or both.`
      );
    }
    return { findings: report.findings, endpoints: [], customEndpoints: [] };
  }
  const whole = { report, map: root, pointer: '', name: 'The file' };
  findUnknown(whole, ['endpoints', 'customEndpoints'], ['$schema']);
  const found = { endpoints: entries(whole, 'endpoints'), customEndpoints: entries(whole, 'customEndpoints') };
  if (!member(whole, 'endpoints') && !member(whole, 'customEndpoints')) {
    report.add(
      'file-empty',
      '',
      root,
      'The file defines nothing',
      'It should hold endpoints, customEndpoints or both.'
    );
  }
  const seen = new Set<string>();
  return {
    findings: report.findings,
    endpoints: found.endpoints.flatMap((place) => once(report, seen, place, readEndpoint(place))),
    customEndpoints: found.customEndpoints.flatMap((place) => once(report, seen, place, readCustomEndpoint(place))),
  };
}

/** The maps of a list. */
function entries(whole: Place, list: 'endpoints' | 'customEndpoints'): Place[] {
  const found = member(whole, list);
  if (!found) {
    return [];
  }
  if (found.node.kind !== 'list') {
    whole.report.add(
      'file-shape',
      `/${list}`,
      found.node,
      `${list} is not a list`,
      `Found ${describe(found.node)}. Write a list, also of one.`
    );
    return [];
  }
  return found.node.items.flatMap((node, index) => {
    const pointer = `/${list}/${index}`;
    if (node.kind !== 'map') {
      whole.report.add(
        'file-shape',
        pointer,
        node,
        `An entry of ${list} is not a map`,
        `Found ${describe(node)}. An endpoint has members such as name and correlationId.`
      );
      return [];
    }
    return [{ report: whole.report, map: node, pointer, name: nameOf(node, index) }];
  });
}

/** By what its author knows it. */
function nameOf({ members }: YamlMap, index: number): string {
  for (const key of ['correlationId', 'name']) {
    const node = members.get(key)?.node;
    if (node?.kind === 'scalar' && typeof node.value === 'string' && node.value.trim() !== '') {
      return `Endpoint ${inWords(node.value)}`;
    }
  }
  return `Endpoint ${index + 1}`;
}

/** Settings are kept by correlationId, so that two of the same cannot be told apart. */
function once<T extends { correlationId: string }>(
  report: Report,
  seen: Set<string>,
  place: Place,
  definition: T | undefined
): T[] {
  if (!definition) {
    return [];
  }
  if (seen.has(definition.correlationId)) {
    const at = member(place, 'correlationId')?.node ?? place.map;
    const detail = `${inWords(definition.correlationId)} is that of an endpoint before. Settings are kept by it, so each needs its own.`;
    report.add('correlation-id-duplicate', `${place.pointer}/correlationId`, at, 'correlationId stands twice', detail);
    return [];
  }
  seen.add(definition.correlationId);
  return [definition];
}
