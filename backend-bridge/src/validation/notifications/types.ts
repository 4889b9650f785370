/** What a notifications file defines, as it was read: tolerant, with defaults in place of what is missing. */
import type { Condition } from '../../../contract/condition.ts';
import type { Priority } from '../../../contract/notification.ts';

/** The range of the slider. `min` is below or equal to `max`. */
export interface Metric {
  min: number;
  max: number;
  unit?: string;
}

export interface CallToAction {
  title: string;
  url: string;
}

export interface EndpointAlert {
  /** `custom` in every file that the real system accepts. */
  type: string;
  enabled: boolean;
  /** May hold `[CONDITION_VALUE]`, which stands for the threshold. */
  description: string;
  /** After how many failing checks it is sent, and after how many good ones it is over. Whole, at least 1. */
  failureThreshold: number;
  successThreshold: number;
  sendOnResolved: boolean;
}

/** Whether the endpoint is active, by what else is installed. */
export interface EndpointRequirements {
  /** Range of versions by name of package. */
  pkgsInstalled: Record<string, string>;
  pkgsNotInstalled: string[];
}

/** What the monitor checks. */
export interface EndpointDefinition {
  correlationId: string;
  name: string;
  enabled: boolean;
  /** The category of its notifications. */
  group?: string;
  url?: string;
  method: string;
  body?: string;
  headers: Record<string, string>;
  /** A number and one of s, m, h, d. */
  interval?: string;
  /** As they stand in the file, all of them. */
  conditions: string[];
  /** The first of them, which holds the threshold. */
  condition?: Condition;
  /** Only with it is there a slider. */
  metric?: Metric;
  title: string;
  /** Markdown. */
  description?: string;
  priority?: Priority;
  isBanner: boolean;
  callToAction?: CallToAction;
  alerts: EndpointAlert[];
  requirements?: EndpointRequirements;
  /** Members that are not read here; Gatus knows some of them. */
  extra: Record<string, unknown>;
  /** JSON Pointer of it in the file. */
  pointer: string;
}

/** What the package checks itself: it reads its settings and sends by itself. */
export interface CustomEndpointDefinition {
  correlationId: string;
  name: string;
  description?: string;
  enabled: boolean;
  isBanner: boolean;
  metric?: Metric & { threshold: number };
  callToAction?: CallToAction;
  requirements?: EndpointRequirements;
  /** JSON Pointer of it in the file. */
  pointer: string;
}
