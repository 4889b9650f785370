/** What the bridge asks of Grafana's HTTP API. */

export interface GrafanaAnswer {
  status: number;
  /** Parsed JSON; undefined when there is none. */
  body: unknown;
}

export interface GrafanaClient {
  /**
   * @throws Error with a sentence, when Grafana does not answer or refuses the token; other statuses are the caller's
   */
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, options?: GrafanaRequest): Promise<GrafanaAnswer>;
}

export interface GrafanaRequest {
  body?: unknown;
  headers?: Record<string, string>;
}

const TIMEOUT_MS = 10_000;

/** @param url where Grafana answers, with its sub-path, if it has one */
export function createGrafanaClient(url: string, token: string | undefined, send: typeof fetch = fetch): GrafanaClient {
  const base = url.replace(/\/+$/, '');
  return {
    async ask(method, path, { body, headers } = {}) {
      const { status, text } = await send(base + path, {
        method,
        headers: {
          Accept: 'application/json',
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // A redirect would carry the token to wherever it leads.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
        // An answer may begin, and never end.
        .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
        .catch((error: Error & { cause?: { code?: string } }) => {
          throw new Error(`Grafana does not answer at ${base} (${error.cause?.code ?? error.message}).`, {
            cause: error,
          });
        });
      const parsed = parse(text);
      if (status === 401 || status === 403) {
        throw new Error(
          `Grafana refuses ${method} ${path} (${status}${messageOf(parsed)}): give NODEBELL_GRAFANA_TOKEN a service account with the role Editor, and for contact points Admin.`
        );
      }
      if (status >= 300 && status < 400) {
        throw new Error(
          `Grafana answers ${method} ${path} with a redirect: NODEBELL_GRAFANA_URL must be its own address.`
        );
      }
      return { status, body: parsed };
    },
  };
}

/** Grafana has answered, and does not take it. */
export class Refused extends Error {}

/** @throws Refused that says what Grafana answered, unless it was a success */
export function succeeded(what: string, { status, body }: GrafanaAnswer): unknown {
  if (status < 200 || status > 299) {
    throw new Refused(`Grafana does not take ${what} (${status}${messageOf(body)}).`);
  }
  return body;
}

/**
 * @returns what was listed; anything in it that is no object is left out
 * @throws Refused when it was no success, Error when something else than Grafana's API answered
 */
export function listed<T extends object>(what: string, answer: GrafanaAnswer): T[] {
  const body = succeeded(what, answer);
  if (!Array.isArray(body)) {
    throw new Error(
      `What answers ${what} is not Grafana's API (${answer.status}, and no list): NODEBELL_GRAFANA_URL must lead to Grafana itself, with its sub-path, and past any page for logging in.`
    );
  }
  return body.filter((one): one is T => typeof one === 'object' && one !== null);
}

function messageOf(body: unknown): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  return typeof message === 'string' && message !== '' ? `, ${message.slice(0, 200)}` : '';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
