/**
 * Validates notifications files (`notifications.yaml`, or the same as JSON). Pure. Of these files the specification only says that
 * an endpoint has `conditions` and may have a `metric`; everything else follows DAppNode’s own schema and real files.
 */
import { DEFAULT_DIALECT, type Dialect, type Finding } from '../../../contract/finding.ts';
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
} from '../members.ts';
import { Report, reportProblems } from '../report.ts';
import type { MapNode, Source } from '../source/source.ts';
import { readYaml } from '../source/yaml.ts';
import { callToAction, checkThreshold, correlationId, isBanner, readRange, requirements } from './common.ts';
import { byDialect } from './dappnode.ts';
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
  /** Usable ones, in file order. */
  endpoints: EndpointDefinition[];
  customEndpoints: CustomEndpointDefinition[];
}

/** Validates the text of a notifications file, YAML or JSON. Never throws. */
export function validateNotifications(text: string, dialect: Dialect = DEFAULT_DIALECT): ValidatedNotifications {
  const source = readYaml(text);
  const report = new Report('notifications', source, 'spec');
  reportProblems(report, source.problems);
  const read = readEndpoints(report, source);
  return { findings: byDialect(report, dialect), ...read };
}

function readEndpoints(report: Report, { root, problems, text }: Source): Omit<ValidatedNotifications, 'findings'> {
  if (root?.kind !== 'map') {
    if (root || problems.length === 0) {
      const found = root ? describe(root) : 'an empty file';
      const at = root ?? { start: 0, end: text.length };
      report.add(
        'file-shape',
        '',
        at,
        'Not a mapping',
        `Found ${found}. Expected a mapping with endpoints, customEndpoints or both.`
      );
    }
    return { endpoints: [], customEndpoints: [] };
  }
  const whole = { report, map: root, pointer: '', name: 'The file' };
  findUnknown(whole, ['endpoints', 'customEndpoints'], ['$schema']);
  const found = { endpoints: entries(whole, 'endpoints'), customEndpoints: entries(whole, 'customEndpoints') };
  if (!member(whole, 'endpoints') && !member(whole, 'customEndpoints')) {
    report.add('file-empty', '', root, 'No endpoints', 'Expected endpoints, customEndpoints or both.');
  }
  const seen = new Set<string>();
  return {
    endpoints: found.endpoints.flatMap((place) => once(report, seen, place, readEndpoint(place))),
    customEndpoints: found.customEndpoints.flatMap((place) => once(report, seen, place, readCustomEndpoint(place))),
  };
}

/** The mappings in a list. */
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
      `Found ${describe(found.node)}. Expected a list.`
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
        `Entry of ${list} is not a mapping`,
        `Found ${describe(node)}. Expected a mapping with name, correlationId and so on.`
      );
      return [];
    }
    return [{ report: whole.report, map: node, pointer, name: nameOf(node, index) }];
  });
}

/** The label of an endpoint in messages. */
function nameOf({ members }: MapNode, index: number): string {
  for (const key of ['correlationId', 'name']) {
    const node = members.get(key)?.node;
    if (node?.kind === 'scalar' && typeof node.value === 'string' && node.value.trim() !== '') {
      return `Endpoint ${quoteValue(node.value)}`;
    }
  }
  return `Endpoint ${index + 1}`;
}

/** Settings are stored by correlationId, so it must be unique. */
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
    const detail = `${quoteValue(definition.correlationId)} is already used by another endpoint. Settings are stored by correlationId, which must be unique.`;
    report.add('correlation-id-duplicate', `${place.pointer}/correlationId`, at, 'Duplicate correlationId', detail);
    return [];
  }
  seen.add(definition.correlationId);
  return [definition];
}

const KNOWN = ['name', 'description', 'correlationId', 'enabled', 'isBanner', 'metric', 'callToAction', 'requirements'];
const REQUIRED = {
  name: 'The correlationId is shown instead.',
  description: 'Nothing is shown.',
  enabled: 'Defaults to true.',
  isBanner: 'Defaults to false.',
};

/** @returns undefined if it is unusable, with a finding */
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

/** @returns null if it is unusable */
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
      `${metric.name}: set treshold to the value at which the alert fires.`
    );
    return null;
  }
  if (member(metric, 'threshold')) {
    const both = spelling === 'treshold' ? 'treshold is set as well and applies' : 'threshold is accepted here';
    place.report.add(
      'metric-spelling',
      memberPointer(metric, 'threshold'),
      member(metric, 'threshold')?.key ?? metric.map,
      'threshold instead of treshold',
      `${metric.name}: DAppNode only supports the spelling treshold. ${both}.`
    );
  }
  if (!range) {
    return null;
  }
  checkThreshold(place, range, value, at);
  return { ...range, threshold: value };
}
