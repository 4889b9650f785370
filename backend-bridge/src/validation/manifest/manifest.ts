/** The types of a parsed manifest, and the parser. Members of a wrong type are omitted; unknown members are kept. */
import { isObject } from '../../../contract/text.ts';
import type { Dialect, Finding } from '../../../contract/finding.ts';
import type { Dependency, PackageFacts, PackageSummary } from '../../../contract/package.ts';
import type { ComposeFacts } from '../validateCompose.ts';
import { compact } from '../../../contract/compact.ts';
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
function textual<Needed extends string, Optional extends string = never>(
  value: unknown,
  needed: readonly Needed[],
  optional: readonly Optional[] = []
) {
  const read = texts(value);
  const known = [...needed, ...optional].filter((member) => read && Object.hasOwn(read, member));
  return read && needed.every((member) => known.includes(member))
    ? (Object.fromEntries(known.map((member) => [member, read[member]])) as Record<Needed, string> &
        Partial<Record<Optional, string>>)
    : undefined;
}

export const readText = text;
export const readBackup = (entry: unknown) => textual(entry, ['name', 'path'], ['service']);

export function readUpdateAlert(entry: unknown): UpdateAlert | undefined {
  const read = textual(entry, ['from', 'message'], ['to']);
  return read && { ...read, to: read.to ?? '*' };
}

export function readExposable(entry: unknown) {
  const read = textual(entry, ['name'], ['description', 'serviceName', 'fromSubdomain']);
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

function readChain(value: unknown): string | { driver: string; serviceName?: string; portNumber?: number } | undefined {
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

function readRequirements(value: unknown) {
  if (!isObject(value)) {
    return undefined;
  }
  const { minimumDappnodeVersion, notInstalledPackages, ...rest } = value;
  return {
    ...rest,
    ...compact({
      minimumDappnodeVersion: text(minimumDappnodeVersion),
      notInstalledPackages: all(notInstalledPackages, text),
    }),
  };
}

function readEnvs(value: unknown): { all?: boolean } | { envs: string[]; services: string[] }[] | undefined {
  if (isObject(value)) {
    const on = typeof value.all === 'string' ? value.all === 'true' : value.all;
    return typeof on === 'boolean' ? { all: on } : {};
  }
  return all(value, readGlobalEnvs);
}

const READERS = {
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
  architectures: (value: unknown) => all(value, text),
  backup: (value: unknown) => all(value, readBackup),
  changelog: text,
  warnings: texts,
  updateAlerts: (value: unknown) => all(value, readUpdateAlert),
  disclaimer: (value: unknown) => textual(value, ['message']),
  style: (value: unknown) => textual(value, [], ['featuredBackground', 'featuredColor', 'featuredAvatarFilter']),
  exposable: (value: unknown) => all(value, readExposable),
  author: text,
  contributors: (value: unknown) => all(value, text),
  categories: (value: unknown) => all(value, text),
  keywords: (value: unknown) => all(value, text),
  /** The string form is the homepage. */
  links: (value: unknown) => (typeof value === 'string' ? { homepage: value } : texts(value)),
  repository: (value: unknown) => textual(value, ['type', 'url'], ['directory']),
  bugs: (value: unknown) => textual(value, ['url']),
  license: text,
  upstream: (value: unknown) =>
    typeof value === 'string'
      ? [{ version: value }]
      : all(value, (entry) => textual(entry, [], ['repo', 'version', 'arg'])),
  grafanaDashboards: (value: unknown) => all(value, (entry) => textual(entry, ['uid'])),
};

type Known = { [Member in keyof typeof READERS]?: NonNullable<ReturnType<(typeof READERS)[Member]>> };

/**
 * A parsed manifest: known members have the type of their reader (members of another type are omitted, with a finding); unknown
 * members are kept.
 */
export type Manifest = Known & { name: string; version: string; [member: string]: unknown };

/** @param value without reserved members */
export function readManifest(value: Json): Partial<Manifest> {
  return compact(
    Object.fromEntries(
      Object.entries(value).map(([member, one]) => [
        member,
        Object.hasOwn(READERS, member) ? READERS[member as keyof typeof READERS](one) : one,
      ])
    )
  );
}
