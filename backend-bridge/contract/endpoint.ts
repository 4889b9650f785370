/**
 * Endpoints of a package: shipped values with the admin's settings laid over them, and their sync state in the monitors.
 *
 * | operation                                             | body                | response                     |
 * | ----------------------------------------------------- | ------------------- | ---------------------------- |
 * | GET /endpoints                                        |                     | EndpointOverview             |
 * | GET /packages/{dnpName}/endpoints                     |                     | EndpointPackage              |
 * | PATCH /packages/{dnpName}/endpoints/{correlationId}   | EndpointRequest     | Endpoint, as it is then      |
 * | GET /packages/{dnpName}/endpoints/{correlationId}/history |                 | EndpointHistory (history.ts) |
 * | PATCH /packages/{dnpName}/settings                    | PackageSwitchRequest | EndpointPackage             |
 * | POST /packages/preview, POST and PUT of packages      | `settings`: PackageSettings | preview: `endpoints` as they would be |
 */
import { z } from 'zod';
import {
  boolean,
  component,
  integer,
  list,
  nullable,
  number,
  object,
  objects,
  oneOf,
  strictComponent,
  string,
  time,
} from './schema.ts';
import { chainSentence } from './chainEndpoints.ts';
import { alertSentence, readCondition, withUnit, withValue } from './condition.ts';

/**
 * `monitored`: a monitor checks it; `custom`: the package checks it itself and reads its settings from
 * `/package-manifest/{dnpName}`; `chain`: the bridge checks it, since it polls the node itself.
 */
export const ENDPOINT_KINDS = ['monitored', 'custom', 'chain'] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** `package`: the package's default; `user`: set by a user; `provisioned`: set by a provisioning file. */
export const VALUE_ORIGINS = ['package', 'user', 'provisioned'] as const;

const origin = {
  origin: oneOf(
    'Where the value in effect comes from. A provisioned value can be changed only in its file.',
    VALUE_ORIGINS
  ),
  file: string('The provisioning file that sets it.').optional(),
  setAt: time('Time of the last change; absent for a default of the package.').optional(),
  setBy: string('The user who set it, if known.').optional(),
};

export const endpointSwitchSchema = component('EndpointSwitch', 'A switch of a package or of one of its endpoints.', {
  value: boolean('The value in effect.'),
  shipped: boolean('The default of the package; the default of the switch of a package is on.'),
  ...origin,
});
export type EndpointSwitch = z.infer<typeof endpointSwitchSchema>;

export const endpointThresholdSchema = component('EndpointThreshold', 'The number at which an endpoint alerts.', {
  value: number('The value in effect.'),
  shipped: number('The default of the package.'),
  ...origin,
  recommends: object('Present if the package has changed its default since; a reset applies the new one.', {
    from: number('The default of the package when the value was set.'),
    to: number('The current default.'),
    detail: string('The change as a sentence.', { examples: ['The package now recommends 85 %; you keep 80 %.'] }),
  }).optional(),
  outOfRange: string('Present if the value is not between min and max. It stays until it is changed.').optional(),
});
export type EndpointThreshold = z.infer<typeof endpointThresholdSchema>;

export const endpointMetricSchema = component('EndpointMetric', 'The range of the slider. Absent: no slider.', {
  min: number('Minimum value.'),
  max: number('Maximum value.'),
  unit: string('Its unit.').optional(),
  step: number('The step of the slider, from min; any value between min and max can be set.'),
});
export type EndpointMetric = z.infer<typeof endpointMetricSchema>;

/** `package` and `bridge`: for endpoints that the package, or the bridge, checks itself. */
export const MONITORS = ['gatus', 'grafana', 'prometheus', 'package', 'bridge'] as const;
export type Monitor = (typeof MONITORS)[number];
/** `pending`: not yet, it is tried again; `read-only`: the monitor's own file decides, or it has nothing that could be set. */
export const EFFECT_STATES = ['applied', 'pending', 'read-only'] as const;

export const effectSchema = component('Effect', 'The sync state of an endpoint in a monitor.', {
  monitor: oneOf('The monitor.', MONITORS),
  state: oneOf('Whether the monitor is synced.', EFFECT_STATES),
  reason: string('Why it is pending or read-only, or a remark: a sentence.').optional(),
  at: time('Time at which it was applied or last tried.').optional(),
  nextTryAt: time('Time of the next try, if pending.').optional(),
});
export type Effect = z.infer<typeof effectSchema>;

/** Reason why an endpoint is muted: its own switch, its package's, or its category's. */
export const MUTED_BY = ['endpoint', 'package', 'category'] as const;

export const endpointSchema = component('Endpoint', 'An endpoint of a package, with its settings.', {
  correlationId: string('Its id in settings and notifications.'),
  kind: oneOf('Who checks it: a monitor, the package itself, or the bridge.', ENDPOINT_KINDS),
  title: string('Subject of its notifications.'),
  description: string('Markdown.').optional(),
  category: string('The category of its notifications.').optional(),
  priority: string('The priority of its notifications.').optional(),
  isBanner: boolean('Whether its notifications are banners.'),
  enabled: endpointSwitchSchema,
  mutedBy: list('The switches that are off; empty: its notifications are shown.', z.enum(MUTED_BY)),
  condition: object('The endpoint alerts while this does not hold. Absent if the package checks the endpoint itself.', {
    shipped: string('The default of the package.'),
    effective: string('With the threshold in effect.'),
  }).optional(),
  threshold: endpointThresholdSchema.optional().describe('Absent if the endpoint has no configurable number.'),
  metric: endpointMetricSchema.optional().describe('The range of the slider. Present only with a threshold.'),
  sentence: string('When it alerts, with the threshold in effect.', { examples: ['alerts above 80 %'] }).optional(),
  readOnly: string('Why the threshold cannot be set: a sentence.').optional(),
  history: boolean('Whether `…/history` is available. Absent: no.').optional(),
  cautions: list('Where the monitor evaluates the condition differently than expected: sentences.', z.string()),
  active: boolean('Whether its requirements are met, so that it is checked.'),
  inactive: string('Why it is not active: a sentence.').optional(),
  effects: list('One for each monitor of the endpoint; empty if none is configured.', effectSchema),
});
export type Endpoint = z.infer<typeof endpointSchema>;

export const leftoverSchema = component(
  'Leftover',
  'Settings of an endpoint that the package no longer defines. They apply again if it is defined again.',
  {
    correlationId: string('The id of the endpoint.'),
    enabled: boolean('The stored switch.').optional(),
    threshold: number('The stored threshold.').optional(),
    file: string('The provisioning file that sets it; it can be removed only there.').optional(),
    detail: string('Why it is not in use: a sentence.'),
  }
);
export type Leftover = z.infer<typeof leftoverSchema>;

export const endpointPackageSchema = component('EndpointPackage', 'A package with its endpoints and their settings.', {
  dnpName: string('The name of the package.'),
  version: string('Its version.'),
  icon: string('http:, https: or a path.').optional(),
  enabled: endpointSwitchSchema.describe('The switch of the whole package.'),
  endpoints: list('Its endpoints, in the order of its notifications file.', endpointSchema),
  leftovers: list('Settings of endpoints that it does not define.', leftoverSchema),
  problems: objects('Errors in the current provisioning files; the last applied version is in effect.', {
    file: string('The file.'),
    line: integer('The line, from 1.'),
    column: integer('The column, from 1.'),
    detail: string('The problem, and the remedy.'),
  }),
});
export type EndpointPackage = z.infer<typeof endpointPackageSchema>;

export const monitorStateSchema = component('MonitorState', 'A configured monitor and its sync state.', {
  monitor: oneOf('The monitor.', MONITORS),
  state: oneOf('Whether all settings have been applied.', ['applied', 'pending']),
  reason: string('Why it is pending: a sentence.').optional(),
  at: time('Time at which they were applied or last tried.').optional(),
  nextTryAt: time('Time of the next try.').optional(),
});
export type MonitorState = z.infer<typeof monitorStateSchema>;

export const endpointOverviewSchema = component('EndpointOverview', 'The endpoints of all packages.', {
  packages: list('Packages with endpoints or settings of endpoints, by name.', endpointPackageSchema),
  monitors: list('The configured monitors.', monitorStateSchema),
});
export type EndpointOverview = z.infer<typeof endpointOverviewSchema>;

const orReset = 'null resets it to the default of the package.';
export const endpointPatchSchema = strictComponent(
  'EndpointRequest',
  'Settings of an endpoint. Absent members do not change.',
  {
    enabled: nullable(`The switch; ${orReset}`, z.boolean()).optional(),
    threshold: nullable(`The threshold, between min and max; ${orReset}`, z.number()).optional(),
  }
);
export type EndpointPatch = z.infer<typeof endpointPatchSchema>;

export const packageSwitchBodySchema = strictComponent(
  'PackageSwitchRequest',
  'Settings of a package, and leftover settings to remove. Absent members do not change.',
  {
    enabled: nullable('The switch of the package; null: on, the default.', z.boolean()).optional(),
    forget: list('The correlationIds of leftover settings to remove.', z.string()).max(1000).optional(),
  }
);
export type PackageSwitchBody = z.infer<typeof packageSwitchBodySchema>;

/** Settings of one endpoint. */
export const endpointSettingsSchema = z.strictObject({
  enabled: boolean('The switch of the endpoint.').optional(),
  threshold: number('Its threshold, between min and max.').optional(),
});

/** Settings of one package: while it is registered, in a provisioning file, and in exports. */
export const packageSettingsSchema = strictComponent(
  'PackageSettings',
  'Settings of a package. Absent members do not change.',
  {
    enabled: boolean('The switch of the whole package.').optional(),
    endpoints: z.record(z.string(), endpointSettingsSchema).optional().describe('Endpoints by correlationId.'),
  }
);
export type PackageSettings = z.infer<typeof packageSettingsSchema>;

/**
 * When an endpoint would alert at a threshold, in the words of its `sentence`: for a slider that is being moved.
 * @returns undefined where its condition holds no number
 */
export function sentenceAt(
  { condition, metric, kind, correlationId }: Pick<Endpoint, 'condition' | 'metric' | 'kind' | 'correlationId'>,
  value: number
): string | undefined {
  if (condition !== undefined) {
    return alertSentence(readCondition(withValue(condition.shipped, value)), metric?.unit);
  }
  if (kind === 'chain') {
    return chainSentence(correlationId, value, metric?.unit);
  }
  return metric && `the package alerts at ${withUnit(value, metric.unit)}`;
}
