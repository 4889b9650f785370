/** Fetches a manifest for the page, which may not ask other hosts by itself. */
import { isUtf8 } from 'node:buffer';
import type { Fetched } from '../../contract/package.ts';
import { show } from '../../contract/text.ts';
import { type Outbound, OutboundError } from '../http/outbound.ts';
import { type HttpProblem, invalid } from '../http/problem.ts';

/** As large as a manifest may be. Bytes. */
export const FETCH_LIMIT = 1024 * 1024;
/** Milliseconds. */
export const FETCH_TIMEOUT = 10_000;
const ALLOWED = 'the address of a manifest, http: or https:, that the bridge may reach';

/** @throws HttpProblem 400 that says why there is none */
export async function fetchManifest(outbound: Outbound, url: string): Promise<Fetched> {
  const {
    url: final,
    status,
    headers,
    body,
  } = await outbound.fetchGuarded(url, 'manifest').catch((error: unknown) => {
    throw error instanceof OutboundError ? refused(url, error.message) : error;
  });
  const host = new URL(final).host;
  if (status === 404 || status === 410) {
    throw refused(url, `There is nothing at this address: ${host} answers ${status}.`);
  }
  if (status !== 200) {
    throw refused(url, `${host} answers ${status} instead of the manifest.`);
  }
  if (/^text\/html\b/i.test(String(headers['content-type'] ?? ''))) {
    throw refused(url, `${host} answers a web page. Give the address of the file itself ("raw").`);
  }
  if (!isUtf8(body)) {
    throw refused(url, `What ${host} answers is not text in UTF-8.`);
  }
  return { text: body.toString('utf8'), name: nameOf(final) };
}

function refused(url: string, detail: string): HttpProblem {
  return invalid([{ pointer: '/url', found: show(withoutSecrets(url)), allowed: ALLOWED, detail }]);
}

/** A query and a user may hold secrets, which do not belong into an answer that is logged and shown. */
function withoutSecrets(text: string): string {
  const url = URL.parse(text);
  return url === null ? text : `${url.protocol}//${url.host}${url.pathname}`;
}

function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return (
      decodeURIComponent(last)
        .replace(/\p{Cc}/gu, '')
        .slice(0, 200) || 'manifest.json'
    );
  } catch {
    return last.slice(0, 200);
  }
}
