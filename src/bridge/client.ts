/** The only place that speaks to the bridge. Every reply is checked against the contract before anyone sees it. */
import { getBackendSrv } from '@grafana/runtime';
import { lastValueFrom } from 'rxjs';
import type { z } from 'zod';
import { PLUGIN_ID } from '../routes';
import { BridgeError, toBridgeError } from './errors';

/** Grafana's proxy adds the token and forwards to the bridge. Without the sub-path, which the backend service adds. */
export const BRIDGE_BASE = `/api/plugin-proxy/${PLUGIN_ID}/api/v1`;

interface Ask {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/**
 * Sends one request.
 * @param path below `/api/v1`, with its query
 * @param schema what the reply must be
 * @throws {BridgeError} always of this class, whatever went wrong; an abort is passed on as it is
 */
export async function ask<T extends z.ZodType>(
  path: string,
  schema: T,
  { method = 'GET', body, signal }: Ask = {}
): Promise<z.output<T>> {
  let data: unknown;
  try {
    const reply = await lastValueFrom(
      getBackendSrv().fetch<unknown>({
        url: `${BRIDGE_BASE}${path}`,
        method,
        data: body,
        showErrorAlert: false,
        showSuccessAlert: false,
        abortSignal: signal,
      })
    );
    data = reply.data;
  } catch (thrown) {
    if (signal?.aborted) {
      throw thrown;
    }
    throw toBridgeError(thrown);
  }
  const parsed = schema.safeParse(data);
  if (!parsed.success) {
    throw new BridgeError('unexpected', 'The answer is not what this version of the plugin expects.');
  }
  return parsed.data;
}
