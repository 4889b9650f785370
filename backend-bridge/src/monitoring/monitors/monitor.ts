/** The interface that every monitor implements, and the endpoints that it is given. */
import type { Condition } from '../../../contract/condition.ts';
import type { EndpointKind, Monitor as MonitorName } from '../../../contract/endpoint.ts';
import type { Priority } from '../../../contract/notification.ts';
import type {
  CallToAction,
  EndpointDefinition,
  EndpointRequirements,
  Metric,
} from '../../validation/notifications/validateNotifications.ts';

/** An endpoint as its package defines it. */
export interface ShippedEndpoint {
  kind: EndpointKind;
  correlationId: string;
  title: string;
  /** Markdown. */
  description?: string;
  category?: string;
  priority?: Priority;
  isBanner: boolean;
  enabled: boolean;
  /** The first of its conditions; custom endpoints have none. */
  condition?: Condition;
  /** Only with a metric, which makes it configurable. */
  threshold?: number;
  metric?: Metric;
  requirements?: EndpointRequirements;
  callToAction?: CallToAction;
  /** Only of an endpoint that a monitor checks. */
  definition?: EndpointDefinition;
}

/** An endpoint with its settings applied. */
export interface MonitoredEndpoint {
  dnpName: string;
  shipped: ShippedEndpoint;
  /** With the configured threshold; replaces the first condition of the package. */
  condition?: Condition;
  threshold?: number;
  /** It is active, and neither it nor its package nor its category is switched off. */
  on: boolean;
}

/** Whether a monitor can check an endpoint. `none`: the endpoint is of a kind that the monitor does not handle. */
export type Support = { kind: 'none' } | { kind: 'read-only'; reason: string } | { kind: 'supported'; note?: string };

/** The outcome of a sync, by {@link endpointKey}. */
export interface SyncResult {
  /** Why the monitor does not allow an endpoint to be changed. */
  readOnly: ReadonlyMap<string, string>;
  /** Why an endpoint was not written, or a rule of a removed endpoint (by its uid) not deleted. Retried; the others are written. */
  rejected: ReadonlyMap<string, string>;
  /** Endpoints with an alert rule that is not paused. */
  active: ReadonlySet<string>;
}

/** Alerts that the bridge keeps for now (alertOwnership.ts). */
export interface Transfer {
  /** Why no rule may be created or resumed for an endpoint, by {@link endpointKey}. */
  withheld: ReadonlyMap<string, string>;
  /** Endpoints whose rule was active after the last sync: their rules stay. */
  active: ReadonlySet<string>;
}

export const FULL_TRANSFER: Transfer = { withheld: new Map(), active: new Set() };

export interface Monitor {
  name: MonitorName;
  support(endpoint: MonitoredEndpoint): Support;
  /**
   * Makes the monitor check these endpoints and removes all others that the bridge created.
   * @param endpoints the `supported` ones, including those that are off
   * @param transfer default: every endpoint may have a rule
   * @throws Error with the cause and what to do, if nothing can be said about any endpoint
   */
  sync(endpoints: readonly MonitoredEndpoint[], transfer?: Transfer): Promise<SyncResult>;
}

/** Identifies an endpoint across packages. */
export const endpointKey = ({
  dnpName,
  shipped: { correlationId },
}: {
  dnpName: string;
  shipped: Pick<ShippedEndpoint, 'correlationId'>;
}): string => JSON.stringify([dnpName, correlationId]);
