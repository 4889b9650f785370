/** The only HTTP client of the bridge. Every response is validated against the contract. */
import { config, getBackendSrv } from '@grafana/runtime';
import { lastValueFrom } from 'rxjs';
import { z } from 'zod';
import { t } from '../i18n/t';
import { PLUGIN_ID } from '../routes';
import { BridgeError, toBridgeError } from './errors';

/** Grafana's proxy adds the token and forwards to the bridge. Without the sub-path, which the backend service adds. */
const BRIDGE_BASE = `/api/plugin-proxy/${PLUGIN_ID}/api/v1`;

const unexpected = () =>
  new BridgeError(
    'unexpected',
    t('bridge.error.unexpected', 'The response does not match this version of the plugin.')
  );

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/**
 * Sends one request.
 * @param path below `/api/v1`, with its query
 * @param schema the schema of the response
 * @throws {BridgeError} for every failure; an abort is rethrown unchanged
 */
export async function request<T extends z.ZodType>(
  path: string,
  schema: T,
  options: RequestOptions = {}
): Promise<z.output<T>> {
  return checked((await send(path, options)).data, schema);
}

/**
 * Requests one page of a list.
 * @returns the page, and the cursor of the next one; undefined on the last
 * @throws {BridgeError} as {@link request}
 */
export async function requestPage<T extends z.ZodType>(
  path: string,
  schema: T,
  options: RequestOptions = {}
): Promise<{ page: z.output<T>; next: string | undefined }> {
  const { data, headers } = await send(path, options);
  const link = /<[^>]*\?([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return { page: checked(data, schema), next: new URLSearchParams(link).get('cursor') ?? undefined };
}

/**
 * Requests plain text.
 * @throws {BridgeError} as {@link request}
 */
export async function requestText(path: string, signal?: AbortSignal): Promise<string> {
  return checked((await send(path, { signal, responseType: 'text' })).data, z.string());
}

async function send(
  path: string,
  { method = 'GET', body, signal, responseType }: RequestOptions & { responseType?: 'text' }
) {
  try {
    return await lastValueFrom(
      getBackendSrv().fetch<unknown>({
        url: `${BRIDGE_BASE}${path}`,
        method,
        data: body,
        showErrorAlert: false,
        showSuccessAlert: false,
        abortSignal: signal,
        responseType,
      })
    );
  } catch (thrown) {
    if (signal?.aborted) {
      throw thrown;
    }
    throw toBridgeError(thrown);
  }
}

function checked<T extends z.ZodType>(data: unknown, schema: T): z.output<T> {
  const parsed = schema.safeParse(data);
  if (!parsed.success) {
    throw unexpected();
  }
  return parsed.data;
}

/**
 * Sends a request that another release of the bridge, or another service, may handle.
 * @returns the response without validation
 * @throws what Grafana's client throws
 */
export async function requestUnchecked(path: string, signal: AbortSignal): Promise<unknown> {
  const options = { url: `${BRIDGE_BASE}${path}`, method: 'GET', showErrorAlert: false, abortSignal: signal };
  return (await lastValueFrom(getBackendSrv().fetch<unknown>(options))).data;
}

/**
 * Loads an image that the bridge serves.
 * @param path below `/api/v1`
 * @returns a `data:` URL: Grafana forbids caching of what comes through its proxy, so that the browser would load an image anew for
 * each element, and its content security policy allows no `blob:` images
 * @throws {BridgeError} an abort is rethrown unchanged
 */
export async function loadImage(path: string, signal: AbortSignal): Promise<string> {
  try {
    const options = {
      url: `${BRIDGE_BASE}${path}`,
      method: 'GET',
      responseType: 'blob',
      showErrorAlert: false,
    } as const;
    const { data } = await lastValueFrom(getBackendSrv().fetch<Blob>({ ...options, abortSignal: signal }));
    return await toDataUrl(data);
  } catch (thrown) {
    throw signal.aborted ? thrown : toBridgeError(thrown);
  }
}

function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(unexpected());
    reader.readAsDataURL(blob);
  });
}

/**
 * The address of a resource below `/api/v1` that the browser loads itself, such as a download. It names the organisation
 * that this tab shows, in the query, as Grafana reads it where there is no header (`targetOrgId`): the session may have gone to
 * another one in another tab.
 * @param path with its query
 */
export function addressOf(path: string): string {
  const targetOrgId = `targetOrgId=${config.bootData.user.orgId}`;
  return `${config.appSubUrl}${BRIDGE_BASE}${path}${path.includes('?') ? '&' : '?'}${targetOrgId}`;
}

interface Upload<T extends z.ZodType> {
  body: Blob;
  type: string;
  schema: T;
  /** From 0 to 1: how much has been sent. */
  onProgress: (share: number) => void;
}

/**
 * Uploads a file. Grafana's own client does not report progress.
 * @throws {BridgeError}
 */
export function upload<T extends z.ZodType>(
  path: string,
  { body, type, schema, onProgress }: Upload<T>
): Promise<z.output<T>> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('POST', addressOf(path));
    xhr.setRequestHeader('Content-Type', type);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    xhr.onerror = () =>
      reject(toBridgeError({ status: 0, message: t('bridge.error.upload', 'The upload was interrupted.') }));
    xhr.onload = () => {
      if (xhr.status >= 400) {
        reject(toBridgeError({ status: xhr.status, data: xhr.responseText, statusText: xhr.statusText }));
        return;
      }
      const parsed = schema.safeParse(parseJson(xhr.responseText));
      if (parsed.success) {
        resolve(parsed.data);
      } else {
        reject(unexpected());
      }
    };
    xhr.send(body);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
