/** The only HTTP client of the bridge. Every response is validated against the contract. */
import { config, getBackendSrv } from '@grafana/runtime';
import {
  type ClientRequest,
  type Operation,
  type ReplyOf,
  type RequestInput,
  requestOf,
  type Spec,
} from '@nodebell/contract/operation.ts';
import { lastValueFrom } from 'rxjs';
import { z } from 'zod';
import { t } from '../i18n/t';
import { PLUGIN_ID } from '../routes';
import { BridgeError, readJson, toBridgeError } from './errors';

/** Grafana's proxy adds the token and forwards to the bridge. Without the sub-path, which the backend service adds. */
const BRIDGE_BASE = `/api/plugin-proxy/${PLUGIN_ID}`;

const unexpected = () =>
  new BridgeError(
    'unexpected',
    t('bridge.error.unexpected', 'The response does not match this version of the plugin.')
  );

type Input<S extends Spec> = RequestInput<S> & { signal?: AbortSignal | undefined };

/**
 * Calls an operation of the bridge.
 * @throws {BridgeError} for every failure; an abort is rethrown unchanged
 */
export async function call<S extends Spec>(operation: Operation<S>, input: Input<S>): Promise<ReplyOf<S>> {
  const { data } = await send(requestOf(operation, input), input.signal);
  return checkedReply(operation, data);
}

/**
 * Requests one page of a list.
 * @returns the page, and the cursor of the next one; undefined on the last
 * @throws {BridgeError} as {@link call}
 */
export async function callPage<S extends Spec>(
  operation: Operation<S>,
  input: Input<S>
): Promise<{ page: ReplyOf<S>; next: string | undefined }> {
  const { data, headers } = await send(requestOf(operation, input), input.signal);
  const link = /<[^>]*\?([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return { page: checkedReply(operation, data), next: new URLSearchParams(link).get('cursor') ?? undefined };
}

/**
 * Requests plain text.
 * @throws {BridgeError} as {@link call}
 */
export async function callText<S extends Spec>(operation: Operation<S>, input: Input<S>): Promise<string> {
  return checked((await send(requestOf(operation, input), input.signal, 'text')).data, z.string());
}

type ResponseType = 'text' | 'blob' | undefined;

/** @throws what Grafana's client throws */
const fetchFrom = ({ method, path, body }: ClientRequest, abortSignal?: AbortSignal, responseType?: ResponseType) =>
  lastValueFrom(
    getBackendSrv().fetch<unknown>({
      ...{ url: `${BRIDGE_BASE}${path}`, method, data: body, abortSignal, responseType },
      showErrorAlert: false,
      showSuccessAlert: false,
    })
  );

async function send(request: ClientRequest, signal: AbortSignal | undefined, responseType?: ResponseType) {
  try {
    return await fetchFrom(request, signal, responseType);
  } catch (thrown) {
    throw signal?.aborted ? thrown : toBridgeError(thrown);
  }
}

const checkedReply = <S extends Spec>({ reply }: Operation<S>, data: unknown): ReplyOf<S> =>
  (reply.schema && checked(data, reply.schema)) as ReplyOf<S>;

function checked<T extends z.ZodType>(data: unknown, schema: T): z.output<T> {
  const parsed = schema.safeParse(data);
  if (!parsed.success) {
    throw unexpected();
  }
  return parsed.data;
}

/**
 * Requests a path that another release of the bridge, or another service, may serve.
 * @returns the response without validation
 * @throws what Grafana's client throws
 */
export const requestUnchecked = async (path: string, signal: AbortSignal): Promise<unknown> =>
  (await fetchFrom({ method: 'GET', path }, signal)).data;

/**
 * Loads an image that the bridge serves.
 * @returns a `data:` URL: Grafana forbids caching of what comes through its proxy, so that the browser would load an image anew for
 * each element, and its content security policy allows no `blob:` images
 * @throws {BridgeError} an abort is rethrown unchanged
 */
export async function loadImage(path: string, signal: AbortSignal): Promise<string> {
  return toDataUrl((await send({ method: 'GET', path }, signal, 'blob')).data as Blob);
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
 * The address of a resource of the bridge that the browser loads itself, such as a download. It names the organisation
 * that this tab shows, in the query, as Grafana reads it where there is no header (`targetOrgId`): the session may have gone to
 * another one in another tab.
 * @param path from the root of the bridge, with its query
 */
export function addressOf(path: string): string {
  const targetOrgId = `targetOrgId=${config.bootData.user.orgId}`;
  return `${config.appSubUrl}${BRIDGE_BASE}${path}${path.includes('?') ? '&' : '?'}${targetOrgId}`;
}

interface Upload {
  body: Blob;
  /** From 0 to 1: how much has been sent. */
  onProgress: (share: number) => void;
}

/**
 * Uploads a file. Grafana's own client does not report progress.
 * @throws {BridgeError}
 */
export function upload<S extends Spec>(
  operation: Operation<S>,
  input: RequestInput<S>,
  { body, onProgress }: Upload
): Promise<ReplyOf<S>> {
  const sent = new Promise<string>((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('POST', addressOf(requestOf(operation, input).path));
    xhr.setRequestHeader('Content-Type', operation.body?.mediaType ?? '');
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    xhr.upload.onerror = () =>
      reject(new BridgeError('unreachable', t('bridge.error.upload', 'The upload was interrupted.')));
    // Called after `upload.onerror` too, when the promise is already rejected.
    xhr.onerror = () => reject(toBridgeError({ status: 0 }));
    xhr.onload = () => {
      if (xhr.status >= 400) {
        reject(toBridgeError({ status: xhr.status, data: xhr.responseText, statusText: xhr.statusText }));
        return;
      }
      resolve(xhr.responseText);
    };
    xhr.send(body);
  });
  return sent.then((text) => checkedReply(operation, readJson(text)));
}
