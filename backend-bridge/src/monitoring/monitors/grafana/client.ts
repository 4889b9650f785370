/** Requests to Grafana's HTTP API. */
import { LIMITS } from '../../../../contract/limits.ts';
import type { Outbound } from '../../../platform/http/outbound.ts';
import { jsonOf, monitorOutbound } from '../outbound.ts';

export interface GrafanaResponse {
  status: number;
  /** Parsed JSON; undefined if it is not JSON. */
  body: unknown;
}

export interface GrafanaClient {
  /** @throws Error with a sentence if Grafana is unreachable, redirects, or rejects the token */
  request(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> }
  ): Promise<GrafanaResponse>;
}

/** @param url of Grafana, a setting, with its sub-path if it has one */
export function createGrafanaClient(
  url: string,
  token: string | undefined,
  outbound: Outbound = monitorOutbound(url, LIMITS.grafanaResponseBytes.value)
): GrafanaClient {
  const base = url.replace(/\/+$/, '');
  return {
    async request(method, path, { body, headers } = {}) {
      const response = await outbound
        .fetchGuarded(base + path, 'Grafana API', {
          method,
          headers: {
            Accept: 'application/json',
            ...(token !== undefined && { Authorization: `Bearer ${token}` }),
            ...(body !== undefined && { 'Content-Type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        .catch((error: Error & { reason?: unknown }) => {
          throw new Error(
            error.reason === 'redirect'
              ? `Grafana responds to ${method} ${path} with a redirect: set NODEBELL_GRAFANA_URL to the URL of Grafana itself.`
              : `Grafana does not respond at ${base}. ${error.message}`,
            { cause: error }
          );
        });
      const { status } = response;
      const parsed = jsonOf(response.body);
      if (status === 401 || status === 403) {
        throw new Error(
          `Grafana rejects ${method} ${path} (${status}${messagePart(parsed)}): set NODEBELL_GRAFANA_TOKEN to the token of a service account with the role Editor, and for contact points Admin.`
        );
      }
      return { status, body: parsed };
    },
  };
}

/** Grafana responded with an error to a single request. */
export class Rejected extends Error {}

/**
 * @param what was requested: "Grafana rejects …"
 * @returns the body
 * @throws Rejected unless the status is 2xx
 */
export function succeeded(what: string, { status, body }: GrafanaResponse): unknown {
  if (status < 200 || status > 299) {
    throw new Rejected(`Grafana rejects ${what} (${status}${messagePart(body)}).`);
  }
  return body;
}

/**
 * @returns the objects in the list
 * @throws Rejected unless the status is 2xx; Error if the body is not a list
 */
export function listed<T extends object>(what: string, response: GrafanaResponse): T[] {
  const body = succeeded(what, response);
  if (!Array.isArray(body)) {
    throw new Error(
      `The response to ${what} is not of Grafana's API (${response.status}, and no list): set NODEBELL_GRAFANA_URL to Grafana itself, with its sub-path, and not to a login page.`
    );
  }
  return body.filter((one): one is T => typeof one === 'object' && one !== null);
}

/** Grafana's error message; empty: none. */
export function messageOf({ body }: Pick<GrafanaResponse, 'body'>): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  return typeof message === 'string' ? message.slice(0, 200) : '';
}

function messagePart(body: unknown): string {
  const message = messageOf({ body });
  return message === '' ? '' : `, ${message}`;
}
