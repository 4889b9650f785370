/** Who is at the keyboard, as far as Grafana tells. */
import type { IncomingHttpHeaders } from 'node:http';

const LONGEST = 200;

/**
 * The login that Grafana's proxy names: `X-Grafana-User` (setting `send_user_header`), else the signed-in user of
 * `X-Grafana-Context`, which it adds to every request of an app plugin. Only for records: behind the admin guard it is as true
 * as the holder of the admin token, and nothing is decided by it.
 */
export function userOf(headers: IncomingHttpHeaders): string | undefined {
  return readable(headers['x-grafana-user']) ?? loginOf(readable(headers['x-grafana-context'], Infinity));
}

function loginOf(context: string | undefined): string | undefined {
  if (context === undefined) {
    return undefined;
  }
  try {
    const { Login: login } = JSON.parse(context) as { Login?: unknown };
    return typeof login === 'string' ? shorten(login, LONGEST) : undefined;
  } catch {
    return undefined;
  }
}

/** Grafana writes UTF-8 into headers; Node reads each byte as a character. */
function readable(header: string | string[] | undefined, longest = LONGEST): string | undefined {
  return typeof header === 'string' ? shorten(Buffer.from(header, 'latin1').toString('utf8'), longest) : undefined;
}

function shorten(text: string, longest: number): string | undefined {
  const clean = text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, longest)
    .toWellFormed();
  return clean === '' ? undefined : clean;
}
