/** What the judge of manifests takes and gives. */
import { type ComposeFacts } from '../compose.ts';
import { type Dialect, type Finding } from '../../../contract/finding.ts';
import { type Dependency, type PackageFacts, type PackageSummary } from '../../../contract/package.ts';

export interface JudgeOptions {
  dialect: Dialect;
  /** Of the compose file, when it is there: what names a service is held to it. */
  compose?: ComposeFacts;
  /** The type of another package where it is known: a library must not depend on a service. */
  typeOf?: (name: string) => string | undefined;
}

export interface Judged {
  /** All of them, in the order of the file. */
  findings: Finding[];
  /** Present when the text holds an object with a name and a version in text, whatever else is wrong with it. */
  manifest?: Manifest;
  /** Present when `manifest` is. */
  facts?: ManifestFacts;
}

/**
 * A manifest as read: members that are known have the type that is said here (what has another is left out, and a finding
 * says so); unknown members stand as they are.
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
  /** In the form of one text: its homepage. */
  links?: Record<string, string>;
  repository?: { type: string; url: string; directory?: string };
  bugs?: { url: string };
  license?: string;
  upstream?: { repo?: string; version?: string; arg?: string }[];
  grafanaDashboards?: { uid: string }[];
  [member: string]: unknown;
}

/** The author's warnings; `on…Update` for one number are the other dialect's. */
export type ManifestWarnings = PackageFacts['warnings'];

export interface UpdateAlert {
  /** A range of versions that is updated from. */
  from: string;
  /** A range of versions that is updated to; `*` when the manifest names none. */
  to: string;
  message: string;
}

/** What the registered packages make of a dependency is not known here. */
export type ManifestDependency = Omit<Dependency, 'state' | 'registered'>;

/** What the card of a package shows of its manifest. */
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
  /** With defaults; those whose ranges cannot be read are left out. */
  updateAlerts: UpdateAlert[];
}
