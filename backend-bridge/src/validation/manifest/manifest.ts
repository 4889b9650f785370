/** The types of a parsed manifest, and the parser. Members of a wrong type are omitted; unknown members are kept. */
import { isObject } from '../../../contract/text.ts';
import type { Dialect, Finding } from '../../../contract/finding.ts';
import type { Dependency, PackageFacts, PackageSummary } from '../../../contract/package.ts';
import type { ComposeFacts } from '../validateCompose.ts';
import { PORT } from './schema.ts';

export interface ValidationOptions {
  dialect: Dialect;
  /** The contents of the compose file, if there is one: referenced services must exist in it. */
  compose?: ComposeFacts;
  /** The type of another package, if known: a library must not depend on a service. */
  typeOf?: (name: string) => string | undefined;
}

export interface ValidatedManifest {
  /** All of them, in the order of the file. */
  findings: Finding[];
  /** Present if the text is an object with the strings name and version, whatever else is invalid. */
  manifest?: Manifest;
  /** Present if `manifest` is. */
  facts?: ManifestFacts;
}

/**
 * A parsed manifest: known members have the type declared here (members of another type are omitted, with a finding); unknown
 * members are kept.
 */
export interface Manifest {
  name: string;
  version: string;
  upstreamVersion?: string;
  shortDescription?: string;
  description?: string;
  type?: string;
  chain?: string | { driver: string; serviceName?: string; portNumber?: number };
  mainService?: string;
  dockerTimeout?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  requirements?: { minimumDappnodeVersion?: string; notInstalledPackages?: string[]; [member: string]: unknown };
  globalEnvs?: { all?: boolean } | { envs: string[]; services: string[] }[];
  architectures?: string[];
  backup?: { name: string; path: string; service?: string }[];
  changelog?: string;
  warnings?: ManifestWarnings;
  updateAlerts?: UpdateAlert[];
  disclaimer?: { message: string };
  style?: { featuredBackground?: string; featuredColor?: string; featuredAvatarFilter?: string };
  exposable?: { name: string; description?: string; serviceName?: string; port: number; fromSubdomain?: string }[];
  author?: string;
  contributors?: string[];
  categories?: string[];
  keywords?: string[];
  /** The string form is the homepage. */
  links?: Record<string, string>;
  repository?: { type: string; url: string; directory?: string };
  bugs?: { url: string };
  license?: string;
  upstream?: { repo?: string; version?: string; arg?: string }[];
  grafanaDashboards?: { uid: string }[];
  [member: string]: unknown;
}

/** The warnings of the author; only DAppNode defines `onPatchUpdate`, `onMinorUpdate` and `onMajorUpdate`. */
export type ManifestWarnings = PackageFacts['warnings'];

export interface UpdateAlert {
  /** The version range to update from. */
  from: string;
  /** The version range to update to; default `*`. */
  to: string;
  message: string;
}

/** Without the state, which depends on the registered packages. */
export type ManifestDependency = Omit<Dependency, 'state' | 'registered'>;

/** Facts of a manifest for the card of its package. */
export type ManifestSummary = Pick<
  PackageSummary,
  | 'dnpName'
  | 'version'
  | 'upstreamVersion'
  | 'type'
  | 'shortDescription'
  | 'categories'
  | 'keywords'
  | 'icon'
  | 'style'
  | 'links'
  | 'chain'
  | 'backups'
>;

export interface ManifestFacts {
  summary: ManifestSummary;
  facts: Omit<PackageFacts, 'dependencies'> & { dependencies: ManifestDependency[] };
  /** With defaults; those with invalid ranges are omitted. */
  updateAlerts: UpdateAlert[];
}

export type Json = Record<string, unknown>;

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
/** A string, or a number as a string. */
const wording = (value: unknown): string | undefined => (typeof value === 'number' ? String(value) : text(value));

/** The readable entries of an array, each with its index. */
export function entries<T>(list: unknown, read: (entry: unknown) => T | undefined): [place: number, entry: T][] {
  return (Array.isArray(list) ? list : []).flatMap((entry, place): [number, T][] => {
    const one = read(entry);
    return one === undefined ? [] : [[place, one]];
  });
}
const all = <T>(list: unknown, read: (entry: unknown) => T | undefined): T[] | undefined =>
  Array.isArray(list) ? entries(list, read).map(([, entry]) => entry) : undefined;

/** The string members of an object. */
function texts(value: unknown): Record<string, string> | undefined {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).filter((one): one is [string, string] => typeof one[1] === 'string'))
    : undefined;
}

/** An object of strings, if the required members are present. */
function textual<T>(value: unknown, needed: readonly string[], optional: readonly string[]): T | undefined {
  const read = texts(value);
  return read && needed.every((member) => Object.hasOwn(read, member))
    ? (Object.fromEntries(
        [...needed, ...optional].flatMap((member) => (Object.hasOwn(read, member) ? [[member, read[member]]] : []))
      ) as T)
    : undefined;
}

export const readText = text;
export const readBackup = (entry: unknown): { name: string; path: string; service?: string } | undefined =>
  textual(entry, ['name', 'path'], ['service']);

export function readUpdateAlert(entry: unknown): UpdateAlert | undefined {
  const read = textual<Omit<UpdateAlert, 'to'> & { to?: string }>(entry, ['from', 'message'], ['to']);
  return read && { ...read, to: read.to ?? '*' };
}

type Exposable = NonNullable<Manifest['exposable']>[number];
export function readExposable(entry: unknown): Exposable | undefined {
  const read = textual<Omit<Exposable, 'port'>>(entry, ['name'], ['description', 'serviceName', 'fromSubdomain']);
  const port = isObject(entry) ? readPort(entry.port) : undefined;
  return read && port !== undefined ? { ...read, port } : undefined;
}

/** A port from 1 to 65535, as a number or a string. */
function readPort(value: unknown): number | undefined {
  const port = typeof value === 'string' && PORT.test(value) ? Number(value) : value;
  return typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65535 ? port : undefined;
}

export function readGlobalEnvs(entry: unknown): { envs: string[]; services: string[] } | undefined {
  const envs = isObject(entry) ? all(entry.envs, text) : undefined;
  return envs && { envs, services: all((entry as Json).services, text) ?? [] };
}

function readChain(value: unknown): Manifest['chain'] {
  if (!isObject(value)) {
    return text(value) || undefined;
  }
  const driver = text(value.driver);
  const serviceName = text(value.serviceName);
  const portNumber = readPort(value.portNumber);
  return driver
    ? { driver, ...(serviceName && { serviceName }), ...(portNumber !== undefined && { portNumber }) }
    : undefined;
}

function readRequirements(value: unknown): Manifest['requirements'] {
  if (!isObject(value)) {
    return undefined;
  }
  const { minimumDappnodeVersion, notInstalledPackages, ...rest } = value;
  return {
    ...rest,
    ...present({
      minimumDappnodeVersion: text(minimumDappnodeVersion),
      notInstalledPackages: all(notInstalledPackages, text),
    }),
  };
}

function readEnvs(value: unknown): Manifest['globalEnvs'] {
  if (isObject(value)) {
    const on = typeof value.all === 'string' ? value.all === 'true' : value.all;
    return typeof on === 'boolean' ? { all: on } : {};
  }
  return all(value, readGlobalEnvs);
}

type Readers = { [Member in keyof Manifest as string extends Member ? never : Member]?: (value: unknown) => unknown };

const READERS: Readers = {
  name: text,
  version: text,
  upstreamVersion: wording,
  shortDescription: text,
  description: text,
  type: text,
  chain: readChain,
  mainService: text,
  dockerTimeout: wording,
  dependencies: texts,
  optionalDependencies: texts,
  requirements: readRequirements,
  globalEnvs: readEnvs,
  architectures: (value) => all(value, text),
  backup: (value) => all(value, readBackup),
  changelog: text,
  warnings: (value): ManifestWarnings | undefined => texts(value),
  updateAlerts: (value) => all(value, readUpdateAlert),
  disclaimer: (value) => textual(value, ['message'], []),
  style: (value) => textual(value, [], ['featuredBackground', 'featuredColor', 'featuredAvatarFilter']),
  exposable: (value) => all(value, readExposable),
  author: text,
  contributors: (value) => all(value, text),
  categories: (value) => all(value, text),
  keywords: (value) => all(value, text),
  links: (value) => (typeof value === 'string' ? { homepage: value } : texts(value)),
  repository: (value) => textual(value, ['type', 'url'], ['directory']),
  bugs: (value) => textual(value, ['url'], []),
  license: text,
  upstream: (value) =>
    typeof value === 'string'
      ? [{ version: value }]
      : all(value, (entry) => textual(entry, [], ['repo', 'version', 'arg'])),
  grafanaDashboards: (value) => all(value, (entry) => textual(entry, ['uid'], [])),
};

function present(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** @param value without reserved members */
export function readManifest(value: Json): Partial<Manifest> {
  return present(
    Object.fromEntries(
      Object.entries(value).map(([member, one]) => [
        member,
        Object.hasOwn(READERS, member) ? READERS[member as keyof Readers]!(one) : one,
      ])
    )
  );
}
