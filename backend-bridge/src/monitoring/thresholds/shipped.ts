/** The endpoints of a package as its validated files define them. Pure. */
import { type ChainEndpoint, chainEndpoints } from '../../../contract/chainEndpoints.ts';
import { foldCategory } from '../../../contract/notification.ts';
import type { ValidatedPackage } from '../../validation/package/validatePackage.ts';
import type {
  CustomEndpointDefinition,
  EndpointDefinition,
} from '../../validation/notifications/validateNotifications.ts';
import type { ShippedEndpoint } from '../monitors/monitor.ts';

/** A registered package with its endpoints. */
export interface ShippedPackage {
  dnpName: string;
  version: string;
  icon?: string;
  /** The provisioning file that registers it. */
  file?: string;
  endpoints: readonly ShippedEndpoint[];
}

/** In the order of the file: those that a monitor checks, custom ones, and those of a node, which the bridge checks. */
export function shippedEndpoints(
  validated: Pick<ValidatedPackage, 'endpoints' | 'customEndpoints' | 'facts'>
): ShippedEndpoint[] {
  const own = [...validated.endpoints.map(monitored), ...validated.customEndpoints.map(custom)];
  const ids = new Set(own.map(({ correlationId }) => correlationId));
  const chain = validated.facts ? chainEndpoints(validated.facts.summary) : [];
  return [...own, ...chain.filter(({ correlationId }) => !ids.has(correlationId)).map(ofChain)];
}

/** Ids of the endpoints that the package switches off. */
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
    ...(group !== undefined && { category: foldCategory(group) }),
    ...(priority && { priority }),
    isBanner,
    enabled,
    ...(condition && { condition }),
    ...(metric && { metric, ...(condition?.number && { threshold: condition.number.value }) }),
    ...(requirements && { requirements }),
    ...(callToAction && { callToAction }),
    definition,
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
