/** Which addresses the bridge may connect to by itself. Pure. */
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;

/** What the operator allows beyond the public internet. */
export interface AddressRules {
  /** A host of its own (`node.lan`), or every host below a suffix that begins with a dot (`.dappnode`). Lower case. */
  hosts: readonly string[];
  networks: readonly [Address, number][];
}

/** What a rule for a host allows of its addresses: those of private networks. Loopback and the like need a network rule. */
const PRIVATE = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);
/** Addresses at which clouds give their machines credentials, to whoever asks; link-local ones need no mention. */
const METADATA = ['fd00:ec2::254', '100.100.100.200', '169.254.169.254'].map((text) => ipaddr.parse(text).toString());
/** All global unicast addresses that are given out (IANA IPv6 address space registry); ipaddr.js takes the rest for unicast too. */
const GLOBAL_IPV6: [Address, number] = ipaddr.parseCIDR('2000::/3');

/**
 * Reads the operator's rules.
 * @param texts hosts, suffixes (`.dappnode`) and networks (`172.33.0.0/16`, `127.0.0.1`)
 * @throws Error naming the rule that is none
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
    } else if (/^\.?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/.test(text) && !/^[\d.]+$/.test(text)) {
      hosts.push(text);
    } else {
      throw new Error(
        `${JSON.stringify(text)} is no rule: write a host, a suffix such as .dappnode, or a network such as 172.33.0.0/16`
      );
    }
  }
  return { hosts, networks };
}

/** The rules that allow what an operator's setting names, and nothing else. */
export function rulesForSetting(url: string): string[] {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return host === 'localhost' ? ['127.0.0.0/8', '::1'] : [host];
}

/** Whether a host is given by its address. */
export function isAddress(host: string): boolean {
  return ipaddr.isValid(host);
}

/**
 * @param host the name that was asked for, or the address itself
 * @param text an address that it resolves to
 * @returns undefined when the bridge may connect to it, else why not
 */
export function whyRefused(host: string, text: string, rules: AddressRules): string | undefined {
  if (!isAddress(text)) {
    return `${text} is no address`;
  }
  // An IPv4 address in IPv6 clothes (::ffff:127.0.0.1) is judged as what it is.
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
