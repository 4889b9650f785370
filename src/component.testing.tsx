/** Renders components in jsdom, in English. */
import {
  type CurrentUserDTO,
  type DataSourceInstanceSettings,
  PluginContextProvider,
  type PluginMeta,
} from '@grafana/data';
import {
  type BackendSrv,
  type BackendSrvRequest,
  config,
  type DataSourceSrv,
  DataSourceWithBackend,
  type getAppEvents,
  setAppEvents,
  setBackendSrv,
  setCurrentUser,
  setDataSourceSrv,
  setPluginComponentsHook,
  setPluginLinksHook,
} from '@grafana/runtime';
import { focusManager, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render as renderBare, screen } from '@testing-library/react';
import type { BridgeEvent } from '@nodebell/contract/event.ts';
import type { ReactElement } from 'react';
import { from, of, throwError } from 'rxjs';
import { vi } from 'vitest';
import { createQueryClient } from './api/queryClient';
import type { StreamHandlers } from './api/stream';
import * as joining from './api/joinEvents';
import { PLUGIN_ID } from './routes';

export { within } from '@testing-library/react';
export { fireEvent, screen };

const user = {} as CurrentUserDTO;
Object.assign(config.bootData, { user });
// Grafana sets it once, when it starts.
setCurrentUser(user);
// Errors of changes are shown as toasts.
setAppEvents({ publish: () => undefined } as unknown as ReturnType<typeof getAppEvents>);
// No other app adds anything.
setPluginLinksHook(() => ({ isLoading: false, links: [] }));
setPluginComponentsHook(() => ({ isLoading: false, components: [] }));

/** Sets the permissions of the current user; see `may`. */
export function signIn(permissions: string[], { signedIn = true } = {}): void {
  const granted = Object.fromEntries(permissions.map((name) => [name, true]));
  Object.assign(user, { isSignedIn: signedIn, permissions: granted });
}

export function render(element: ReactElement) {
  const client = createQueryClient();
  return renderBare(element, {
    wrapper: ({ children }) => (
      <PluginContextProvider meta={{ id: PLUGIN_ID } as PluginMeta}>
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </PluginContextProvider>
    ),
  });
}

const PROXY = '/api/plugin-proxy/nodebell-notifications-app/api/v1';

/** Serves the requests of Grafana's client. `respond` gets the path below `/api/v1`; what it throws is the error of the request; a promise is a request that takes time. */
export function serveBridge(respond: (path: string, request: BackendSrvRequest) => unknown): void {
  const replyOf = (data: unknown) => ({ data, status: 200, headers: new Headers() });
  const fetch = (request: BackendSrvRequest) => {
    try {
      const data = respond(request.url.replace(PROXY, ''), request);
      return data instanceof Promise ? from(data.then(replyOf)) : of(replyOf(data));
    } catch (error) {
      return throwError(() => error);
    }
  };
  setBackendSrv({ fetch } as unknown as BackendSrv);
}

/** Data sources whose queries become requests of Grafana's client, by the code of @grafana/runtime. Every data source exists. */
export function serveQueries(): void {
  const settingsOf = ({ uid }: { uid: string }) => ({ id: 1, uid, type: uid, name: uid, jsonData: {}, meta: {} });
  setDataSourceSrv({
    get: (ref: { uid: string }) =>
      Promise.resolve(new DataSourceWithBackend(settingsOf(ref) as unknown as DataSourceInstanceSettings)),
    getInstanceSettings: settingsOf,
    getList: () => [],
  } as unknown as DataSourceSrv);
}

/** The tab was hidden, and is shown again. */
export const returnToTab = () =>
  act(() => {
    focusManager.setFocused(false);
    focusManager.setFocused(true);
  });

/** A response that waits. */
export function delayed<T>(response: T) {
  let release = (): void => undefined;
  const promise = new Promise<T>((resolve) => (release = () => resolve(response)));
  return { promise, release: () => act(async () => (release(), await promise)) };
}

/** An HTTP error without a problem document, as Grafana's proxy returns it: 502 while the bridge is down. */
export const httpError = (status: number, message?: string) =>
  Object.assign(new Error(`HTTP ${status}`), { status, data: message && { message } });

/** Replaces the event stream by one that is open, until the end of the test. */
export function openStream(): { send: (event: BridgeEvent) => void } {
  const listeners = new Set<StreamHandlers>();
  vi.spyOn(joining, 'joinEvents').mockReturnValue({
    subscribe: (handlers) => {
      listeners.add(handlers);
      handlers.onStatus('open');
      return () => listeners.delete(handlers);
    },
    close: () => listeners.clear(),
  });
  return { send: (event) => act(() => listeners.forEach(({ onEvent }) => onEvent(event))) };
}

/** Gives elements a size, without which menus show no options; until mocks are restored. */
export const showMenus = () => {
  for (const side of ['clientWidth', 'clientHeight'] as const) {
    vi.spyOn(Element.prototype, side, 'get').mockReturnValue(200);
  }
};

/** Chooses an option of a combobox by the label of the field. */
export async function choose(label: RegExp, option: string): Promise<void> {
  const input = screen.getByLabelText(label);
  fireEvent.click(input);
  fireEvent.change(input, { target: { value: option } });
  fireEvent.click(await screen.findByRole('option', { name: option }));
}
