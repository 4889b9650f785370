/** Facts of a manifest for pages, with defaults resolved. */
import { isObject } from '../../../contract/text.ts';
import { type PackageChain, type PackageStyle } from '../../../contract/package.ts';
import { compact } from '../../../contract/compact.ts';
import { type ComposeFacts } from '../validateCompose.ts';
import {
  checkStyle,
  DEFAULT_TIMEOUT,
  isRange,
  kindOf,
  readLinks,
  readPerson,
  readTimeout,
  repositoryLink,
  STYLES,
  TIMEOUT_OPERATIONS,
  iconAddress,
  webLink,
} from './fields.ts';
import { type Manifest, type ManifestDependency, type ManifestFacts, type ManifestSummary } from './manifest.ts';
import { CHAINS, OTHER_CHAINS } from './schema.ts';

/** An empty string counts as absent. */
const nonEmpty = (text: string | undefined): string | undefined => (text?.trim() ? text : undefined);

export function factsOf(manifest: Manifest, compose: ComposeFacts | undefined): ManifestFacts {
  const updateAlerts = (manifest.updateAlerts ?? []).filter(
    ({ from, to, message }) => isRange(from) && isRange(to) && message !== ''
  );
  return { summary: summaryOf(manifest), facts: packageFacts(manifest, compose), updateAlerts };
}

function summaryOf(manifest: Manifest): ManifestSummary {
  return compact<ManifestSummary>({
    dnpName: manifest.name,
    version: manifest.version,
    upstreamVersion: nonEmpty(manifest.upstreamVersion) ?? upstreamOf(manifest),
    type: nonEmpty(manifest.type) ?? 'service',
    shortDescription: nonEmpty(manifest.shortDescription),
    categories: manifest.categories ?? [],
    keywords: (manifest.keywords ?? []).filter((keyword) => keyword !== ''),
    icon: [manifest.icon, manifest.avatarUrl, manifest.avatar, imageHash(manifest)]
      .map(iconAddress)
      .find((url) => url !== undefined),
    style: styleOf(manifest.style ?? {}),
    links: readLinks(linksOf(manifest), manifest.bugs?.url),
    chain: chainOf(manifest.chain),
    backups: manifest.backup?.length ?? 0,
  });
}

/** Old packages name their image by `image.hash`. */
const imageHash = ({ image }: Manifest): unknown => (isObject(image) ? image.hash : undefined);

/** `upstream`, which only DAppNode defines: a single version, or several with the names of their repositories. */
function upstreamOf({ upstream = [] }: Manifest): string | undefined {
  const versions = upstream.flatMap(({ repo, version }) => {
    const name = repo?.split('/').at(-1);
    return version ? [upstream.length > 1 && name ? `${name} ${version}` : version] : [];
  });
  return nonEmpty(versions.join(', '));
}

/** Old packages have `homepage` next to `links`. */
function linksOf({ links = {}, homepage }: Manifest): Record<string, string> {
  const address = isObject(homepage) ? homepage.homepage : homepage;
  const hasHomepage = Object.keys(links).some((key) => key.toLowerCase() === 'homepage');
  return typeof address === 'string' && !hasHomepage ? { homepage: address, ...links } : links;
}

function styleOf(style: NonNullable<Manifest['style']>): PackageStyle | undefined {
  const safe = (Object.keys(STYLES) as (keyof typeof STYLES)[]).flatMap((member) => {
    const value = style[member];
    const check = value === undefined ? undefined : checkStyle(member, value);
    return check?.ok && check.value !== undefined ? [[STYLES[member].to, check.value] as const] : [];
  });
  return safe.length > 0 ? Object.fromEntries(safe) : undefined;
}

function chainOf(chain: Manifest['chain']): PackageChain | undefined {
  if (chain === undefined) {
    return undefined;
  }
  const { driver, serviceName, portNumber } = typeof chain === 'string' ? { driver: chain } : chain;
  const supported = [...CHAINS, ...OTHER_CHAINS].some((known) => known === driver);
  return compact<PackageChain>({ driver, supported, service: serviceName, port: portNumber });
}

function packageFacts(manifest: Manifest, compose: ComposeFacts | undefined): ManifestFacts['facts'] {
  const services = (compose?.services ?? []).map(({ name }) => name);
  const [first] = services;
  return compact<ManifestFacts['facts']>({
    description: manifest.description ?? '',
    changelog: nonEmpty(manifest.changelog),
    ...peopleOf(manifest),
    license: manifest.license ?? '',
    repository: repositoryOf(manifest),
    bugs: webLink(manifest.bugs?.url),
    architectures: manifest.architectures?.length ? manifest.architectures : ['linux/amd64'],
    services,
    mainService: nonEmpty(manifest.mainService) ?? (services.length === 1 ? first : undefined),
    rootAddress: rootAddress(manifest.name),
    timeout: timeoutOf(manifest.dockerTimeout),
    minimumNodeVersion: nonEmpty(manifest.requirements?.minimumDappnodeVersion),
    globalEnvs: globalEnvsOf(manifest.globalEnvs),
    dependencies: dependenciesOf(manifest),
    exposable: (manifest.exposable ?? []).map(({ name, description, serviceName, port, fromSubdomain }) =>
      compact({
        name,
        description: nonEmpty(description),
        service: nonEmpty(serviceName) ?? first,
        port,
        fromSubdomain,
      })
    ),
    backup: (manifest.backup ?? []).map(({ name, path, service }) =>
      compact({ name, path, service: nonEmpty(service) ?? first })
    ),
    warnings: warningsOf(manifest.warnings ?? {}),
    disclaimer: nonEmpty(manifest.disclaimer?.message),
  });
}

function peopleOf({ author, contributors = [] }: Manifest): Pick<ManifestFacts['facts'], 'author' | 'contributors'> {
  const [first] = [author].flatMap((text) => nonEmpty(text) ?? []);
  return {
    ...(first !== undefined && { author: readPerson(first).person }),
    contributors: contributors.filter(nonEmpty).map((text) => readPerson(text).person),
  };
}

function repositoryOf({ repository }: Manifest): ManifestFacts['facts']['repository'] {
  return repository && compact({ ...repository, web: repositoryLink(repository) });
}

/**
 * The root domain in the network of the node: `geth.dappnode` for geth.dnp.dappnode.eth, `near.public.dappnode` for
 * near.public.dappnode.eth. Undefined for other names.
 */
function rootAddress(name: string): string | undefined {
  const [, short, registry] = /^(.+)\.(dnp|public)\.dappnode\.eth$/.exec(name) ?? [];
  return short && `${short}${registry === 'public' ? '.public' : ''}.dappnode`;
}

function timeoutOf(given: string | undefined): ManifestFacts['facts']['timeout'] {
  const seconds = (given === undefined ? undefined : readTimeout(given)) ?? DEFAULT_TIMEOUT;
  return compact({ seconds, given, operations: [...TIMEOUT_OPERATIONS] });
}

function globalEnvsOf(globalEnvs: Manifest['globalEnvs']): ManifestFacts['facts']['globalEnvs'] {
  if (Array.isArray(globalEnvs)) {
    return globalEnvs;
  }
  return globalEnvs?.all === true ? [{ envs: ['*'], services: [] }] : [];
}

function dependenciesOf({ dependencies = {}, optionalDependencies = {} }: Manifest): ManifestDependency[] {
  const read = (from: Record<string, string>, optional: boolean): ManifestDependency[] =>
    Object.entries(from).map(([name, range]) => ({ name, range, kind: kindOf(range), optional }));
  return [...read(dependencies, false), ...read(optionalDependencies, true)];
}

function warningsOf(warnings: NonNullable<Manifest['warnings']>): ManifestFacts['facts']['warnings'] {
  const { onInstall, onUpdate, onPatchUpdate, onMinorUpdate, onMajorUpdate, onReset, onRemove } = warnings;
  return compact({
    onInstall: nonEmpty(onInstall),
    onUpdate: nonEmpty(onUpdate),
    onPatchUpdate: nonEmpty(onPatchUpdate),
    onMinorUpdate: nonEmpty(onMinorUpdate),
    onMajorUpdate: nonEmpty(onMajorUpdate),
    onReset: nonEmpty(onReset),
    onRemove: nonEmpty(onRemove),
  });
}
