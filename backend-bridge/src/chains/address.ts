/**
 * Where a node is asked. A manifest can only choose among the containers of its own package and their ports: the host is made
 * from the package's name, below the domain of the node's network. Anything else comes from the operator. Pure.
 */
import type { PackageChain } from '../../contract/package.ts';
import { rulesForSetting } from '../http/addresses.ts';
import type { NodeAddress } from './ask.ts';
import type { RpcEnvironment } from './environment.ts';

/** What the operator says of a node. */
export interface ChainOverride {
  /** Where it answers. */
  url?: string | undefined;
  /** Seconds between two questions. */
  interval?: number | undefined;
  username?: string | undefined;
  password?: string | undefined;
}

export interface AddressParts {
  dnpName: string;
  chain: PackageChain;
  /** Of the driver. */
  port: number;
  /** Last part of the names in the node's network; undefined: the bridge is in no such network. */
  domain: string | undefined;
  override: ChainOverride | undefined;
  /** From the package's compose file; empty where the driver needs none. */
  environment: RpcEnvironment;
}

const LABELS = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const LONGEST_HOST = 253;

/** @returns why it has none, in words, where it has none */
export function addressOf(parts: AddressParts): NodeAddress | { unconfigured: string } {
  const { override, environment } = parts;
  // Never half of the one and half of the other.
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
          ? 'The bridge is told to use no names of a node network (NODEBELL_NODE_DOMAIN). Give its address in a provisioning file, under chains.'
          : 'Its address cannot be told from the name of the package. Give it in a provisioning file, under chains.',
    };
  }
  const port = parts.chain.port ?? environment.port ?? parts.port;
  return isPort(port)
    ? { url: `http://${host}:${port}/`, origin: 'package', credentials }
    : { unconfigured: `The manifest names port ${port}; a port is a whole number from 1 to 65535.` };
}

const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`);
const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535;

/**
 * `<package>.<domain>` is the package's main service, `<service>.<package>.<domain>` any of its services; packages of the public
 * registry have `public` behind their name, as their names in the real system's network do.
 */
function hostOf({ dnpName, chain, domain }: AddressParts): string | undefined {
  const [, short, registry] = /^(.+)\.(dnp|public)\.dappnode\.eth$/.exec(dnpName) ?? [];
  if (short === undefined || domain === undefined) {
    return undefined;
  }
  const root = `${short}${registry === 'public' ? '.public' : ''}.${domain}`;
  // A package of one service may call it by its own name.
  const isRoot = chain.service === undefined || chain.service === dnpName;
  const host = (isRoot ? root : `${chain.service}.${root}`).toLowerCase();
  return LABELS.test(host) && host.length <= LONGEST_HOST ? host : undefined;
}

/** What the guard of requests must let through for this address, in the words of its rules; nothing else is let through. */
export function rulesFor({ url, origin }: NodeAddress, domain: string | undefined): string[] {
  if (origin === 'package') {
    return domain === undefined ? [] : [`.${domain}`];
  }
  return rulesForSetting(url);
}
