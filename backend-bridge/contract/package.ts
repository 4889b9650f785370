/** A registered package, as an admin is shown it: what its manifest says, resolved, with what the bridge knows besides. */
import { z } from 'zod';
import { endpointSchema, packageSettingsSchema } from './endpoint.ts';
import { DEFAULT_DIALECT, DIALECTS, findingSchema } from './finding.ts';

const webUrl = z.string().describe('http:, https: or a path; anything else has been left out.');

/** What a link is, by its key: decides icon and word. */
export const LINK_KINDS = ['homepage', 'ui', 'api', 'engine', 'gateway', 'report', 'other'] as const;
export const packageLinkSchema = z
  .object({
    key: z.string().describe('The key in the manifest.'),
    kind: z.enum(LINK_KINDS).describe('Predefined keys have an icon; `other` is shown by its key.'),
    url: z.string().describe('http:, https: or a path; with `copyOnly` a URL of another scheme.'),
    copyOnly: z
      .literal(true)
      .optional()
      .describe('Set if a browser cannot open the URL, as with ws:, wss: and ssh:. It is shown as text to copy.'),
  })
  .meta({ id: 'PackageLink', description: 'A link of a package.' });
export type PackageLink = z.infer<typeof packageLinkSchema>;

export const personSchema = z
  .object({
    name: z.string().describe('The name.'),
    email: z.string().optional().describe('The e-mail address.'),
    url: webUrl.optional(),
    text: z.string().describe('As in the manifest.'),
  })
  .meta({ id: 'Person', description: 'An author or a contributor: `<name> <<email>> (<url>)`, read.' });
export type Person = z.infer<typeof personSchema>;

export const packageStyleSchema = z
  .object({
    background: z.string().optional().describe('A CSS background without addresses.'),
    color: z.string().optional().describe('A CSS colour.'),
    avatarFilter: z.string().optional().describe('A CSS filter without addresses.'),
  })
  .meta({ id: 'PackageStyle', description: 'Values that passed the check; what did not is left out.' });
export type PackageStyle = z.infer<typeof packageStyleSchema>;

export const packageChainSchema = z
  .object({
    driver: z
      .string()
      .describe('Which kind of chain.')
      .meta({ examples: ['ethereum', 'bitcoin', 'monero', 'ethereum-beacon-chain'] }),
    supported: z.boolean().describe('Whether the bridge can poll such a node.'),
    service: z.string().optional().describe('The service to poll.'),
    port: z.int().optional().describe('Its port.'),
  })
  .meta({ id: 'PackageChain', description: 'Which chain the package is a node of.' });
export type PackageChain = z.infer<typeof packageChainSchema>;

/**
 * `satisfied`, `unsatisfied`: registered, in a version that the range takes or does not; `missing`: not registered;
 * `unknown`: cannot be determined (a content address or an invalid range).
 */
export const DEPENDENCY_STATES = ['satisfied', 'unsatisfied', 'missing', 'unknown'] as const;
export const dependencySchema = z
  .object({
    name: z.string().describe('The package it needs.'),
    range: z.string().describe('As in the manifest.'),
    kind: z.enum(['version', 'range', 'any', 'latest', 'ipfs', 'unreadable']).describe('What the range is.'),
    optional: z.boolean().describe('Whether it can do without.'),
    state: z.enum(DEPENDENCY_STATES).describe('Whether what is registered satisfies it.'),
    registered: z.string().optional().describe('The version that is registered.'),
  })
  .meta({ id: 'Dependency', description: 'A package that this one needs.' });
export type Dependency = z.infer<typeof dependencySchema>;

export const exposableSchema = z
  .object({
    name: z.string().describe('A short name.'),
    description: z.string().optional().describe('What it is.'),
    service: z.string().optional().describe('Its service; the first of the compose file when the manifest names none.'),
    port: z.number().describe('The port.'),
    fromSubdomain: z.string().optional().describe('As in the manifest.'),
  })
  .meta({ id: 'Exposable', description: 'A service that is safe to put on the public internet.' });

export const backupEntrySchema = z
  .object({
    name: z.string().describe('Stays the same when the path changes.'),
    path: z.string().describe('An absolute path in the container.'),
    service: z.string().optional().describe('Its service; the first of the compose file when the manifest names none.'),
  })
  .meta({ id: 'BackupEntry', description: 'A file or folder that a backup holds.' });
export type BackupEntry = z.infer<typeof backupEntrySchema>;

export const packageDashboardSchema = z
  .object({
    title: z.string().describe('Its title.'),
    uid: z.string().describe('Its uid in Grafana.'),
    origin: z.enum(['generated', 'package']).describe('Made by Nodebell from the manifest, or shipped by the package.'),
  })
  .meta({ id: 'PackageDashboard', description: 'A dashboard that belongs to the package.' });
export type PackageDashboard = z.infer<typeof packageDashboardSchema>;

export const packageEndpointSchema = z
  .object({
    correlationId: z.string().describe('The correlationId of its notifications.'),
    kind: z
      .enum(['monitored', 'custom'])
      .describe('Checked by a monitor, or by the package itself, which reads its own settings.'),
    title: z.string().describe('What it notifies about.'),
    description: z.string().optional().describe('Markdown.'),
    category: z.string().optional().describe('The category of its notifications.'),
    condition: z
      .string()
      .optional()
      .describe('What must hold, as the package ships it; a notification is sent when it does not.'),
    threshold: z.number().optional().describe('The number in it, as the package ships it, where there is a slider.'),
    metric: z
      .object({
        min: z.number().describe('The least.'),
        max: z.number().describe('The greatest.'),
        unit: z.string().optional().describe('Its unit.'),
      })
      .optional()
      .describe('The range of the slider. Absent: no slider.'),
    priority: z.string().optional().describe('The priority of its notifications.'),
    isBanner: z.boolean().describe('Whether its notifications are banners.'),
    enabled: z.boolean().describe('Whether the package ships it switched on.'),
  })
  .meta({ id: 'PackageEndpoint', description: 'What a package sends notifications about.' });
export type PackageEndpoint = z.infer<typeof packageEndpointSchema>;
const packageEndpoints = z
  .array(packageEndpointSchema)
  .describe('What its notifications file defines, as the package ships it.');

const findingCounts = z
  .object({
    error: z.int().describe('Errors.'),
    warning: z.int().describe('Warnings.'),
    note: z.int().describe('Notes.'),
  })
  .describe('How many findings there are of each verdict.');

export const packageSummarySchema = z
  .object({
    dnpName: z.string().describe('Its name.'),
    version: z.string().describe('Its version.'),
    upstreamVersion: z.string().optional().describe('The version of what it wraps, in its own words.'),
    type: z.string().describe('service, library or dncore.'),
    shortDescription: z.string().optional().describe('What it is for, in a sentence.'),
    categories: z.array(z.string()).describe('Its categories.'),
    keywords: z.array(z.string()).describe('Its keywords.'),
    icon: z
      .string()
      .optional()
      .describe(
        'An http(s) URL, or `avatar:` and a name if the manifest holds the image. Served at `/packages/{dnpName}/icon`.'
      ),
    style: packageStyleSchema.optional().describe('How its card looks.'),
    links: z.array(packageLinkSchema).describe('Its links, the predefined first.'),
    chain: packageChainSchema.optional().describe('The chain that it is a node of.'),
    dashboards: z.array(packageDashboardSchema).describe('Its dashboards.'),
    endpoints: z.int().describe('How many endpoints its notifications file defines.'),
    backups: z.int().describe('How many files and folders a backup holds.'),
    findings: findingCounts,
    missingDependencies: z.int().describe('How many dependencies are missing or not satisfied.'),
    origin: z
      .object({
        kind: z.enum(['api', 'file']).describe('Registered over HTTP, or provisioned.'),
        file: z.string().optional().describe('The provisioning file, relative to its folder.'),
      })
      .describe('Where it was registered. What a file provisions can be changed only there.'),
    fingerprint: z
      .string()
      .describe('Of its files and the dialect: the same as long as all of them are, byte for byte.')
      .meta({ examples: ['9f86d081884c7d65'] }),
    registeredAt: z.iso.datetime().describe('Since when.'),
    registeredBy: z.string().optional().describe('By whom, where that is known.'),
    updatedAt: z.iso.datetime().describe('When this version was registered.'),
  })
  .meta({ id: 'PackageSummary', description: 'A registered package, as its card shows it.' });
export type PackageSummary = z.infer<typeof packageSummarySchema>;

export const packageFactsSchema = z
  .object({
    description: z.string().describe('Markdown.'),
    changelog: z.string().optional().describe('Markdown: what is new in this version.'),
    author: personSchema.optional().describe('The author.'),
    contributors: z.array(personSchema).describe('The contributors.'),
    license: z.string().describe('The licence.'),
    repository: z
      .object({
        type: z.string().describe('Which version control.'),
        url: z.string().describe('As in the manifest.'),
        directory: z.string().optional().describe('A folder in it.'),
        web: webUrl.optional().describe('Where a browser can read it.'),
      })
      .optional()
      .describe('Where its source is.'),
    bugs: webUrl.optional().describe('Its issue tracker.'),
    architectures: z.array(z.string()).describe('What it is built for; linux/amd64 when the manifest names none.'),
    services: z.array(z.string()).describe('The services of the compose file; empty without one.'),
    mainService: z.string().optional().describe('The service that the root name maps to, resolved.'),
    rootAddress: z.string().optional().describe('The name in the node network that maps to it.'),
    timeout: z
      .object({
        seconds: z.number().describe('In effect.'),
        given: z.string().optional().describe('As in the manifest.'),
        operations: z.array(z.string()).describe('What it applies to.'),
      })
      .describe('How long an operation on its containers may take.'),
    minimumNodeVersion: z.string().optional().describe('The node version that it needs.'),
    globalEnvs: z
      .array(
        z.object({
          envs: z.array(z.string()).describe('Names of variables; `*`: all.'),
          services: z.array(z.string()).describe('For which services; empty: all.'),
        })
      )
      .describe('Global variables that it requires.'),
    dependencies: z.array(dependencySchema).describe('What it needs.'),
    exposable: z.array(exposableSchema).describe('What may be put on the internet.'),
    backup: z.array(backupEntrySchema).describe('What a backup holds.'),
    warnings: z
      .object({
        onInstall: z.string().optional().describe('Before it is registered.'),
        onUpdate: z.string().optional().describe('Before any update.'),
        onPatchUpdate: z.string().optional().describe('Before an update of the third number.'),
        onMinorUpdate: z.string().optional().describe('Before an update of the second number.'),
        onMajorUpdate: z.string().optional().describe('Before an update of the first number.'),
        onReset: z.string().optional().describe('Before it is reset.'),
        onRemove: z.string().optional().describe('Before it is removed.'),
      })
      .describe("The author's warnings, unchanged."),
    disclaimer: z.string().optional().describe('Markdown that must be approved before it is registered.'),
  })
  .meta({ id: 'PackageFacts', description: 'What a manifest says, read and resolved.' });
export type PackageFacts = z.infer<typeof packageFactsSchema>;

export const nodeRequirementSchema = z
  .object({
    minimum: z.string().describe('The node version that the package needs.'),
    state: z
      .enum(['met', 'unmet', 'unknown'])
      .describe('`unknown`: the bridge does not know which version the node has (NODEBELL_NODE_VERSION).'),
    node: z.string().optional().describe('The version that the node has.'),
  })
  .meta({ id: 'NodeRequirement', description: 'The minimum node version, and whether the node has it.' });
export type NodeRequirement = z.infer<typeof nodeRequirementSchema>;
const nodeRequirement = nodeRequirementSchema
  .optional()
  .describe('The minimum node version; absent when the manifest names none.');

/** Apart from the detail, which everybody reads: a compose file holds passwords, and an endpoint's headers may. */
export const packageFilesSchema = z
  .object({
    manifest: z.string().describe('The text of the manifest.'),
    notifications: z.string().optional().describe('The text of the notifications file.'),
    compose: z.string().optional().describe('The text of the compose file.'),
  })
  .meta({ id: 'PackageFiles', description: 'The files of a package as they were registered.' });
export type PackageFiles = z.infer<typeof packageFilesSchema>;

export const packageDetailSchema = packageSummarySchema
  .extend({
    facts: packageFactsSchema,
    findingList: z.array(findingSchema).describe('The findings in its files.'),
    notifications: packageEndpoints,
    nodeRequirement,
    backupAvailable: z
      .boolean()
      .describe(
        'Whether a backup can be downloaded and restored: the operator has provisioned the folder of its files.'
      ),
    approval: z
      .object({
        text: z.string().describe('The disclaimer that was approved.'),
        by: z.string().optional().describe('By whom, where that is known.'),
        at: z.iso.datetime().describe('When.'),
        version: z.string().describe('Of which version it was.'),
      })
      .optional()
      .describe('The last approval of a disclaimer.'),
    history: z
      .array(
        z.object({
          at: z.iso.datetime().describe('When.'),
          action: z.enum(['registered', 'updated', 'removed']).describe('What was done.'),
          version: z.string().describe('The version.'),
          from: z.string().optional().describe('The version before.'),
          by: z.string().optional().describe('By whom, where that is known.'),
        })
      )
      .describe('What was done with it, newest first, at most 50.'),
  })
  .meta({ id: 'PackageDetail', description: 'A registered package with all that is known of it.' });
export type PackageDetail = z.infer<typeof packageDetailSchema>;

const file = z.union([z.string(), z.record(z.string(), z.unknown())]);
export const packageBodySchema = z
  .strictObject({
    manifest: file.describe('The manifest: an object, or the text of the file, so that findings can say where.'),
    notifications: file.optional().describe('The notifications file: an object, or its text (YAML or JSON).'),
    compose: file.optional().describe('The compose file: an object, or its text (YAML or JSON).'),
    dialect: z.enum(DIALECTS).optional().describe('Whose rules apply.').meta({ default: DEFAULT_DIALECT }),
    settings: packageSettingsSchema
      .optional()
      .describe('Settings to apply at the same time. Existing settings that are absent here do not change.'),
  })
  .meta({ id: 'PackageRequest', description: 'A package to validate.' });
export type PackageBody = z.infer<typeof packageBodySchema>;

export const registerBodySchema = packageBodySchema
  .extend({
    disclaimerAccepted: z.boolean().optional().describe('That the disclaimer was shown and approved.'),
    allowDowngrade: z
      .boolean()
      .optional()
      .describe('That an older version, or other content under the same version, is meant.'),
  })
  .meta({ id: 'RegisterRequest', description: 'A package to register, or to update.' });
export type RegisterBody = z.infer<typeof registerBodySchema>;

export const fetchBodySchema = z
  .strictObject({
    url: z
      .string()
      .max(2000)
      .describe('Where the manifest is: http: or https:.')
      .meta({ examples: ['https://example.org/dappnode_package.json'] }),
  })
  .meta({ id: 'FetchRequest', description: 'A manifest to fetch.' });
export const fetchedSchema = z
  .object({
    text: z.string().describe('The text of the file.'),
    name: z.string().describe('The last part of its address.'),
  })
  .meta({ id: 'Fetched', description: 'A fetched manifest, not validated.' });
export type Fetched = z.infer<typeof fetchedSchema>;

/**
 * `install`: not registered yet; `update`: a higher version; `downgrade`: a lower one; `same`: this version with the same
 * content; `changed`: this version with other content.
 */
export const CHANGE_KINDS = ['install', 'update', 'downgrade', 'same', 'changed'] as const;
export const packageChangeSchema = z
  .object({
    kind: z.enum(CHANGE_KINDS).describe('What registering would do.'),
    level: z.enum(['major', 'minor', 'patch']).optional().describe('Which number an update raises.'),
    from: z.string().optional().describe('The version that is registered.'),
    to: z.string().describe('The version of this manifest.'),
  })
  .meta({ id: 'PackageChange', description: 'What registering would do.' });
export type PackageChange = z.infer<typeof packageChangeSchema>;

export const shownWarningSchema = z
  .object({
    kind: z
      .enum(['onInstall', 'onUpdate', 'onPatchUpdate', 'onMinorUpdate', 'onMajorUpdate', 'updateAlert'])
      .describe('Which member of the manifest it comes from.'),
    message: z.string().describe("The author's words, unchanged."),
    from: z.string().optional().describe('Of an update alert: the range of versions it is for.'),
    to: z.string().optional().describe('Of an update alert: the range of versions it is for.'),
  })
  .meta({ id: 'ShownWarning', description: 'A warning to show before registering.' });
export type ShownWarning = z.infer<typeof shownWarningSchema>;

export const previewSchema = z
  .object({
    acceptable: z.boolean().describe('Whether it has no error: it can be registered.'),
    findings: z.array(findingSchema).describe('All findings in the files.'),
    summary: packageSummarySchema
      .omit({ origin: true, fingerprint: true, registeredAt: true, registeredBy: true, updatedAt: true })
      .optional()
      .describe('How its card would look; absent when the manifest cannot be read.'),
    facts: packageFactsSchema.optional().describe('What the manifest says; absent when it cannot be read.'),
    change: packageChangeSchema
      .optional()
      .describe('What registering would do; absent when name or version cannot be read.'),
    warnings: z.array(shownWarningSchema).describe('What to show before registering, in this order.'),
    notifications: packageEndpoints,
    endpoints: z
      .array(endpointSchema)
      .describe('The endpoints with existing settings and the settings of this request.'),
    nodeRequirement,
    disclaimer: z
      .object({
        message: z.string().describe('Markdown.'),
        approved: z.boolean().describe('Whether this very text has been approved for this package before.'),
      })
      .optional()
      .describe('What must be approved before registering.'),
  })
  .meta({ id: 'PackagePreview', description: 'What is found in the files, and what the admin is to be shown.' });
export type PackagePreview = z.infer<typeof previewSchema>;

/** GET /prometheus/targets: what Prometheus reads as HTTP service discovery (Prometheus documentation, "http_sd"). */
export const targetGroupSchema = z
  .object({
    targets: z.array(z.string()).describe('`host:port` of each.'),
    labels: z
      .record(z.string(), z.string())
      .describe('Labels of all of them; `package` names the package unless it sets the label itself.'),
  })
  .meta({ id: 'TargetGroup', description: 'Targets with their labels.' });
export type TargetGroup = z.infer<typeof targetGroupSchema>;
