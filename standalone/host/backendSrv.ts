import { AppEvents, type EventBusSrv } from '@grafana/data';
import type { BackendSrv, BackendSrvRequest, FetchError, FetchResponse } from '@grafana/runtime';
import { firstValueFrom, Observable } from 'rxjs';

type Data = Record<string, unknown>;

const UNEXPECTED = 'Unexpected error';

function buildUrl({ url, params }: BackendSrvRequest): string {
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

function buildInit(options: BackendSrvRequest, signal: AbortSignal): RequestInit {
  const headers = new Headers({ 'X-Grafana-Org-Id': '1' });
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    // Grafana keeps its own Authorization to itself and passes a caller's on under another name.
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

async function readBody(response: Response, type: BackendSrvRequest['responseType']): Promise<unknown> {
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

function errorData(data: unknown, response: { statusText: string }): Data {
  if (typeof data === 'string') {
    return { message: data || UNEXPECTED, error: response.statusText, response: data };
  }
  const found: Data = { ...(data as Data) };
  if (!found['message'] && typeof found['error'] === 'string') {
    found['message'] = found['error'];
  }
  return found;
}

/** Stands in for Grafana's own client: the same calls, the same errors, the same toasts, the same retry after a 401. */
export function createBackendSrv(events: EventBusSrv): BackendSrv {
  const running = new Map<string, AbortController>();

  function toastSuccess(response: FetchResponse<unknown>) {
    const { config } = response;
    const message = (response.data as Data | null)?.['message'];
    const wanted = config.showSuccessAlert ?? (config.method ?? 'GET').toUpperCase() !== 'GET';
    if (wanted && typeof message === 'string') {
      events.emit(AppEvents.alertSuccess, [message]);
    }
  }

  function toastError(error: FetchError<Data>) {
    const message = error.data['message'];
    if (error.config.showErrorAlert === false || typeof message !== 'string') {
      return;
    }
    // A caller that catches the error has this long to mark it as handled.
    setTimeout(() => {
      if (!error.isHandled) {
        events.emit(error.status < 500 ? AppEvents.alertWarning : AppEvents.alertError, [message]);
      }
    }, 50);
  }

  async function send(options: BackendSrvRequest, signal: AbortSignal, retried = false): Promise<Response> {
    const response = await fetch(buildUrl(options), buildInit(options, signal));
    if (response.status === 401 && !retried) {
      await fetch(new URL('api/login/ping', document.baseURI), { signal });
      return send(options, signal, true);
    }
    return response;
  }

  function failed(options: BackendSrvRequest, signal: AbortSignal, cause: unknown): FetchError<Data> {
    if (signal.aborted) {
      return { status: -1, statusText: 'Request was aborted', data: {}, cancelled: true, config: options };
    }
    const message = cause instanceof Error ? cause.message : UNEXPECTED;
    return { status: 0, statusText: message, data: { message }, config: options };
  }

  function connect<T>(
    options: BackendSrvRequest,
    use: (response: Response, wrap: (data: unknown) => FetchResponse<T>) => AsyncGenerator<FetchResponse<T>>
  ) {
    return new Observable<FetchResponse<T>>((subscriber) => {
      const controller = new AbortController();
      options.abortSignal?.addEventListener('abort', () => controller.abort());
      if (options.requestId) {
        running.get(options.requestId)?.abort();
        running.set(options.requestId, controller);
      }
      const run = async () => {
        const response = await send(options, controller.signal);
        const { status, statusText, ok, headers, redirected, type, url } = response;
        const wrap = (data: unknown) =>
          ({ data, status, statusText, ok, headers, redirected, type, url, config: options }) as FetchResponse<T>;
        if (!ok) {
          const data = errorData(await readBody(response, options.responseType), response);
          const error: FetchError<Data> = { status, statusText, data, config: options };
          toastError(error);
          throw error;
        }
        for await (const part of use(response, wrap)) {
          subscriber.next(part);
        }
        subscriber.complete();
      };
      run().catch((error: unknown) => {
        const isOurs = typeof error === 'object' && error !== null && 'config' in error;
        subscriber.error(isOurs ? error : failed(options, controller.signal, error));
      });
      return () => {
        // Grafana's client ends a request whose observer has gone; so does this one.
        controller.abort();
        if (options.requestId && running.get(options.requestId) === controller) {
          running.delete(options.requestId);
        }
      };
    });
  }

  const fetchOnce = <T>(options: BackendSrvRequest) =>
    connect<T>(options, async function* (response, wrap) {
      const result = wrap(await readBody(response, options.responseType));
      toastSuccess(result);
      yield result;
    });

  const chunked = (options: BackendSrvRequest) =>
    connect<Uint8Array | undefined>(options, async function* (response, wrap) {
      const reader = response.body?.getReader();
      for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
        yield wrap(chunk.value);
      }
      yield wrap(undefined);
    });

  const request = async <T>(options: BackendSrvRequest): Promise<T> =>
    (await firstValueFrom(fetchOnce<T>(options))).data;

  return {
    fetch: fetchOnce,
    chunked,
    request,
    datasourceRequest: (options) => firstValueFrom(fetchOnce(options)),
    get: (url, params, requestId, options) => request({ ...options, method: 'GET', url, params, requestId }),
    delete: (url, data, options) => request({ ...options, method: 'DELETE', url, data }),
    post: (url, data, options) => request({ ...options, method: 'POST', url, data }),
    patch: (url, data, options) => request({ ...options, method: 'PATCH', url, data }),
    put: (url, data, options) => request({ ...options, method: 'PUT', url, data }),
  };
}
