import path from 'node:path';
import { urlValue } from '../../backend-bridge/contract/url.ts';
import type { ProxyRoute } from './pluginJson.ts';

export interface Match {
  route: ProxyRoute;
  /** Suffix for the route's URL: the part matched by the asterisk, and nothing without one. */
  rest: string;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/**
 * Grafana's comparison of a route's path with a request's: segment by segment, each decoded after the cut, and a final
 * `*` takes all that is left. Literal dot segments and double slashes are gone before this; encoded ones are not.
 */
export function matchPath(pattern: string, requested: string): string | undefined {
  const wanted = pattern.replace(/^\/|\/$/g, '').split('/');
  const given = requested.replace(/^\/|\/$/g, '').split('/');
  for (const [index, segment] of wanted.entries()) {
    if (segment === '*' && index === wanted.length - 1) {
      return given.length > index ? decode(given.slice(index).join('/')) : undefined;
    }
    const value = given[index];
    if (value === undefined || decode(value) !== segment) {
      return undefined;
    }
  }
  return given.length === wanted.length ? '' : undefined;
}

/** The first matching route decides, even if it denies access and a later one would allow it. */
export function matchRoute(routes: ProxyRoute[], method: string, escapedPath: string): Match | undefined {
  const cleaned = path.posix.join('/', escapedPath);
  for (const route of routes) {
    // One exact verb: a list such as "PUT,PATCH" is compared as it stands and never fits.
    if (route.method && route.method !== '*' && route.method !== method) {
      continue;
    }
    const rest = matchPath(route.path, cleaned);
    if (rest !== undefined) {
      return { route, rest };
    }
  }
  return undefined;
}

/** Exactly one slash between the two, and none added when there is nothing to add. */
export function joinUrlPath(base: string, rest: string): string {
  if (!rest) {
    return base;
  }
  return `${base.replace(/\/$/, '')}/${rest.replace(/^\//, '')}`;
}

/** Go's encoding of a decoded path, which leaves other characters alone than {@link urlValue} does. */
export const encodePath = (decoded: string): string =>
  urlValue(decoded)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(24|26|2B|2C|2F|3A|3B|3D|40)/g, (escaped) => decodeURIComponent(escaped));
