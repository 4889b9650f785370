/**
 * DAppNode's restrictions of compose files beyond Docker Compose: its `validateDappnodeCompose`, which the installer runs. It reads values
 * as JavaScript does, so some values of a wrong type are accepted; `tests/real/oracle.test.ts` compares. Pure.
 */
import semver from 'semver';
import { isObject } from '../../contract/text.ts';
import type { Span } from '../../contract/condition.ts';
import { joinList, plain, quoteValue } from './source/messages.ts';
import type { Report } from './report.ts';
import type { RuleId } from './rules.ts';
import { locate, type MapNode, type Path, plainValue, pointerOf, type SourceNode } from './source/source.ts';

/** The members of the manifest on which the rules depend. */
export interface PackageIdentity {
  name: unknown;
  type: unknown;
}

/** Whether it is a rule of DAppNode alone. */
export const isDappnodeRule = (rule: string): boolean => rule.startsWith('compose-');

const OLDEST_VERSION = '3.4';
const NETWORKS: readonly unknown[] = ['dncore_network', 'dnprivate_network', 'dnpublic_network'];
const DNS_SERVER = '172.33.1.2';
const RESERVED_ALIASES = ['dappmanager', 'wifi', 'vpn', 'wireguard', 'ipfs', 'bind'].map((name) => `${name}.dappnode`);
const EXPORTER = 'dappnode-exporter.dnp.dappnode.eth';
/** Packages whose volumes are not restricted. */
const BINDING: readonly unknown[] = [
  EXPORTER,
  ...['portainer', 'dappmanager', 'wifi', 'vpn', 'wireguard', 'core', 'dms', 'tailscale'].map(
    (name) => `${name}.dnp.dappnode.eth`
  ),
];
const KEYS = [
  ...['build', 'cap_add', 'cap_drop', 'command', 'container_name', 'depends_on', 'deploy', 'devices', 'dns'],
  ...['entrypoint', 'environment', 'expose', 'extra_hosts', 'healthcheck', 'image', 'labels', 'logging'],
  ...['network_mode', 'networks', 'pid', 'ports', 'privileged', 'restart', 'security_opt', 'shm_size'],
  ...['stop_grace_period', 'stop_signal', 'ulimits', 'user', 'volumes', 'working_dir'],
];

type Json = Record<string, unknown>;
type Refuse = (rule: RuleId, path: Path, title: string, detail: string) => void;

/** Privileges of the package. */
interface Rights {
  isCore: boolean;
  isPrivileged: boolean;
  binds: boolean;
}

/** Rules on one member of a service. */
const MEMBER_RULES: Readonly<
  Record<string, { rule: RuleId; refuses: (value: unknown, rights: Rights) => boolean; title: string; advice: string }>
> = {
  dns: {
    rule: 'compose-dns',
    refuses: (value, { isCore }) => !isCore && Boolean(value) && !DNS_SERVER.includes(textOf(value)),
    title: 'Other DNS server',
    advice: `Remove dns, or set it to ${DNS_SERVER}.`,
  },
  pid: {
    rule: 'compose-pid',
    refuses: (value) => Boolean(value) && !(typeof value === 'string' && value.startsWith('service:')),
    title: 'pid outside the package',
    advice: 'Expected service:<name>.',
  },
  privileged: {
    rule: 'compose-privileged',
    refuses: (value, { isCore, isPrivileged }) => value === true && !isCore && !isPrivileged,
    title: 'Privileged container',
    advice: 'Only core packages may be privileged.',
  },
  network_mode: {
    rule: 'compose-privileged',
    refuses: (value, { isCore }) => value === 'host' && !isCore,
    title: 'Network of the host',
    advice: 'Only core packages may use it.',
  },
};

/**
 * Reports what DAppNode rejects.
 * @param identity absent if there is no manifest: rules from which some packages are exempt are not applied then
 */
export function reportRefusals(report: Report, root: MapNode, identity?: PackageIdentity): void {
  const refuse: Refuse = (rule, path, title, detail) =>
    report.add(rule, pointerOf(path), spanAt(root, path), title, detail);
  const isCore = !identity || identity.type === 'dncore';
  const rights = {
    isCore,
    isPrivileged: identity?.name === EXPORTER,
    binds: !identity || BINDING.includes(identity.name),
  };
  const { version, networks, services, volumes } = plainValue(root) as Json;
  refuseVersion(version, refuse);
  for (const [name, network] of entriesOf(networks, ['networks'], refuse)) {
    refuseNetwork(name, ['networks', name], refuse);
    if (isObject(network) && network['external'] === false) {
      refuse('compose-network', ['networks', name, 'external'], 'Internal network', 'Set external to true.');
    }
  }
  for (const [name, service] of isObject(services) ? Object.entries(services) : []) {
    if (isObject(service)) {
      refuseService(service, ['services', name], rights, refuse);
      if (service['volumes'] && !rights.binds) {
        refuseVolumes(service['volumes'], ['services', name, 'volumes'], volumes, refuse);
      }
    }
  }
}

function refuseVersion(version: unknown, refuse: Refuse): void {
  const found = semver.valid(`${textOf(version)}.0`);
  if (found === null || semver.lt(found, `${OLDEST_VERSION}.0`)) {
    const [path, title] =
      version === undefined ? [[], 'version is missing'] : [['version'], `version is not ${OLDEST_VERSION} or later`];
    const is = version === undefined ? 'nothing' : quoteValue(version);
    refuse('compose-version', path, title, `Found ${is}. Expected ${OLDEST_VERSION} or later, such as "3.5".`);
  }
}

function refuseService(service: Json, path: Path, rights: Rights, refuse: Refuse): void {
  for (const [key, value] of Object.entries(service)) {
    if (!KEYS.includes(key)) {
      refuse('compose-key', [...path, key], `${plain(key)} is not allowed`, `Allowed: ${KEYS.join(', ')}.`);
    } else if (Object.hasOwn(MEMBER_RULES, key)) {
      const { rule, refuses, title, advice } = MEMBER_RULES[key]!;
      if (refuses(value, rights)) {
        refuse(rule, [...path, key], title, `Found ${quoteValue(value)}. ${advice}`);
      }
    }
  }
  const { networks } = service;
  if (Array.isArray(networks)) {
    networks.forEach((name, index) => refuseNetwork(name, [...path, 'networks', index], refuse));
    return;
  }
  for (const [name, network] of entriesOf(networks, [...path, 'networks'], refuse)) {
    const at = [...path, 'networks', name];
    refuseNetwork(name, at, refuse);
    if (network === null) {
      refuse('compose-network', at, 'Network without a value', `Write ${plain(name)}: {}, or a list of networks.`);
    }
    const aliases = isObject(network) ? network['aliases'] : undefined;
    if (aliases && !rights.isCore) {
      refuseAliases(aliases, [...at, 'aliases'], refuse);
    }
  }
}

function refuseNetwork(name: unknown, path: Path, refuse: Refuse): void {
  if (!NETWORKS.includes(name)) {
    const detail = `Found ${quoteValue(name)}. Allowed: ${joinList(NETWORKS.map(String))}.`;
    refuse('compose-network', path, 'Other network', detail);
  }
}

function refuseAliases(aliases: unknown, path: Path, refuse: Refuse): void {
  const isList = Array.isArray(aliases) || typeof aliases === 'string';
  const reserved = isList ? RESERVED_ALIASES.find((alias) => aliases.includes(alias)) : undefined;
  if (!isList) {
    refuse('compose-alias', path, 'aliases is not a list', `Found ${quoteValue(aliases)}. Expected a list.`);
  } else if (reserved !== undefined) {
    const detail = `Found ${reserved}, which is an alias of a core package.`;
    refuse('compose-alias', path, 'Reserved alias', detail);
  }
}

function refuseVolumes(volumes: unknown, path: Path, defined: unknown, refuse: Refuse): void {
  if (!Array.isArray(volumes)) {
    const detail = `Found ${quoteValue(volumes)}. Expected a list of <volume>:<path>.`;
    refuse('compose-volume', path, 'volumes is not a list', detail);
    return;
  }
  volumes.forEach((volume, index) => refuseVolume(volume, [...path, index], defined, refuse));
}

function refuseVolume(volume: unknown, path: Path, defined: unknown, refuse: Refuse): void {
  const [name, target] = typeof volume === 'string' ? volume.split(':') : [];
  const found = `Found ${quoteValue(volume)}.`;
  if (!name || !target) {
    const title = 'Not a named volume';
    refuse('compose-volume', path, title, `${found} Expected <volume>:<path>, with a volume of the file.`);
  } else if (name.includes('/')) {
    refuse('compose-volume', path, 'Bind mount', `${found} Use a volume of the file.`);
  } else if (!/^[a-zA-Z0-9_.-]+$/.test(name)) {
    const detail = `${found} Allowed in the name: letters, digits, underscores, dots and hyphens.`;
    refuse('compose-volume', path, 'Invalid name of a volume', detail);
  } else {
    const definition = isObject(defined) && Object.hasOwn(defined, name) ? defined[name] : undefined;
    if (!definition) {
      const detail = `${found} Add ${name}: {} to volumes of the file; without a value it is not a definition.`;
      refuse('compose-volume', path, 'Volume is not defined', detail);
    } else if (isFilled(definition)) {
      refuse('compose-volume', path, 'Volume with settings', `${found} Define it as ${name}: {}.`);
    }
  }
}

/** The members of a mapping; another value with contents is refused. */
function entriesOf(value: unknown, path: Path, refuse: Refuse): [string, unknown][] {
  if (isObject(value)) {
    return Object.entries(value);
  }
  if (isFilled(value)) {
    refuse('compose-network', path, 'networks is not a mapping', `Found ${quoteValue(value)}. Expected a mapping.`);
  }
  return [];
}

/** Whether JavaScript finds members in a value. */
const isFilled = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') ||
  (typeof value === 'object' && value !== null && Object.keys(value).length > 0);

/** The text that JavaScript makes of a value. */
const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((one) => (one === null ? '' : textOf(one))).join(',')
    : isObject(value)
      ? '[object Object]'
      : String(value);

/** The span to highlight: the key of a member, an item of a list, or where the path ends in this file. */
export function spanAt(root: SourceNode, path: Path): Span {
  const { key, node } = locate(root, path);
  return key ?? node;
}
