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
import { chainSentence } from './chainEndpoints.ts';
import { alertSentence, plain, readCondition, withValue } from './condition.ts';

/**
 * `monitored`: a monitor checks it; `custom`: the package checks it itself and reads its settings from
 * `/package-manifest/{dnpName}`; `chain`: the bridge checks it, since it polls the node itself.
 */
export const ENDPOINT_KINDS = ['monitored', 'custom', 'chain'] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** `package`: the package's default; `user`: set by a user; `provisioned`: set by a provisioning file. */
export const VALUE_ORIGINS = ['package', 'user', 'provisioned'] as const;

const origin = {
  origin: z
    .enum(VALUE_ORIGINS)
    .describe('Where the value in effect comes from. A provisioned value can be changed only in its file.'),
  file: z.string().optional().describe('The provisioning file that sets it.'),
  setAt: z.iso.datetime().optional().describe('Time of the last change; absent for a default of the package.'),
  setBy: z.string().optional().describe('The user who set it, if known.'),
};

export const endpointSwitchSchema = z
  .object({
    value: z.boolean().describe('The value in effect.'),
    shipped: z.boolean().describe('The default of the package; the default of the switch of a package is on.'),
    ...origin,
  })
  .meta({ id: 'EndpointSwitch', description: 'A switch of a package or of one of its endpoints.' });
export type EndpointSwitch = z.infer<typeof endpointSwitchSchema>;

export const endpointThresholdSchema = z
  .object({
    value: z.number().describe('The value in effect.'),
    shipped: z.number().describe('The default of the package.'),
    ...origin,
    recommends: z
      .object({
        from: z.number().describe('The default of the package when the value was set.'),
        to: z.number().describe('The current default.'),
        detail: z
          .string()
          .describe('The change as a sentence.')
          .meta({ examples: ['The package now recommends 85 %; you keep 80 %.'] }),
      })
      .optional()
      .describe('Present if the package has changed its default since; a reset applies the new one.'),
    outOfRange: z
      .string()
      .optional()
      .describe('Present if the value is not between min and max. It stays until it is changed.'),
  })
  .meta({ id: 'EndpointThreshold', description: 'The number at which an endpoint alerts.' });
export type EndpointThreshold = z.infer<typeof endpointThresholdSchema>;

export const endpointMetricSchema = z
  .object({
    min: z.number().describe('Minimum value.'),
    max: z.number().describe('Maximum value.'),
    unit: z.string().optional().describe('Its unit.'),
    step: z.number().describe('The step of the slider, from min; any value between min and max can be set.'),
  })
  .meta({ id: 'EndpointMetric', description: 'The range of the slider. Absent: no slider.' });
export type EndpointMetric = z.infer<typeof endpointMetricSchema>;

/** `package` and `bridge`: for endpoints that the package, or the bridge, checks itself. */
export const MONITORS = ['gatus', 'grafana', 'prometheus', 'package', 'bridge'] as const;
export type Monitor = (typeof MONITORS)[number];
/** `pending`: not yet, it is tried again; `read-only`: the monitor's own file decides, or it has nothing that could be set. */
export const EFFECT_STATES = ['applied', 'pending', 'read-only'] as const;

export const effectSchema = z
  .object({
    monitor: z.enum(MONITORS).describe('The monitor.'),
    state: z.enum(EFFECT_STATES).describe('Whether the monitor is synced.'),
    reason: z.string().optional().describe('Why it is pending or read-only, or a remark: a sentence.'),
    at: z.iso.datetime().optional().describe('Time at which it was applied or last tried.'),
    nextTryAt: z.iso.datetime().optional().describe('Time of the next try, if pending.'),
  })
  .meta({ id: 'Effect', description: 'The sync state of an endpoint in a monitor.' });
export type Effect = z.infer<typeof effectSchema>;

/** Reason why an endpoint is muted: its own switch, its package's, or its category's. */
export const MUTED_BY = ['endpoint', 'package', 'category'] as const;

export const endpointSchema = z
  .object({
    correlationId: z.string().describe('Its id in settings and notifications.'),
    kind: z.enum(ENDPOINT_KINDS).describe('Who checks it: a monitor, the package itself, or the bridge.'),
    title: z.string().describe('Subject of its notifications.'),
    description: z.string().optional().describe('Markdown.'),
    category: z.string().optional().describe('The category of its notifications.'),
    priority: z.string().optional().describe('The priority of its notifications.'),
    isBanner: z.boolean().describe('Whether its notifications are banners.'),
    enabled: endpointSwitchSchema,
    mutedBy: z.array(z.enum(MUTED_BY)).describe('The switches that are off; empty: its notifications are shown.'),
    condition: z
      .object({
        shipped: z.string().describe('The default of the package.'),
        effective: z.string().describe('With the threshold in effect.'),
      })
      .optional()
      .describe('The endpoint alerts while this does not hold. Absent if the package checks the endpoint itself.'),
    threshold: endpointThresholdSchema.optional().describe('Absent if the endpoint has no configurable number.'),
    metric: endpointMetricSchema.optional().describe('The range of the slider. Present only with a threshold.'),
    sentence: z
      .string()
      .optional()
      .describe('When it alerts, with the threshold in effect.')
      .meta({ examples: ['alerts above 80 %'] }),
    readOnly: z.string().optional().describe('Why the threshold cannot be set: a sentence.'),
    history: z.boolean().optional().describe('Whether `…/history` is available. Absent: no.'),
    cautions: z
      .array(z.string())
      .describe('Where the monitor evaluates the condition differently than expected: sentences.'),
    active: z.boolean().describe('Whether its requirements are met, so that it is checked.'),
    inactive: z.string().optional().describe('Why it is not active: a sentence.'),
    effects: z.array(effectSchema).describe('One for each monitor of the endpoint; empty if none is configured.'),
  })
  .meta({ id: 'Endpoint', description: 'An endpoint of a package, with its settings.' });
export type Endpoint = z.infer<typeof endpointSchema>;

export const leftoverSchema = z
  .object({
    correlationId: z.string().describe('The id of the endpoint.'),
    enabled: z.boolean().optional().describe('The stored switch.'),
    threshold: z.number().optional().describe('The stored threshold.'),
    file: z.string().optional().describe('The provisioning file that sets it; it can be removed only there.'),
    detail: z.string().describe('Why it is not in use: a sentence.'),
  })
  .meta({
    id: 'Leftover',
    description: 'Settings of an endpoint that the package no longer defines. They apply again if it is defined again.',
  });
export type Leftover = z.infer<typeof leftoverSchema>;

export const endpointPackageSchema = z
  .object({
    dnpName: z.string().describe('The name of the package.'),
    version: z.string().describe('Its version.'),
    icon: z.string().optional().describe('http:, https: or a path.'),
    enabled: endpointSwitchSchema.describe('The switch of the whole package.'),
    endpoints: z.array(endpointSchema).describe('Its endpoints, in the order of its notifications file.'),
    leftovers: z.array(leftoverSchema).describe('Settings of endpoints that it does not define.'),
    problems: z
      .array(
        z.object({
          file: z.string().describe('The file.'),
          line: z.int().describe('The line, from 1.'),
          column: z.int().describe('The column, from 1.'),
          detail: z.string().describe('The problem, and the remedy.'),
        })
      )
      .describe('Errors in the current provisioning files; the last applied version is in effect.'),
  })
  .meta({ id: 'EndpointPackage', description: 'A package with its endpoints and their settings.' });
export type EndpointPackage = z.infer<typeof endpointPackageSchema>;

export const monitorStateSchema = z
  .object({
    monitor: z.enum(MONITORS).describe('The monitor.'),
    state: z.enum(['applied', 'pending']).describe('Whether all settings have been applied.'),
    reason: z.string().optional().describe('Why it is pending: a sentence.'),
    at: z.iso.datetime().optional().describe('Time at which they were applied or last tried.'),
    nextTryAt: z.iso.datetime().optional().describe('Time of the next try.'),
  })
  .meta({ id: 'MonitorState', description: 'A configured monitor and its sync state.' });
export type MonitorState = z.infer<typeof monitorStateSchema>;

export const endpointOverviewSchema = z
  .object({
    packages: z.array(endpointPackageSchema).describe('Packages with endpoints or settings of endpoints, by name.'),
    monitors: z.array(monitorStateSchema).describe('The configured monitors.'),
  })
  .meta({ id: 'EndpointOverview', description: 'The endpoints of all packages.' });
export type EndpointOverview = z.infer<typeof endpointOverviewSchema>;

const orReset = 'null resets it to the default of the package.';
export const endpointPatchSchema = z
  .strictObject({
    enabled: z.boolean().nullable().optional().describe(`The switch; ${orReset}`),
    threshold: z.number().nullable().optional().describe(`The threshold, between min and max; ${orReset}`),
  })
  .meta({ id: 'EndpointRequest', description: 'Settings of an endpoint. Absent members do not change.' });
export type EndpointPatch = z.infer<typeof endpointPatchSchema>;

export const packageSwitchBodySchema = z
  .strictObject({
    enabled: z.boolean().nullable().optional().describe('The switch of the package; null: on, the default.'),
    forget: z.array(z.string()).max(1000).optional().describe('The correlationIds of leftover settings to remove.'),
  })
  .meta({
    id: 'PackageSwitchRequest',
    description: 'Settings of a package, and leftover settings to remove. Absent members do not change.',
  });
export type PackageSwitchBody = z.infer<typeof packageSwitchBodySchema>;

/** Settings of one endpoint. */
export const endpointSettingsSchema = z.strictObject({
  enabled: z.boolean().optional().describe('The switch of the endpoint.'),
  threshold: z.number().optional().describe('Its threshold, between min and max.'),
});

/** Settings of one package: while it is registered, in a provisioning file, and in exports. */
export const packageSettingsSchema = z
  .strictObject({
    enabled: z.boolean().optional().describe('The switch of the whole package.'),
    endpoints: z.record(z.string(), endpointSettingsSchema).optional().describe('Endpoints by correlationId.'),
  })
  .meta({ id: 'PackageSettings', description: 'Settings of a package. Absent members do not change.' });
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

/** A number as people read it, with its unit. */
export function withUnit(value: number, unit: string | undefined): string {
  return unit === undefined || unit === '' ? plain(value) : `${plain(value)} ${unit}`;
}
