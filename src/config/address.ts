/** The address of the bridge as an admin types it. Pure. */
import { t } from '../i18n/t';

export interface Address {
  /** As it is kept: no slash at the end. */
  url: string;
  /** Host name or IP address, without the brackets of IPv6. */
  host: string;
  /** As a number, also where the address leaves it to the scheme. */
  port: number;
}

const EXAMPLE = 'http://nodebell-bridge:8080';

/** @returns the address, or what is wrong with it: what was found and what is allowed */
export function readAddress(typed: string): Address | { mistake: string } {
  const text = typed.trim();
  if (text === '') {
    return { mistake: t('config.address.empty', 'Enter a URL, for example {{example}}.', { example: EXAMPLE }) };
  }
  const url = URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text)) {
    return {
      mistake: t(
        'config.address.invalid',
        '“{{text}}” is not a valid URL. Enter a URL that starts with http:// or https://, for example {{example}}.',
        { text, example: EXAMPLE }
      ),
    };
  }
  if (url.username || url.password) {
    return {
      mistake: t(
        'config.address.credentials',
        'Remove the credentials from the URL. Enter the token in its own field.'
      ),
    };
  }
  if (url.search || url.hash) {
    return {
      mistake: t('config.address.query', 'Remove everything after “{{sign}}”. Grafana appends paths to the URL.', {
        sign: url.search ? '?' : '#',
      }),
    };
  }
  if (/\/api\/v1\/?$/.test(url.pathname)) {
    return { mistake: t('config.address.api', 'Remove /api/v1. Grafana appends it.') };
  }
  return {
    url: `${url.origin}${url.pathname}`.replace(/\/+$/, ''),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
  };
}

/** Whether there is no name to be resolved. */
export const isIpAddress = (host: string): boolean => /^\d{1,3}(\.\d{1,3}){3}$/.test(host) || host.includes(':');
