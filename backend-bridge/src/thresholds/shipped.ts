/** The endpoints of a package as it ships them, read from what the judge made of its files. Pure. */
import { type ChainEndpoint, chainEndpoints } from '../../contract/chainEndpoints.ts';
import type { ValidatedPackage } from '../validation/validatePackage.ts';
import type {
  CustomEndpointDefinition,
  EndpointDefinition,
} from '../validation/notifications/validateNotifications.ts';
import type { ShippedEndpoint } from './types.ts';

/** In the order of the file, those that a monitor checks first; after them what the bridge itself checks of a chain's node. */
export function shippedEndpoints(
  judged: Pick<ValidatedPackage, 'endpoints' | 'customEndpoints' | 'facts'>
): ShippedEndpoint[] {
  const own = [...judged.endpoints.map(monitored), ...judged.customEndpoints.map(custom)];
  const ids = new Set(own.map(({ correlationId }) => correlationId));
  const chain = judged.facts ? chainEndpoints(judged.facts.summary) : [];
  return [...own, ...chain.filter(({ correlationId }) => !ids.has(correlationId)).map(ofChain)];
}

/** Ids of those that are shipped switched off. */
export function shippedOff(endpoints: readonly ShippedEndpoint[]): string[] {
  return endpoints.flatMap(({ correlationId, enabled }) => (enabled ? [] : [correlationId]));
}

function monitored(definition: EndpointDefinition): ShippedEndpoint {
  const { correlationId, title, description, group, priority, isBanner, enabled, condition, metric } = definition;
  const { requirements, callToAction } = definition;
  return {
    kind: 'monitored',
    correlationId,
    title,
    ...(description !== undefined && { description }),
    ...(group !== undefined && { category: group }),
    ...(priority && { priority }),
    isBanner,
    enabled,
    ...(condition && { condition }),
    ...(metric && { metric, ...(condition?.number && { threshold: condition.number.value }) }),
    ...(requirements && { requirements }),
    ...(callToAction && { callToAction }),
    watch: definition,
  };
}

function custom(definition: CustomEndpointDefinition): ShippedEndpoint {
  const { correlationId, name, description, isBanner, enabled, metric, requirements, callToAction } = definition;
  return {
    kind: 'custom',
    correlationId,
    title: name,
    ...(description !== undefined && { description }),
    isBanner,
    enabled,
    ...(metric && { metric, threshold: metric.threshold }),
    ...(requirements && { requirements }),
    ...(callToAction && { callToAction }),
  };
}

function ofChain({ limit: _limit, ...endpoint }: ChainEndpoint): ShippedEndpoint {
  return { kind: 'chain', ...endpoint };
}
