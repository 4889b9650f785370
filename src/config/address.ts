/** The address of the bridge as an admin types it. Pure. */

export interface Address {
  /** As it is kept: no slash at the end. */
  url: string;
  /** Host name or IP address, without the brackets of IPv6. */
  host: string;
  /** As a number, also where the address leaves it to the scheme. */
  port: number;
}

const EXAMPLE = 'such as http://nodebell-bridge:8080';

/** @returns the address, or what is wrong with it: what was found and what is allowed */
export function readAddress(typed: string): Address | { mistake: string } {
  const text = typed.trim();
  if (text === '') {
    return { mistake: `Enter an address ${EXAMPLE}.` };
  }
  const url = URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text)) {
    return { mistake: `“${text}” is no web address. Enter one that begins with http:// or https://, ${EXAMPLE}.` };
  }
  if (url.username || url.password) {
    return { mistake: 'A name or password does not belong into the address: the token has its own field.' };
  }
  if (url.search || url.hash) {
    return { mistake: `Leave out what follows ${url.search ? '“?”' : '“#”'}: Grafana adds paths to the address.` };
  }
  if (/\/api\/v1\/?$/.test(url.pathname)) {
    return { mistake: 'Leave out /api/v1: Grafana adds it.' };
  }
  return {
    url: `${url.origin}${url.pathname}`.replace(/\/+$/, ''),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
  };
}

/** Whether there is no name to be resolved. */
export const isIpAddress = (host: string): boolean => /^\d{1,3}(\.\d{1,3}){3}$/.test(host) || host.includes(':');
