/** Addresses that the bridge may connect to by itself. Pure. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;

/** Addresses that the operator allows besides the public internet. */
export interface AddressRules {
  /** A host (`node.lan`), or every host below a suffix that starts with a dot (`.dappnode`). Lower case. */
  hosts: readonly string[];
  networks: readonly [Address, number][];
}

/** Ranges that a rule for a host allows. Loopback and the like require a network rule. */
const PRIVATE = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);
/** Metadata addresses of cloud providers, which return credentials; link-local ones are rejected anyway. */
const METADATA = ['fd00:ec2::254', '100.100.100.200', '169.254.169.254'].map((text) => ipaddr.parse(text).toString());
/** Allocated global unicast addresses (IANA IPv6 address space registry); ipaddr.js counts the rest as unicast, too. */
const GLOBAL_IPV6: [Address, number] = ipaddr.parseCIDR('2000::/3');

/**
 * Reads the operator's rules.
 * @param texts hosts, suffixes (`.dappnode`) and networks (`172.33.0.0/16`, `127.0.0.1`)
 * @throws Error naming the invalid rule
 */
export function readAddressRules(texts: readonly string[]): AddressRules {
  const hosts: string[] = [];
  const networks: [Address, number][] = [];
  for (const text of texts.map((rule) => rule.trim().toLowerCase())) {
    if (ipaddr.isValidCIDR(text)) {
      networks.push(ipaddr.parseCIDR(text));
    } else if (ipaddr.isValid(text)) {
      const address = ipaddr.process(text);
      networks.push([address, address.kind() === 'ipv4' ? 32 : 128]);
    } else if (isHost(text.replace(/^\./, ''))) {
      hosts.push(text);
    } else {
      throw new Error(
        `${JSON.stringify(text)} is no rule: write a host, a suffix such as .dappnode, or a network such as 172.33.0.0/16`
      );
    }
  }
  return { hosts, networks };
}

/** The rules that allow the host of a setting, with or without the dot of an absolute name, and nothing else. */
export const rulesForSetting = (url: string): string[] => rulesForHost(new URL(url).hostname);

/** As `rulesForSetting`. None for a host that is neither a name nor an address (`a~b`): it is reached at public addresses only. */
export function rulesForHost(host: string): string[] {
  const name = host.replace(/^\[|\]$|\.$/g, '').toLowerCase();
  if (name === 'localhost') {
    return ['127.0.0.0/8', '::1'];
  }
  return isAddress(name) || isHost(name) ? [name] : [];
}

const isHost = (text: string): boolean => /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/.test(text) && !/^[\d.]+$/.test(text);

/** Whether a host is an IP address. */
export function isAddress(host: string): boolean {
  return ipaddr.isValid(host);
}

/**
 * @param host the requested name or address
 * @param text an address to which it resolves
 * @returns undefined if the bridge may connect to it, else the reason
 */
export function whyRefused(host: string, text: string, rules: AddressRules): string | undefined {
  if (!isAddress(text)) {
    return `${text} is no address`;
  }
  // An IPv4-mapped address (::ffff:127.0.0.1) is checked as IPv4.
  const address = ipaddr.process(text);
  if (METADATA.includes(address.toString())) {
    return `${text} is where clouds keep credentials`;
  }
  const range = address.range();
  const inNetwork = rules.networks.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits)
  );
  if (inNetwork || (range === 'unicast' && (address.kind() === 'ipv4' || address.match(GLOBAL_IPV6)))) {
    return undefined;
  }
  return PRIVATE.has(range) && isAllowedHost(host, rules) ? undefined : `${text} is not a public address (${range})`;
}

function isAllowedHost(host: string, rules: AddressRules): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return rules.hosts.some((rule) => (rule.startsWith('.') ? name.endsWith(rule) : name === rule));
}

/** A loopback name or address (RFC 6761, RFC 1122 3.2.1.3, RFC 4291 2.5.3). */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
