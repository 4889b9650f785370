/**
 * Validates notifications files (`notifications.yaml`, or the same as JSON). Pure. Of these files the specification only says that
 * an endpoint has `conditions` and may have a `metric`; everything else follows DAppNode’s own schema and real files.
 */
import type { Finding } from '../../../contract/finding.ts';
import { quoteValue } from '../messages.ts';
import {
  describe,
  figure,
  findUnknown,
  flag,
  mapOf,
  member,
  memberPointer,
  type Place,
  requireMembers,
  text,
} from '../yaml/members.ts';
import { createReport, type Report, reportProblems } from '../yaml/rules.ts';
import { readYaml, type YamlMap } from '../yaml/tree.ts';
import { callToAction, checkThreshold, correlationId, isBanner, readRange, requirements } from './common.ts';
import { readEndpoint } from './endpoint.ts';
import type { CustomEndpointDefinition, EndpointDefinition, Metric } from './types.ts';

export type {
  CallToAction,
  CustomEndpointDefinition,
  EndpointAlert,
  EndpointDefinition,
  EndpointRequirements,
  Metric,
} from './types.ts';

export interface ValidatedNotifications {
  findings: Finding[];
  /** Those that can be used, in the order of the file. */
  endpoints: EndpointDefinition[];
  customEndpoints: CustomEndpointDefinition[];
}

/** Validates the text of a notifications file, YAML or JSON. Never throws. */
export function validateNotifications(text: string): ValidatedNotifications {
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
      return `Endpoint ${quoteValue(node.value)}`;
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
    const detail = `${quoteValue(definition.correlationId)} is that of an endpoint before. Settings are kept by it, so each needs its own.`;
    report.add('correlation-id-duplicate', `${place.pointer}/correlationId`, at, 'correlationId stands twice', detail);
    return [];
  }
  seen.add(definition.correlationId);
  return [definition];
}

const KNOWN = ['name', 'description', 'correlationId', 'enabled', 'isBanner', 'metric', 'callToAction', 'requirements'];
const REQUIRED = {
  name: 'Its correlationId is shown instead.',
  description: 'Nothing is shown.',
  enabled: 'It is taken as enabled.',
  isBanner: 'false is used.',
};

/** @returns undefined when it cannot be used; a finding says why */
export function readCustomEndpoint(place: Place): CustomEndpointDefinition | undefined {
  findUnknown(place, KNOWN, ['correlation-id']);
  requireMembers(place, REQUIRED);
  const id = correlationId(place, ['correlationId', 'correlation-id']);
  const metric = readCustomMetric(place);
  const [description, call, needs] = [text(place, 'description'), callToAction(place), requirements(place)];
  const [name, enabled, banner] = [text(place, 'name') ?? id, flag(place, 'enabled') ?? true, isBanner(place)];
  if (id === undefined || name === undefined || metric === null) {
    return undefined;
  }
  return {
    correlationId: id,
    name,
    ...(description !== undefined && { description }),
    enabled,
    isBanner: banner,
    ...(metric && { metric }),
    ...(call && { callToAction: call }),
    ...(needs && { requirements: needs }),
    pointer: place.pointer,
  };
}

/** @returns null when there is one that cannot be used */
function readCustomMetric(place: Place): (Metric & { threshold: number }) | undefined | null {
  const metric = mapOf(place, 'metric', `${place.name}, metric`);
  if (!metric) {
    return undefined;
  }
  findUnknown(metric, ['min', 'max', 'unit', 'treshold'], ['threshold']);
  const range = readRange(metric);
  const spelling = member(metric, 'treshold') ? 'treshold' : 'threshold';
  const value = figure(metric, spelling);
  const at = { pointer: memberPointer(metric, spelling), node: member(metric, spelling)?.node ?? metric.map };
  if (value === undefined) {
    place.report.add(
      'metric-threshold',
      metric.pointer,
      metric.map,
      'metric has no treshold',
      `${metric.name}: give the number at which it alerts, spelt treshold.`
    );
    return null;
  }
  if (member(metric, 'threshold')) {
    const both = spelling === 'treshold' ? 'treshold stands there as well, and counts' : 'It is read';
    place.report.add(
      'metric-spelling',
      memberPointer(metric, 'threshold'),
      member(metric, 'threshold')?.key ?? metric.map,
      'threshold is spelt treshold',
      `${metric.name}: the node reads treshold alone. ${both}.`
    );
  }
  if (!range) {
    return null;
  }
  checkThreshold(place, range, value, at);
  return { ...range, threshold: value };
}
