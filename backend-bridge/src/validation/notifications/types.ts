/** The contents of a notifications file, with defaults for missing members. */
import type { Condition } from '../../../contract/condition.ts';
import type { Priority } from '../../../contract/notification.ts';

/** The range of the slider. `min` does not exceed `max`. */
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
  /** `custom` in every file that DAppNode accepts. */
  type: string;
  enabled: boolean;
  /** May contain `[CONDITION_VALUE]`, which is replaced with the threshold. */
  description: string;
  /** Number of failed checks until the alert fires, and of successful ones until it resolves. Integers, at least 1. */
  failureThreshold: number;
  successThreshold: number;
  sendOnResolved: boolean;
}

/** The endpoint is active depending on other installed packages. */
export interface EndpointRequirements {
  /** Version range by package name. */
  pkgsInstalled: Record<string, string>;
  pkgsNotInstalled: string[];
}

/** An endpoint that a monitor checks. */
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
  /** An integer and one of s, m, h, d. */
  interval?: string;
  /** All conditions, verbatim. */
  conditions: string[];
  /** The first condition, which contains the threshold. */
  condition?: Condition;
  /** Required for a slider. */
  metric?: Metric;
  title: string;
  /** Markdown. */
  description?: string;
  priority?: Priority;
  isBanner: boolean;
  callToAction?: CallToAction;
  alerts: EndpointAlert[];
  requirements?: EndpointRequirements;
  /** Other members, some of which Gatus supports. */
  extra: Record<string, unknown>;
  /** JSON Pointer of it in the file. */
  pointer: string;
}

/** An endpoint that the package checks itself: it reads its settings and sends its notifications. */
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
