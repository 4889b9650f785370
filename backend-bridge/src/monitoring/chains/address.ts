/**
 * Where a node is polled. A manifest can only choose among the containers of its own package and their ports: the host is derived
 * from the package name and the domain of the node network. Everything else is configured by the operator.
 */
import type { PackageChain } from '../../../contract/package.ts';
import { readAddressRules, rulesForSetting } from '../../platform/http/addresses.ts';
import { createOutbound, type Outbound } from '../../platform/http/outbound.ts';
import type { SourceNode } from '../../validation/source/source.ts';
import { readYaml } from '../../validation/source/yaml.ts';
import { CONNECTION_IDLE_MS, type NodeAddress, RESPONSE_LIMIT, RESPONSE_TIMEOUT_MS } from './request.ts';

/** Configured by the operator. */
export interface ChainOverride {
  url?: string | undefined;
  /** Poll interval in seconds. */
  interval?: number | undefined;
  username?: string | undefined;
  password?: string | undefined;
}

export interface AddressParts {
  dnpName: string;
  chain: PackageChain;
  /** Default port of the driver. */
  port: number;
  /** Domain of the node network; undefined: the bridge is not in one. */
  domain: string | undefined;
  override: ChainOverride | undefined;
  /** From the package's compose file; empty where the driver needs none. */
  environment: RpcEnvironment;
}

const LABELS = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const LONGEST_HOST = 253;

/** @returns the address, or why there is none */
export function addressOf(parts: AddressParts): NodeAddress | { unconfigured: string } {
  const { override, environment } = parts;
  // Credentials of two sources are never mixed.
  const isOwn = override?.username !== undefined || override?.password !== undefined;
  const { username, password } = isOwn ? override : environment;
  const credentials = username !== undefined && password !== undefined ? { username, password } : undefined;
  if (override?.url !== undefined) {
    return { url: withSlash(override.url), origin: 'provisioned', credentials };
  }
  const host = hostOf(parts);
  if (host === undefined) {
    return {
      unconfigured:
        parts.domain === undefined
          ? 'Names in the node network are disabled (NODEBELL_NODE_DOMAIN). Configure the address in a provisioning file, under chains.'
          : 'The address cannot be derived from the package name. Configure it in a provisioning file, under chains.',
    };
  }
  const port = parts.chain.port ?? environment.port ?? parts.port;
  return isPort(port)
    ? { url: `http://${host}:${port}/`, origin: 'package', credentials }
    : { unconfigured: `Invalid port ${port} in the manifest: a port is an integer from 1 to 65535.` };
}

const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`);
const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535;

/**
 * `<package>.<domain>` is the package's main service, `<service>.<package>.<domain>` any of its services; packages of the public
 * registry have `public` after their name, as in DAppNode's network.
 */
function hostOf({ dnpName, chain, domain }: AddressParts): string | undefined {
  const [, short, registry] = /^(.+)\.(dnp|public)\.dappnode\.eth$/.exec(dnpName) ?? [];
  if (short === undefined || domain === undefined) {
    return undefined;
  }
  const root = `${short}${registry === 'public' ? '.public' : ''}.${domain}`;
  // A package with one service may give it the package name.
  const isRoot = chain.service === undefined || chain.service === dnpName;
  const host = (isRoot ? root : `${chain.service}.${root}`).toLowerCase();
  return LABELS.test(host) && host.length <= LONGEST_HOST ? host : undefined;
}

/** Creates a client per node, which connects to the address of that node and to what the operator allows. */
export function nodeOutbound(allow: readonly string[], domain: string | undefined): (address: NodeAddress) => Outbound {
  return (address) =>
    createOutbound({
      allow: readAddressRules([...allow, ...rulesFor(address, domain)]),
      timeoutMs: RESPONSE_TIMEOUT_MS,
      maxBytes: RESPONSE_LIMIT,
      idleMs: CONNECTION_IDLE_MS,
    });
}

/** The address rules that allow requests to this address and no other. */
export function rulesFor({ url, origin }: NodeAddress, domain: string | undefined): string[] {
  if (origin === 'package') {
    return domain === undefined ? [] : [`.${domain}`];
  }
  return rulesForSetting(url);
}

export interface ProvisionedChain extends ChainOverride {
  dnpName: string;
}

export type ChainOverrides = ReturnType<typeof createChainOverrides>;

/** @param onChange after each file */
export function createChainOverrides(onChange: () => void) {
  const byPackage = new Map<string, { file: string; override: ChainOverride }>();
  return {
    /** Replaces the entries of one file. @param kept packages whose entries stay */
    provision(file: string, chains: readonly ProvisionedChain[], kept: readonly string[] = []): void {
      const before = [...byPackage].filter(([name, one]) => one.file === file && !kept.includes(name));
      before.forEach(([name]) => byPackage.delete(name));
      chains.forEach(({ dnpName, ...override }) => byPackage.set(dnpName, { file, override }));
      onChange();
    },
    /** Files that configure any. */
    files: (): string[] => [...new Set([...byPackage.values()].map(({ file }) => file))],
    /** The file that configures a package. */
    owner: (dnpName: string): string | undefined => byPackage.get(dnpName)?.file,
    /** Overrides by package. */
    all: (): ReadonlyMap<string, ChainOverride> =>
      new Map([...byPackage].map(([name, { override }]) => [name, override])),
  };
}

export interface RpcEnvironment {
  username?: string;
  password?: string;
  port?: number;
}

/**
 * @param text the compose file
 * @returns literal values only; a reference to another variable cannot be resolved here
 */
export function rpcEnvironment(text: string | undefined): RpcEnvironment {
  const variables = text === undefined ? [] : variablesOf(readYaml(text).root);
  const of = (part: string): string | undefined =>
    variables.find(([name, value]) => name.toUpperCase().includes(part) && value !== '' && !value.includes('$'))?.[1];
  const [username, password, port] = [of('_RPCUSER'), of('_RPCPASSWORD'), Number(of('_RPCPORT'))];
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(Number.isInteger(port) && port >= 1 && port <= 65_535 && { port }),
  };
}

function variablesOf(root: SourceNode | undefined): [name: string, value: string][] {
  return childrenOf(childOf(root, 'services')).flatMap((service) => {
    const environment = childOf(service, 'environment');
    if (environment?.kind === 'list') {
      return environment.items.flatMap((item): [string, string][] => {
        const [name, ...rest] = textOf(item)?.split('=') ?? [];
        return name === undefined || rest.length === 0 ? [] : [[name.trim(), rest.join('=').trim()]];
      });
    }
    return environment?.kind === 'map'
      ? [...environment.members].map(([name, { node }]): [string, string] => [name, textOf(node) ?? ''])
      : [];
  });
}

const childOf = (node: SourceNode | undefined, name: string): SourceNode | undefined =>
  node?.kind === 'map' ? node.members.get(name)?.node : undefined;
const childrenOf = (node: SourceNode | undefined): SourceNode[] =>
  node?.kind === 'map' ? [...node.members.values()].map((member) => member.node) : [];
const textOf = (node: SourceNode): string | undefined =>
  node.kind === 'scalar' && node.value !== null ? String(node.value) : undefined;
