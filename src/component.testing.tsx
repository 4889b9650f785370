/** Renders components in jsdom, in English. */
import type { CurrentUserDTO } from '@grafana/data';
import { config, setCurrentUser } from '@grafana/runtime';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render as renderBare } from '@testing-library/react';
import type { ReactElement } from 'react';

export { fireEvent, screen, within } from '@testing-library/react';

const user = {} as CurrentUserDTO;
Object.assign(config.bootData, { user });
// Grafana sets it once, when it starts.
setCurrentUser(user);

/** Sets the permissions of the current user; see `may`. */
export function signIn(permissions: string[], { signedIn = true } = {}): void {
  const granted = Object.fromEntries(permissions.map((name) => [name, true]));
  Object.assign(user, { isSignedIn: signedIn, permissions: granted });
}

export function render(element: ReactElement) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return renderBare(element, {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
}
