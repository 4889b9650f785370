import { AppEvents, type EventBusSrv } from '@grafana/data';
import type { BackendSrv, BackendSrvRequest, FetchError, FetchResponse } from '@grafana/runtime';
import { firstValueFrom, Observable, type Subscriber } from 'rxjs';
import { buildInit, buildUrl, type Data, errorData, readBody, withoutAnswer } from './exchange.ts';

type Parts<T> = (response: Response, wrap: (data: unknown) => FetchResponse<T>) => AsyncGenerator<FetchResponse<T>>;

/** Stands in for Grafana's own client: the same calls, the same errors, the same toasts, the same retry after a 401. */
export class HostBackendSrv implements BackendSrv {
  readonly #events: EventBusSrv;
  readonly #running = new Map<string, AbortController>();

  constructor(events: EventBusSrv) {
    this.#events = events;
  }

  fetch<T>(options: BackendSrvRequest): Observable<FetchResponse<T>> {
    const toastSuccess = (result: FetchResponse<T>) => this.#toastSuccess(result);
    return this.#connect<T>(options, async function* (response, wrap) {
      const result = wrap(await readBody(response, options.responseType));
      toastSuccess(result);
      yield result;
    });
  }

  chunked(options: BackendSrvRequest): Observable<FetchResponse<Uint8Array | undefined>> {
    return this.#connect<Uint8Array | undefined>(options, async function* (response, wrap) {
      const reader = response.body?.getReader();
      for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
        yield wrap(chunk.value);
      }
      yield wrap(undefined);
    });
  }

  datasourceRequest<T>(options: BackendSrvRequest) {
    return firstValueFrom(this.fetch<T>(options));
  }

  async request<T>(options: BackendSrvRequest): Promise<T> {
    return (await firstValueFrom(this.fetch<T>(options))).data;
  }

  get<T>(url: string, params?: Data, requestId?: string, options?: Partial<BackendSrvRequest>) {
    return this.request<T>({
      ...options,
      method: 'GET',
      url,
      ...(params && { params }),
      ...(requestId && { requestId }),
    });
  }

  delete<T>(url: string, data?: unknown, options?: Partial<BackendSrvRequest>) {
    return this.request<T>({ ...options, method: 'DELETE', url, data });
  }

  post<T>(url: string, data?: unknown, options?: Partial<BackendSrvRequest>) {
    return this.request<T>({ ...options, method: 'POST', url, data });
  }

  patch<T>(url: string, data?: unknown, options?: Partial<BackendSrvRequest>) {
    return this.request<T>({ ...options, method: 'PATCH', url, data });
  }

  put<T>(url: string, data?: unknown, options?: Partial<BackendSrvRequest>) {
    return this.request<T>({ ...options, method: 'PUT', url, data });
  }

  #connect<T>(options: BackendSrvRequest, parts: Parts<T>) {
    return new Observable<FetchResponse<T>>((subscriber) => {
      const controller = this.#begin(options);
      this.#run(options, controller.signal, parts, subscriber).catch((error: unknown) => {
        subscriber.error(withoutAnswer(options, controller.signal, error));
      });
      return () => {
        // Like Grafana's client: aborts a request whose observer has unsubscribed.
        controller.abort();
        if (options.requestId && this.#running.get(options.requestId) === controller) {
          this.#running.delete(options.requestId);
        }
      };
    });
  }

  /** A request cancels an earlier one with the same id. */
  #begin({ requestId, abortSignal }: BackendSrvRequest): AbortController {
    const controller = new AbortController();
    abortSignal?.addEventListener('abort', () => controller.abort());
    if (requestId) {
      this.#running.get(requestId)?.abort();
      this.#running.set(requestId, controller);
    }
    return controller;
  }

  async #run<T>(
    options: BackendSrvRequest,
    signal: AbortSignal,
    parts: Parts<T>,
    subscriber: Subscriber<FetchResponse<T>>
  ): Promise<void> {
    const response = await this.#send(options, signal);
    const { status, statusText, ok, headers, redirected, type, url } = response;
    if (!ok) {
      const data = errorData(await readBody(response, options.responseType), response);
      const error: FetchError<Data> = { status, statusText, data, config: options };
      this.#toastError(error);
      subscriber.error(error);
      return;
    }
    const wrap = (data: unknown) =>
      ({ data, status, statusText, ok, headers, redirected, type, url, config: options }) as FetchResponse<T>;
    for await (const part of parts(response, wrap)) {
      subscriber.next(part);
    }
    subscriber.complete();
  }

  async #send(options: BackendSrvRequest, signal: AbortSignal, retried = false): Promise<Response> {
    const response = await fetch(buildUrl(options), buildInit(options, signal));
    if (response.status === 401 && !retried) {
      await fetch(new URL('api/login/ping', document.baseURI), { signal });
      return this.#send(options, signal, true);
    }
    return response;
  }

  #toastSuccess({ config, data }: FetchResponse<unknown>) {
    const message = (data as Data | null)?.['message'];
    const wanted = config.showSuccessAlert ?? (config.method ?? 'GET').toUpperCase() !== 'GET';
    if (wanted && typeof message === 'string') {
      this.#events.emit(AppEvents.alertSuccess, [message]);
    }
  }

  #toastError(error: FetchError<Data>) {
    const message = error.data['message'];
    if (error.config.showErrorAlert === false || typeof message !== 'string') {
      return;
    }
    // A caller that catches the error has this long to mark it as handled.
    setTimeout(() => {
      if (!error.isHandled) {
        this.#events.emit(error.status < 500 ? AppEvents.alertWarning : AppEvents.alertError, [message]);
      }
    }, 50);
  }
}
