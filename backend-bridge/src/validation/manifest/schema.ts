/** The shape of a manifest, once for each dialect: the check and the published JSON Schema are made from it. */
import { z } from 'zod';
import { type Dialect } from '../../../contract/finding.ts';

export const TYPES = ['service', 'library', 'dncore'] as const;
export const CHAINS = ['ethereum', 'bitcoin', 'monero'] as const;
export const ARCHITECTURES = ['linux/amd64', 'linux/arm64'] as const;
export const CATEGORIES = [
  'Blockchain',
  'Communications',
  'Developer tools',
  'ETH2.0',
  'Economic incentive',
  'Monitoring',
  'Payment channels',
  'Storage',
] as const;
/** Warnings of the other dialect, one for each number of the version. */
export const UPDATE_WARNINGS = ['onPatchUpdate', 'onMinorUpdate', 'onMajorUpdate'] as const;

/** As in the specification, where dots match any character, so semantic versions are checked as well. */
export const VERSION = /^((([0-9]+).([0-9]+).([0-9]+)))$/u;
/** Labels of RFC 1123, at least two, the last of them `eth`. */
export const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+eth$/u;
/** A port as text: 1 to 65535. */
export const PORT = /^(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$/u;
/** Absolute; the shell's `~` is not expanded in it. That it is not empty is another rule. */
const ABSOLUTE_PATH = /^(?:\/[^~]*)?$/u;

// The second argument of a check is the id of its rule.
const text = () => z.string();
const filled = () => z.string().min(1, 'empty');
const name = () => z.string().max(253, 'name-format').regex(NAME, 'name-format');
const version = () => z.string().regex(VERSION, 'version-format');
const port = () => z.number().int('port-range').min(1, 'port-range').max(65535, 'port-range');
/** What the specification does not describe. */
const anything = (what: string) => z.unknown().optional().describe(what);

function warnings(dialect: Dialect) {
  const numbered = (which: string) =>
    (dialect === 'spec' ? z.never() : text())
      .optional()
      .describe(`Shown before an update of the ${which} number; not in the specification, which has onUpdate.`);
  return z.looseObject({
    onInstall: text().optional().describe('Shown before it is installed.'),
    onUpdate: text().optional().describe('Shown before it is updated, not at the first installation.'),
    onPatchUpdate: numbered('third'),
    onMinorUpdate: numbered('second'),
    onMajorUpdate: numbered('first'),
    onReset: text().optional().describe('Shown before it is reset.'),
    onRemove: text().optional().describe('Shown before it is removed.'),
  });
}

function chain(dialect: Dialect) {
  const driver = z.looseObject({
    driver: filled().describe('Which kind of chain.'),
    serviceName: filled().optional().describe('The service that answers.'),
    portNumber: port().optional().describe('Its port.'),
  });
  return (dialect === 'spec' ? z.enum(CHAINS) : z.union([filled(), driver]))
    .optional()
    .describe('Marks the package as a node of this chain: its state of synchronisation is shown.')
    .meta({ examples: [...CHAINS] });
}

function globalEnvs(dialect: Dialect) {
  const all = (dialect === 'spec' ? z.boolean() : z.union([z.boolean(), z.enum(['true', 'false'])]))
    .optional()
    .describe('All global variables are put into its containers.')
    .meta({ default: false });
  const one = z.looseObject({
    envs: z.array(filled()).describe('Names of variables.'),
    services: z.array(filled()).optional().describe('The services that get them; all when absent.'),
  });
  const object = z.looseObject({ all });
  return (dialect === 'spec' ? object : z.union([object, z.array(one)]))
    .optional()
    .describe('Which of the global variables of the node it asks for.');
}

const backup = () =>
  z.looseObject({
    name: filled()
      .describe('Stays the same when the path changes: a backup is restored by it.')
      .meta({ examples: ['keys'] }),
    path: filled()
      .regex(ABSOLUTE_PATH, 'backup-path')
      .describe('An absolute path in the container, without ~.')
      .meta({ examples: ['/root/.lnd/wallet.db'] }),
    service: filled().optional().describe('A service of the compose file; the first one when absent.'),
  });

const updateAlert = () =>
  z.looseObject({
    from: filled()
      .describe('A range of semantic versions that is updated from.')
      .meta({ examples: ['<2.0.0'] }),
    to: filled().optional().describe('A range of semantic versions that is updated to.').meta({ default: '*' }),
    message: filled().describe('Shown when both ranges are satisfied.'),
  });

const exposable = (dialect: Dialect) =>
  z.looseObject({
    name: filled()
      .describe('A short name for people.')
      .meta({ examples: ['Node JSON RPC'] }),
    description: text().optional().describe('What it is.'),
    serviceName: filled().optional().describe('A service of the compose file; the first one when absent.'),
    port: (dialect === 'spec' ? port() : z.union([port(), z.string().regex(PORT, 'port-range')]))
      .describe('The port that the service listens on, from 1 to 65535.')
      .meta({ examples: [8545] }),
    fromSubdomain: text().optional().describe('The name that it is reached by from outside.'),
  });

const style = () =>
  z.looseObject({
    featuredBackground: text()
      .optional()
      .describe('A value of the CSS property background.')
      .meta({ examples: ['#123939'] }),
    featuredColor: text()
      .optional()
      .describe('A value of the CSS property color.')
      .meta({ examples: ['white'] }),
    featuredAvatarFilter: text()
      .optional()
      .describe('A value of the CSS property filter.')
      .meta({ examples: ['invert(1)'] }),
  });

const repository = () =>
  z.looseObject({
    type: filled()
      .describe('Which version control.')
      .meta({ examples: ['git'] }),
    url: filled().describe('An address that the version control can use.'),
    directory: text().optional().describe('A folder in it.'),
  });

const presentation = (dialect: Dialect) => ({
  changelog: text().optional().describe('Markdown: what is new in this version.'),
  warnings: warnings(dialect).optional().describe('Shown to the user before an action.'),
  updateAlerts: z
    .array(updateAlert())
    .optional()
    .describe('Shown before an update from one range of versions to another.'),
  disclaimer: z
    .looseObject({ message: text().describe('Markdown.') })
    .optional()
    .describe('Must be approved before it is installed.'),
  style: style().optional().describe('How its card looks when the package is featured.'),
  author: filled()
    .optional()
    .describe('Written: name <e-mail> (address of a profile).')
    .meta({
      examples: ['Ada Lovelace <ada@example.org> (https://example.org/ada)'],
    }),
  contributors: z.array(filled()).optional().describe('Each written as the author.'),
  categories: z
    .array(dialect === 'spec' ? z.enum(CATEGORIES) : text())
    .optional()
    .describe('One or two are recommended.')
    .meta({ examples: [['Blockchain']] }),
  keywords: z.array(filled()).optional().describe('Shown in the store.'),
  links: (dialect === 'spec' ? z.record(text(), text()) : z.union([z.record(text(), text()), text()]))
    .optional()
    .describe('Addresses by name; homepage, ui, api and gateway have icons.')
    .meta({ examples: [{ homepage: 'https://example.org' }] }),
  repository: repository().optional().describe('Where its source is.'),
  bugs: z
    .looseObject({ url: text().describe('Its address.') })
    .optional()
    .describe('Its issue tracker.'),
});

const operation = (dialect: Dialect) => ({
  chain: chain(dialect),
  mainService: text().optional().describe('The service that the root name of the package leads to.'),
  dockerTimeout: (dialect === 'spec' ? text() : z.union([text(), z.number()]))
    .optional()
    .describe('How long an operation on its containers may take: seconds, or a duration in the timestring format.')
    .meta({ default: '10', examples: ['120', '20min'] }),
  dependencies: z
    .record(name(), text())
    .optional()
    .describe('Names of packages with a version, a range, *, latest or /ipfs/….')
    .meta({ examples: [{ 'bitcoin.dnp.dappnode.eth': '^0.2.0' }] }),
  requirements: z
    .looseObject({
      minimumDappnodeVersion: version()
        .optional()
        .describe('The lowest version of the node.')
        .meta({ examples: ['0.2.36'] }),
      minimumDockerVersion: anything('Of the other dialect: the lowest version of the container engine.'),
      notInstalledPackages: anything('Of the other dialect: packages that must not be installed beside it.'),
    })
    .optional()
    .describe('What the node must have.'),
  globalEnvs: globalEnvs(dialect),
  architectures: z
    .array(z.enum(ARCHITECTURES))
    .optional()
    .describe('What it is built for.')
    .meta({ default: ['linux/amd64'] }),
  backup: z.array(backup()).optional().describe('Files and folders that a backup holds.'),
  exposable: z.array(exposable(dialect)).optional().describe('Services that are safe to put on the public internet.'),
});

const build = (dialect: Dialect) =>
  z
    .looseObject({
      $schema: anything('The address of this schema, for editors.'),
      name: name()
        .describe('The name of the package in the name service of the node.')
        .meta({
          examples: ['bitcoin.dnp.dappnode.eth'],
        }),
      version: version()
        .describe('A semantic version of three numbers.')
        .meta({ examples: ['1.2.3'] }),
      upstreamVersion: (dialect === 'spec' ? text() : z.union([text(), z.number()]))
        .optional()
        .describe('The version of what it wraps, in free text.'),
      shortDescription: text().optional().describe('What it is for, in 6 to 8 words, without Markdown.'),
      description: text().describe('Markdown.'),
      type: z.enum(TYPES).describe('What it is.').meta({ default: 'service' }),
      ...operation(dialect),
      ...presentation(dialect),
      license: filled()
        .describe('Its licence.')
        .meta({ examples: ['GPL-3.0'] }),
    })
    .meta({
      id: dialect === 'spec' ? 'SpecificationManifest' : 'Manifest',
      description: 'A package, in its manifest.',
    });

/** By dialect; what the other dialect says otherwise is refused by the specification's. */
export const manifestSchemas = { dappnode: build('dappnode'), spec: build('spec') } as const;
