import type { BackendSrvRequest, FetchError } from '@grafana/runtime';

export type Data = Record<string, unknown>;

const UNEXPECTED = 'Unexpected error';

export function buildUrl({ url, params }: BackendSrvRequest): string {
  const target = new URL(url, document.baseURI);
  for (const [key, value] of Object.entries(params ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) {
        target.searchParams.append(key, String(item));
      }
    }
  }
  return target.href;
}

export function buildInit(options: BackendSrvRequest, signal: AbortSignal): RequestInit {
  const headers = new Headers({ 'X-Grafana-Org-Id': '1' });
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    // Grafana drops its own Authorization header and forwards a caller's under another name.
    headers.set(name.toLowerCase() === 'authorization' ? 'X-DS-Authorization' : name, String(value));
  }
  const method = (options.method ?? 'GET').toUpperCase();
  const init: RequestInit = { method, headers, signal, credentials: options.credentials ?? 'same-origin' };
  if (options.data !== undefined && method !== 'GET' && method !== 'HEAD') {
    const raw = typeof options.data === 'string' || options.data instanceof Blob || options.data instanceof FormData;
    init.body = raw ? options.data : JSON.stringify(options.data);
    if (!raw && !headers.has('Content-Type')) {
      headers.set('Content-Type', 'application/json');
    }
  }
  return init;
}

export async function readBody(response: Response, type: BackendSrvRequest['responseType']): Promise<unknown> {
  if (type === 'blob') {
    return response.blob();
  }
  if (type === 'arraybuffer') {
    return response.arrayBuffer();
  }
  const text = await response.text();
  if (type === 'text') {
    return text;
  }
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return text;
  }
}

export function errorData(data: unknown, response: { statusText: string }): Data {
  if (typeof data === 'string') {
    return { message: data || UNEXPECTED, error: response.statusText, response: data };
  }
  const found: Data = { ...(data as Data) };
  if (!found['message'] && typeof found['error'] === 'string') {
    found['message'] = found['error'];
  }
  return found;
}

/** The error when there is no response: the request was cancelled or the server is unreachable. */
export function withoutAnswer(config: BackendSrvRequest, signal: AbortSignal, cause: unknown): FetchError<Data> {
  if (signal.aborted) {
    return { status: -1, statusText: 'Request was aborted', data: {}, cancelled: true, config };
  }
  const message = cause instanceof Error ? cause.message : UNEXPECTED;
  return { status: 0, statusText: message, data: { message }, config };
}
