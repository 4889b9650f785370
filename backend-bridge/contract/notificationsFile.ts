/** The judge of notifications files (`notifications.yaml`, or the same as JSON). Pure. */
import type { Finding } from './finding.ts';
import type { CustomEndpointDefinition, EndpointDefinition } from './notificationsFile/types.ts';

export type {
  CallToAction,
  CustomEndpointDefinition,
  EndpointAlert,
  EndpointDefinition,
  EndpointRequirements,
  Metric,
} from './notificationsFile/types.ts';

export interface JudgedNotifications {
  findings: Finding[];
  /** Those that can be used, in the order of the file. */
  endpoints: EndpointDefinition[];
  customEndpoints: CustomEndpointDefinition[];
}

/** Judges the text of a notifications file, YAML or JSON. Never throws. */
export function judgeNotifications(_text: string): JudgedNotifications {
  return { findings: [], endpoints: [], customEndpoints: [] };
}
