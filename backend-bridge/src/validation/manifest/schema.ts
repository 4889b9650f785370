/**
 * The shape of a manifest, once for DAppNode and once for the specification: validation and the published JSON Schemas are made from
 * it. What DAppNode accepts is compared with its own schemas in tests/oracle.
 */
import { z } from 'zod';
import type { Authority } from '../authority.ts';

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
/** Chain drivers and categories that DAppNode supports and the specification does not define. */
export const OTHER_CHAINS = ['ethereum-beacon-chain', 'ethereum2-beacon-chain-prysm'] as const;
export const OTHER_CATEGORIES = ['Lido', 'DVT', 'LSD', 'AI', 'MCP'] as const;
/** Warnings that only DAppNode defines, one for each number of the version. */
export const UPDATE_WARNINGS = ['onPatchUpdate', 'onMinorUpdate', 'onMajorUpdate'] as const;

/** The specification's expression, where dots match any character, so semantic versions are checked as well. */
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
/** Any integer, also beyond those that JavaScript counts exactly. */
const integer = () => z.number().refine(Number.isInteger, 'type').meta({ type: 'integer' });
/** A member that the authority does not validate. */
const anything = (what: string) => z.unknown().optional().describe(what);
/** A member that only DAppNode validates. */
const dappnodeOnly = <T extends z.ZodType>(authority: Authority, schema: T, what: string) =>
  authority === 'dappnode' ? schema.optional().describe(what) : anything(what);

function warnings(authority: Authority) {
  const numbered = (which: string) =>
    (authority === 'spec' ? z.never() : text())
      .optional()
      .describe(`Shown before an update of the ${which} number; not in the specification, which has onUpdate.`);
  const onUpdate = 'Shown before an update, not at the first installation. DAppNode never shows it.';
  return z.looseObject({
    onInstall: text().optional().describe('Shown before it is installed.'),
    onUpdate: authority === 'spec' ? text().optional().describe(onUpdate) : anything(onUpdate),
    onPatchUpdate: numbered('third'),
    onMinorUpdate: numbered('second'),
    onMajorUpdate: numbered('first'),
    onReset: text().optional().describe('Shown before it is reset.'),
    onRemove: text().optional().describe('Shown before it is removed.'),
  });
}

function chain(authority: Authority) {
  const drivers = z.enum([...CHAINS, ...OTHER_CHAINS]);
  const driver = z.looseObject({
    driver: drivers.describe('Which kind of chain.'),
    serviceName: text().optional().describe('The service that responds.'),
    portNumber: integer().optional().describe('Its port.'),
  });
  return (authority === 'spec' ? z.enum(CHAINS) : z.union([drivers, driver]))
    .optional()
    .describe('Marks the package as a node of this chain, whose sync status is shown.')
    .meta({ examples: [...CHAINS] });
}

function globalEnvs(authority: Authority) {
  const one = z.looseObject({
    envs: z.array(text()).optional().describe('Names of variables.'),
    services: anything('The services that receive them; all if absent.'),
  });
  const all = z.boolean().optional().describe('Its containers receive all global variables.').meta({ default: false });
  return (authority === 'spec' ? z.looseObject({ all }) : z.array(one))
    .optional()
    .describe('The global variables of the node that its containers receive.');
}

const backup = (authority: Authority) =>
  z.looseObject({
    name: filled()
      .describe('Stays the same when the path changes: a backup is restored by it.')
      .meta({ examples: ['keys'] }),
    path: (authority === 'spec' ? filled().regex(ABSOLUTE_PATH, 'backup-path') : filled())
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

const exposable = (authority: Authority) =>
  z.looseObject({
    name: filled()
      .describe('A short name for people.')
      .meta({ examples: ['Node JSON RPC'] }),
    description: text().optional().describe('What it is.'),
    serviceName: filled().optional().describe('A service of the compose file; the first one when absent.'),
    port: (authority === 'spec' ? port() : z.number())
      .describe('The port that the service listens on, from 1 to 65535.')
      .meta({ examples: [8545] }),
    fromSubdomain: (authority === 'spec' ? text() : z.unknown())
      .optional()
      .describe('The name that it is reached by from outside.'),
    exposeByDefault: dappnodeOnly(authority, z.boolean(), 'Whether it is exposed at installation.'),
    external: dappnodeOnly(authority, z.boolean(), 'Whether it is reachable from outside.'),
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

const LINKS = {
  homepage: text().optional().describe('An informative page.'),
  ui: text().optional().describe('Its user interface.'),
  api: text().optional().describe('Its API.'),
  gateway: text().optional().describe('Its gateway.'),
};

const presentation = (authority: Authority) => ({
  changelog: text().optional().describe('Markdown: what is new in this version.'),
  warnings: warnings(authority).optional().describe('Shown to the user before an action.'),
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
    .array(z.enum(authority === 'spec' ? CATEGORIES : [...CATEGORIES, ...OTHER_CATEGORIES]))
    .optional()
    .describe('One or two are recommended.')
    .meta({ examples: [['Blockchain']] }),
  keywords: z.array(filled()).optional().describe('Shown in the store.'),
  links: (authority === 'spec' ? z.record(text(), text()) : z.looseObject(LINKS))
    .optional()
    .describe('Addresses by name; homepage, ui, api and gateway have icons.')
    .meta({ examples: [{ homepage: 'https://example.org' }] }),
  repository: repository().optional().describe('Where its source is.'),
  bugs: z
    .looseObject({ url: text().describe('Its address.') })
    .optional()
    .describe('Its issue tracker.'),
});

const operation = (authority: Authority) => ({
  chain: chain(authority),
  mainService: text().optional().describe('The service that the root name of the package leads to.'),
  dockerTimeout: text()
    .optional()
    .describe('How long an operation on its containers may take: seconds, or a duration in the timestring format.')
    .meta({ default: '10', examples: ['120', '20min'] }),
  dependencies: z
    .record(authority === 'spec' ? name() : text(), text())
    .optional()
    .describe('Names of packages with a version, a range, *, latest or /ipfs/….')
    .meta({ examples: [{ 'bitcoin.dnp.dappnode.eth': '^0.2.0' }] }),
  requirements: z
    .looseObject({
      minimumDappnodeVersion: version()
        .optional()
        .describe('The lowest version of the node.')
        .meta({ examples: ['0.2.36'] }),
      minimumDockerVersion: dappnodeOnly(
        authority,
        version(),
        'The lowest version of Docker. Only DAppNode defines it.'
      ),
      notInstalledPackages: dappnodeOnly(
        authority,
        z.array(text()),
        'Packages that must not be installed. Only DAppNode defines it.'
      ),
    })
    .optional()
    .describe('What the node must have.'),
  globalEnvs: globalEnvs(authority),
  architectures: z
    .array(z.enum(ARCHITECTURES))
    .optional()
    .describe('What it is built for.')
    .meta({ default: ['linux/amd64'] }),
  backup: z.array(backup(authority)).optional().describe('Files and folders that a backup holds.'),
  exposable: z.array(exposable(authority)).optional().describe('Services that are safe to put on the public internet.'),
});

/** Members that DAppNode validates and the specification does not define. */
const DAPPNODE_MEMBERS = {
  upstream: z
    .array(
      z.looseObject({
        repo: text().describe('Its repository.'),
        version: text().describe('Its version.'),
        arg: text().describe('The build argument that holds the version.'),
      })
    )
    .optional()
    .describe('What the package wraps. Not together with upstreamVersion, upstreamRepo or upstreamArg.'),
  upstreamRepo: text().optional().describe('The repository of what it wraps.'),
  upstreamArg: text().optional().describe('The build argument that holds the version of what it wraps.'),
  optionalDependencies: z.record(text(), text()).optional().describe('Packages that it can use, as in dependencies.'),
  runOrder: z.array(text()).optional().describe('The order in which its services are started.'),
  restartCommand: text().optional().describe('How it is restarted.'),
  restartLaunchCommand: text().optional().describe('How its restart is launched.'),
};

const build = (authority: Authority) =>
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
      upstreamVersion: text().optional().describe('The version of what it wraps, in free text.'),
      shortDescription: text().optional().describe('What it is for, in 6 to 8 words, without Markdown.'),
      description: text().describe('Markdown.'),
      type: z.enum(TYPES).describe('What it is.').meta({ default: 'service' }),
      ...operation(authority),
      ...(authority === 'dappnode' && DAPPNODE_MEMBERS),
      ...presentation(authority),
      license: filled()
        .describe('Its licence.')
        .meta({ examples: ['GPL-3.0'] }),
    })
    .meta({
      id: authority === 'spec' ? 'SpecificationManifest' : 'Manifest',
      description: 'The manifest of a package.',
    });

/** DAppNode also accepts what Ajv can convert to the expected type: see `schemaViolations.ts`. */
export const manifestSchemas = { dappnode: build('dappnode'), spec: build('spec') } as const;
