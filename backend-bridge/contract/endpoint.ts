/**
 * What a package notifies of, as an admin sets it: what the package ships with the settings laid over it (design: "Settings are an
 * overlay"), and what became of them in the monitors that watch.
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
    .describe('Where the value in effect comes from. One that is provisioned is changed only there.'),
  file: z.string().optional().describe('The provisioning file that sets it.'),
  setAt: z.iso.datetime().optional().describe('When it was set; absent for what the package ships.'),
  setBy: z.string().optional().describe('Who set it, where that is known.'),
};

export const endpointSwitchSchema = z
  .object({
    value: z.boolean().describe('In effect.'),
    shipped: z.boolean().describe('As the package ships it; a package as a whole is shipped switched on.'),
    ...origin,
  })
  .meta({ id: 'EndpointSwitch', description: 'A switch of a package or of one of its endpoints.' });
export type EndpointSwitch = z.infer<typeof endpointSwitchSchema>;

export const endpointThresholdSchema = z
  .object({
    value: z.number().describe('In effect.'),
    shipped: z.number().describe('As the package ships it.'),
    ...origin,
    recommends: z
      .object({
        from: z.number().describe('What the package shipped when the value was set.'),
        to: z.number().describe('What it ships now.'),
        detail: z
          .string()
          .describe('In words.')
          .meta({ examples: ['The package now recommends 85 %; you keep 80 %.'] }),
      })
      .optional()
      .describe('Present when the package has changed its own value since; a reset takes its new one.'),
    outOfRange: z
      .string()
      .optional()
      .describe('Present if the value is not between min and max. It stays until it is changed.'),
  })
  .meta({ id: 'EndpointThreshold', description: 'The number at which an endpoint alerts.' });
export type EndpointThreshold = z.infer<typeof endpointThresholdSchema>;

export const endpointMetricSchema = z
  .object({
    min: z.number().describe('The least value that can be set.'),
    max: z.number().describe('The greatest value that can be set.'),
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
    monitor: z.enum(MONITORS).describe('Where it is to take effect.'),
    state: z.enum(EFFECT_STATES).describe('Whether the monitor is synced.'),
    reason: z.string().optional().describe('Why it is pending or read-only, or what to know besides: a sentence.'),
    at: z.iso.datetime().optional().describe('When it was applied, or tried last.'),
    nextTryAt: z.iso.datetime().optional().describe('Of one that is pending: when it is tried again.'),
  })
  .meta({ id: 'Effect', description: 'What became of the settings of an endpoint in one of the monitors.' });
export type Effect = z.infer<typeof effectSchema>;

/** What silences an endpoint: its own switch, its package's, or its category's. */
export const MUTED_BY = ['endpoint', 'package', 'category'] as const;

export const endpointSchema = z
  .object({
    correlationId: z.string().describe('Its id: in settings and in its notifications.'),
    kind: z.enum(ENDPOINT_KINDS).describe('Who checks it: a monitor, the package itself, or the bridge.'),
    title: z.string().describe('What it notifies about.'),
    description: z.string().optional().describe('Markdown.'),
    category: z.string().optional().describe('The category of its notifications.'),
    priority: z.string().optional().describe('The priority of its notifications.'),
    isBanner: z.boolean().describe('Whether its notifications are banners.'),
    enabled: endpointSwitchSchema,
    mutedBy: z.array(z.enum(MUTED_BY)).describe('Which switches are off; empty: its notifications are shown.'),
    condition: z
      .object({
        shipped: z.string().describe('As the package ships it.'),
        effective: z.string().describe('With the threshold in effect.'),
      })
      .optional()
      .describe('What must hold; a notification is sent when it does not. Absent when the package checks by itself.'),
    threshold: endpointThresholdSchema.optional().describe('Absent where there is no number to set.'),
    metric: endpointMetricSchema.optional().describe('Present only with a threshold: then there is a slider.'),
    sentence: z
      .string()
      .optional()
      .describe('When it alerts, with the threshold in effect.')
      .meta({ examples: ['alerts above 80 %'] }),
    readOnly: z.string().optional().describe('Why there is no threshold that could be set: a sentence.'),
    history: z.boolean().optional().describe('Whether `…/history` has its history. Absent: no.'),
    cautions: z
      .array(z.string())
      .describe('Where the monitor makes something else of it than a reader would: sentences.'),
    active: z.boolean().describe('Whether it is checked at all: its requirements are met.'),
    inactive: z.string().optional().describe('Why it is not active: a sentence.'),
    effects: z.array(effectSchema).describe('One for each monitor that it concerns; empty when none is set up.'),
  })
  .meta({ id: 'Endpoint', description: 'An endpoint of a package, with its settings.' });
export type Endpoint = z.infer<typeof endpointSchema>;

export const leftoverSchema = z
  .object({
    correlationId: z.string().describe('Which endpoint it was.'),
    enabled: z.boolean().optional().describe('Its switch, as it was set.'),
    threshold: z.number().optional().describe('Its threshold, as it was set.'),
    file: z.string().optional().describe('The provisioning file that sets it: only there it can be taken away.'),
    detail: z.string().describe('Why it is not in use: a sentence.'),
  })
  .meta({
    id: 'Leftover',
    description: 'Settings of an endpoint that the package no longer defines. They apply again if it does.',
  });
export type Leftover = z.infer<typeof leftoverSchema>;

export const endpointPackageSchema = z
  .object({
    dnpName: z.string().describe('The name of the package.'),
    version: z.string().describe('Its version.'),
    icon: z.string().optional().describe('http:, https: or a path.'),
    enabled: endpointSwitchSchema.describe('The switch of the whole package.'),
    endpoints: z.array(endpointSchema).describe('Its endpoints, as its notifications file has them.'),
    leftovers: z.array(leftoverSchema).describe('Settings of endpoints that it does not define now.'),
    problems: z
      .array(
        z.object({
          file: z.string().describe('Which file.'),
          line: z.int().describe('The line in it, from 1.'),
          column: z.int().describe('The column in that line, from 1.'),
          detail: z.string().describe('What is wrong, and what to do.'),
        })
      )
      .describe("What is wrong in a newer state of the operator's files; the older one is in use."),
  })
  .meta({ id: 'EndpointPackage', description: 'A package with its endpoints and their settings.' });
export type EndpointPackage = z.infer<typeof endpointPackageSchema>;

export const monitorStateSchema = z
  .object({
    monitor: z.enum(MONITORS).describe('Which one.'),
    state: z.enum(['applied', 'pending']).describe('Whether all that is set has been written there.'),
    reason: z.string().optional().describe('Why it is pending: a sentence.'),
    at: z.iso.datetime().optional().describe('When it was written, or tried last.'),
    nextTryAt: z.iso.datetime().optional().describe('When it is tried again.'),
  })
  .meta({ id: 'MonitorState', description: 'A monitor that the bridge writes to.' });
export type MonitorState = z.infer<typeof monitorStateSchema>;

export const endpointOverviewSchema = z
  .object({
    packages: z.array(endpointPackageSchema).describe('Packages that have endpoints, or settings of some, by name.'),
    monitors: z.array(monitorStateSchema).describe('The configured monitors.'),
  })
  .meta({ id: 'EndpointOverview', description: 'The endpoints of all packages.' });
export type EndpointOverview = z.infer<typeof endpointOverviewSchema>;

const orReset = 'null takes the value of the package again.';
export const endpointPatchSchema = z
  .strictObject({
    enabled: z.boolean().nullable().optional().describe(`The switch; ${orReset}`),
    threshold: z.number().nullable().optional().describe(`The threshold, between min and max; ${orReset}`),
  })
  .meta({ id: 'EndpointRequest', description: 'What is to be set of an endpoint; what is left out stays.' });
export type EndpointPatch = z.infer<typeof endpointPatchSchema>;

export const packageSwitchBodySchema = z
  .strictObject({
    enabled: z.boolean().nullable().optional().describe('The switch of the package; null: on, as it is shipped.'),
    forget: z.array(z.string()).max(1000).optional().describe('The correlationIds of leftover settings to remove.'),
  })
  .meta({
    id: 'PackageSwitchRequest',
    description: 'Settings of a package, and leftover settings to remove. Absent members do not change.',
  });
export type PackageSwitchBody = z.infer<typeof packageSwitchBodySchema>;

/** Of one endpoint. */
export const endpointSettingsSchema = z.strictObject({
  enabled: z.boolean().optional().describe('The switch of the endpoint.'),
  threshold: z.number().optional().describe('Its threshold, between min and max.'),
});

/** Of one package: while it is registered, in a provisioning file, and in what is exported. */
export const packageSettingsSchema = z
  .strictObject({
    enabled: z.boolean().optional().describe('The switch of the whole package.'),
    endpoints: z.record(z.string(), endpointSettingsSchema).optional().describe('By correlationId.'),
  })
  .meta({ id: 'PackageSettings', description: 'What is set for a package; what is left out stays as it is.' });
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
