/** A provisioning file: packages, categories, senders and chains (docs/configure.md). */
import { z } from 'zod';
import { list, oneOf, rule, strictComponent, string } from './schema.ts';
import { provisionedChannelSchema, routeSchema } from './channel.ts';
import { provisionedHeartbeatSchema } from './heartbeat.ts';
import { LIMITS } from './limits.ts';
import { mappingEntrySchema } from './mapping.ts';
import { nodeNameSchema } from './notification.ts';
import { channelPersonSchema, onCallScheduleSchema } from './onCall.ts';
import { retentionPolicySchema } from './retention.ts';
import { dependencySchema, inhibitRuleSchema, maintenanceBodySchema } from './suppression.ts';
import { DEFAULT_DIALECT, DIALECTS } from './finding.ts';
import { flag } from './flag.ts';

const FIGURE = { error: 'a number' };
const figure = z
  .union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/, FIGURE)], FIGURE)
  .transform((value) => Number(value));
const text = (max: number) => z.string().trim().min(1).max(max);
const filePath = text(4096).meta({ examples: ['packages/geth'] });
const dnpName = text(200).meta({ examples: ['geth.example.eth'] });

const endpointSettingSchema = z
  .strictObject({
    enabled: flag.optional().describe('Whether its notifications are shown.'),
    threshold: figure.optional().describe('The number in its first condition.'),
  })
  .describe('One endpoint, by its correlationId.');

const packageSettingsSchema = z
  .strictObject({
    enabled: flag.optional().describe('Whether the notifications of the package are shown.'),
    endpoints: z.record(text(200), endpointSettingSchema).optional().describe('Endpoints by correlationId.'),
  })
  .describe('Settings of the package. They take precedence over those of admins, and can be changed only in the file.');

/** The members that name the files of a package; `path` replaces all of them. */
export const FILE_MEMBERS = ['manifest', 'notifications', 'compose', 'targets', 'dashboards'] as const;

const provisionedPackageSchema = z
  .strictObject({
    path: filePath
      .optional()
      .describe("The package's folder, relative to this file; its files are found by their names."),
    variant: text(200).optional().describe('Which folder of package_variants, where the package has several.'),
    manifest: filePath.optional().describe('The manifest, without `path`. All paths are relative to this file.'),
    notifications: filePath.optional().describe('The notifications file.'),
    compose: filePath.optional().describe('The compose file.'),
    targets: filePath.optional().describe('The targets file for Prometheus.'),
    dashboards: list('Dashboards of the package, each a JSON file.', filePath).max(50).optional(),
    files: filePath
      .optional()
      .describe('The folder that holds the files of its services, as <service>/<path>: what a backup is made of.'),
    dialect: oneOf('Rules that apply to its files.', DIALECTS, { default: DEFAULT_DIALECT }).optional(),
    disclaimerAccepted: flag.optional().describe('Whether the operator accepts the disclaimer of the package.'),
    settings: packageSettingsSchema.optional(),
  })
  .check(
    rule((value, refuse) => {
      const { path, variant, manifest } = value;
      const given = FILE_MEMBERS.find((member) => value[member] !== undefined);
      if (path === undefined && manifest === undefined) {
        refuse([], 'an object with "path" (a folder) or "manifest" (a file)');
      } else if (path !== undefined && given !== undefined) {
        refuse([given], 'absent beside "path": the files are found in the folder');
      }
      if (variant !== undefined && path === undefined) {
        refuse(['variant'], 'absent without "path": only a folder has variants');
      }
    })
  )
  .describe('A package: a folder, or its files one by one.');
export type ProvisionedPackageEntry = z.output<typeof provisionedPackageSchema>;

const secretPair = (name: 'token' | 'previous token' | 'password') =>
  ({
    secret: text(4096).optional().describe(`The ${name}, best as \${VARIABLE}.`),
    file: filePath.optional().describe(`A file that holds the ${name}.`),
  }) as const;

const token = secretPair('token');
const previousToken = secretPair('previous token');
const provisionedSenderSchema = z
  .strictObject({
    name: text(100)
      .describe('Who or what sends with it.')
      .meta({ examples: ['backup job'] }),
    packages: list('Packages that it may send for; none: any.', dnpName).max(100).optional(),
    node: nodeNameSchema.optional().describe('The node of all that it sends, such as another bridge.'),
    token: token.secret,
    tokenFile: token.file,
    previousToken: previousToken.secret.describe(
      'A token that is valid as well, until the file no longer names it: for a rotation.'
    ),
    previousTokenFile: previousToken.file,
  })
  .check(
    rule(({ token: given, tokenFile, previousToken: before, previousTokenFile }, refuse) => {
      if ((given === undefined) === (tokenFile === undefined)) {
        refuse([], 'an object with one of "token" and "tokenFile"');
      }
      if (before !== undefined && previousTokenFile !== undefined) {
        refuse(['previousTokenFile'], 'absent beside "previousToken"');
      }
    })
  )
  .describe('A sender and its token.');
export type ProvisionedSenderEntry = z.output<typeof provisionedSenderSchema>;

const password = secretPair('password');
/** After the scheme: an IPv6 address in brackets, or a host name as the rules for addresses take it; a port. */
const HOST_IN_URL = /^https?:\/\/(?:\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)(?::\d+)?(?:\/|$)/i;
const provisionedChainSchema = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: 'an http: or https: address' })
      .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), {
        error: 'an address without user name and password: they have members of their own',
      })
      .refine((url) => !/[?#]/.test(url), { error: 'an address without ? and #' })
      // Reported by the rules before.
      .refine((url) => /^(?!https?:)|[@?#]/i.test(url) || HOST_IN_URL.test(url), {
        error:
          'a host of letters, digits, hyphens and dots that begins and ends with a letter or a digit, or an address',
      })
      .optional()
      .describe('URL of the node. The bridge may connect to this host, even in a private network.')
      .meta({ examples: ['http://127.0.0.1:8545'] }),
    interval: string('Poll interval.')
      .regex(/^[1-9]\d{0,4}[smh]$/, { error: 'a duration such as 30s, 5m or 1h' })
      .optional(),
    username: text(200).optional().describe('For basic authentication.'),
    usernameFile: filePath.optional().describe('A file that holds the user name.'),
    password: password.secret,
    passwordFile: password.file,
  })
  .check(
    rule((value, refuse) =>
      (['username', 'password'] as const)
        .filter((member) => value[member] !== undefined && value[`${member}File`] !== undefined)
        .forEach((member) => refuse([member], `absent beside "${member}File"`))
    )
  )
  .describe('How to poll the node of a package. Absent members: as in its manifest.');
export type ProvisionedChainEntry = z.output<typeof provisionedChainSchema>;

export const provisioningFileSchema = strictComponent(
  'ProvisioningFile',
  "One of the operator's files in NODEBELL_PROVISIONING_DIR.",
  {
    apiVersion: z.literal(1).describe('The version of this format.'),
    packages: list('Packages to register.', provisionedPackageSchema).max(1000).optional(),
    categories: z
      .record(text(200), flag)
      .optional()
      .describe('Categories by name, switched on (true) or off (false).')
      .meta({ examples: [{ hardware: false }] }),
    senders: list('Senders and their tokens.', provisionedSenderSchema).max(1000).optional(),
    chains: z.record(dnpName, provisionedChainSchema).optional().describe('How to poll the node, by package.'),
    channels: list('Channels, over which notifications leave the inbox.', provisionedChannelSchema)
      .max(LIMITS.channels.value)
      .optional(),
    routes: list('Which notifications go to which channels; the first that matches decides.', routeSchema)
      .max(LIMITS.routes.value)
      .optional(),
    schedules: list('Who is on call, for routes with `onCall`.', onCallScheduleSchema)
      .max(LIMITS.onCallLists.value)
      .optional(),
    people: list('The channels of people who are on call or in escalations.', channelPersonSchema)
      .max(LIMITS.onCallLists.value)
      .optional(),
    heartbeats: list(
      'Senders whose silence is reported: one that is silent for longer than its interval.',
      provisionedHeartbeatSchema
    )
      .max(LIMITS.heartbeats.value)
      .optional(),
    mappings: list('How webhooks of any program become notifications.', mappingEntrySchema)
      .max(LIMITS.mappings.value)
      .optional(),
    maintenance: list('Maintenance windows: what they match is stored, and sent to no channel.', maintenanceBodySchema)
      .max(LIMITS.windows.value)
      .optional(),
    inhibit_rules: list("Inhibition rules, as in Alertmanager's configuration.", inhibitRuleSchema)
      .max(LIMITS.inhibitRules.value)
      .optional(),
    dependencies: list('Packages and nodes that depend on others.', dependencySchema)
      .max(LIMITS.inhibitRules.value)
      .optional(),
    retention: retentionPolicySchema.optional().describe('Which notifications are removed, and when.'),
  }
);
/** A file that is right in itself; what it names may still be missing or wrong. */
export type ProvisioningFile = z.output<typeof provisioningFileSchema>;
