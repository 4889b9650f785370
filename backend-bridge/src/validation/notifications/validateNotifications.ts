/**
 * Validates notifications files (`notifications.yaml`, or the same as JSON). Pure. Of these files the specification only says that
 * an endpoint has `conditions` and may have a `metric`; everything else follows DAppNode’s own schema and real files.
 */
import { DEFAULT_DIALECT, type Dialect, type Finding } from '../../../contract/finding.ts';
import { Mapping } from '../members.ts';
import { quoteValue } from '../source/messages.ts';
import { describe, Report, reportFile } from '../report.ts';
import type { MapNode } from '../source/source.ts';
import { readYaml } from '../source/yaml.ts';
import { outOfRange, readRange, readShared } from './common.ts';
import { byDialect } from './dappnode.ts';
import { readEndpoint } from './endpoint.ts';
import { customEndpointSchema } from './schema.ts';
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
  const report = new Report('notifications', readYaml(text), 'spec');
  const root = reportFile(report, 'endpoints, customEndpoints or both');
  const read = root ? readEndpoints(report, root) : { endpoints: [], customEndpoints: [] };
  return { findings: byDialect(report, dialect), ...read };
}

function readEndpoints(report: Report, root: MapNode): Omit<ValidatedNotifications, 'findings'> {
  const whole = new Mapping(report, root, '', 'The file');
  whole.findUnknown(['endpoints', 'customEndpoints'], ['$schema']);
  if (!whole.get('endpoints') && !whole.get('customEndpoints')) {
    report.add('file-empty', '', root, 'No endpoints', 'Expected endpoints, customEndpoints or both.');
  }
  const seen = new Set<string>();
  return {
    endpoints: entries(whole, 'endpoints').flatMap((at) => once(seen, at, readEndpoint(at))),
    customEndpoints: entries(whole, 'customEndpoints').flatMap((at) => once(seen, at, readCustomEndpoint(at))),
  };
}

/** The mappings in a list. */
function entries(whole: Mapping, list: 'endpoints' | 'customEndpoints'): Mapping[] {
  const { report } = whole;
  const node = whole.get(list)?.node;
  if (node && node.kind !== 'list') {
    report.add('file-shape', `/${list}`, node, `${list} is not a list`, `Found ${describe(node)}. Expected a list.`);
  }
  return (node?.kind === 'list' ? node.items : []).flatMap((item, index) => {
    const pointer = `/${list}/${index}`;
    if (item.kind === 'map') {
      return [new Mapping(report, item, pointer, nameOf(item, index))];
    }
    const detail = `Found ${describe(item)}. Expected a mapping with name, correlationId and so on.`;
    report.add('file-shape', pointer, item, `Entry of ${list} is not a mapping`, detail);
    return [];
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
function once<T extends { correlationId: string }>(seen: Set<string>, at: Mapping, definition: T | undefined): T[] {
  if (!definition) {
    return [];
  }
  const { correlationId } = definition;
  if (seen.has(correlationId)) {
    const node = at.get('correlationId')?.node ?? at.node;
    const detail = `${quoteValue(correlationId)} is already used by another endpoint. Settings are stored by correlationId, which must be unique.`;
    const pointer = `${at.pointer}/correlationId`;
    at.report.add('correlation-id-duplicate', pointer, node, 'Duplicate correlationId', detail);
    return [];
  }
  seen.add(correlationId);
  return [definition];
}

const REQUIRED = {
  name: 'The correlationId is shown instead.',
  description: 'Nothing is shown.',
  enabled: 'Defaults to true.',
  isBanner: 'Defaults to false.',
};

/** @returns undefined if it is unusable, with a finding */
export function readCustomEndpoint(at: Mapping): CustomEndpointDefinition | undefined {
  at.findUnknown(Object.keys(customEndpointSchema.shape), ['correlation-id']);
  at.requireMembers(REQUIRED);
  const { id, name, shared } = readShared(at);
  const metric = readCustomMetric(at);
  const description = at.text('description');
  if (id === undefined || name === undefined || metric === null) {
    return undefined;
  }
  return {
    correlationId: id,
    name,
    ...(description !== undefined && { description }),
    ...shared,
    ...(metric && { metric }),
    pointer: at.pointer,
  };
}

/** @returns null if it is unusable */
function readCustomMetric(at: Mapping): (Metric & { threshold: number }) | undefined | null {
  const metric = at.mapping('metric');
  if (!metric) {
    return undefined;
  }
  metric.findUnknown(['min', 'max', 'unit', 'treshold'], ['threshold']);
  const range = readRange(metric);
  const spelling = metric.get('treshold') ? 'treshold' : 'threshold';
  const value = metric.figure(spelling);
  if (value === undefined) {
    const detail = 'set treshold to the value at which the alert fires.';
    metric.add('metric-threshold', 'metric has no treshold', detail);
    return null;
  }
  const other = metric.get('threshold');
  if (other) {
    const both = spelling === 'treshold' ? 'treshold is set as well and applies' : 'threshold is accepted here';
    const detail = `${metric.name}: DAppNode only supports the spelling treshold. ${both}.`;
    const pointer = `${metric.pointer}/threshold`;
    metric.report.add('metric-spelling', pointer, other.key, 'threshold instead of treshold', detail);
  }
  const outside = range && outOfRange(range, value);
  if (outside !== undefined) {
    metric.report.add(
      'threshold-range',
      `${metric.pointer}/${spelling}`,
      metric.get(spelling)!.node,
      'Threshold out of range',
      `${at.name}: ${outside}`
    );
  }
  return range ? { ...range, threshold: value } : null;
}
