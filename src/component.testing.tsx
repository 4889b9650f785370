/** Renders components in jsdom, in English, as a signed-in admin. */
import { config } from '@grafana/runtime';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render as renderBare } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach } from 'vitest';

export { fireEvent, screen, within } from '@testing-library/react';

afterEach(cleanup);

/** Sets the signed-in user and the permissions that Grafana grants; see `may`. */
export function signIn(permissions: string[], { signedIn = true } = {}): void {
  const granted = Object.fromEntries(permissions.map((name) => [name, true]));
  Object.assign(config.bootData, { user: { ...config.bootData.user, isSignedIn: signedIn, permissions: granted } });
}

export function render(element: ReactElement) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return renderBare(element, {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
}
