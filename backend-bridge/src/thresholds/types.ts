/** What the room of thresholds takes from other rooms, and hands on to the monitors. */
import type { Condition } from '../../contract/condition.ts';
import type { EndpointKind } from '../../contract/endpoint.ts';
import type { Priority } from '../../contract/notification.ts';
import type {
  CallToAction,
  EndpointDefinition,
  EndpointRequirements,
  Metric,
} from '../validation/notifications/validateNotifications.ts';

/** An endpoint as its package ships it. */
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
  /** The first of its conditions; of a custom endpoint there is none. */
  condition?: Condition;
  /** The number that can be set; only with a metric. */
  threshold?: number;
  metric?: Metric;
  requirements?: EndpointRequirements;
  callToAction?: CallToAction;
  /** Of one that a monitor checks: all that the monitor is told. */
  watch?: EndpointDefinition;
}

/** A registered package with its endpoints. */
export interface ShippedPackage {
  dnpName: string;
  version: string;
  icon?: string;
  /** The provisioning file that it comes from. */
  file?: string;
  endpoints: readonly ShippedEndpoint[];
}

/** An endpoint as the monitors are to watch it. */
export interface WatchedEndpoint {
  dnpName: string;
  shipped: ShippedEndpoint;
  /** In effect, in place of the first condition of the package. */
  condition?: Condition;
  threshold?: number;
  /** No switch is off, and it is active. */
  on: boolean;
}
