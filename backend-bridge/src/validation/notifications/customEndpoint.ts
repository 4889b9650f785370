/** One entry of `customEndpoints`. */
import {
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
import { callToAction, checkThreshold, correlationId, isBanner, readRange, requirements } from './common.ts';
import type { CustomEndpointDefinition, Metric } from './types.ts';

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
