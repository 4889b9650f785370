import type { BackendSrvRequest } from '@grafana/runtime';
import type { PackagePreview } from '@nodebell/contract/package.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { createQueryClient } from '../../api/queryClient';
import { delayed, serveBridge } from '../../component.testing';
import { aDetail, aSummary } from '../packages.testing';
import { useWizard } from './useWizard';

const PREVIEW: PackagePreview = {
  ...{ acceptable: true, findings: [], summary: aSummary(), change: { kind: 'install', to: '0.1.51' } },
  ...{ warnings: [], notifications: [], endpoints: [] },
};

function setup() {
  const validated = delayed(PREVIEW);
  const registered = vi.fn();
  serveBridge((path, { data }: BackendSrvRequest) => {
    if (path === '/packages/preview') {
      return validated.promise;
    }
    registered(data);
    return aDetail();
  });
  const client = createQueryClient();
  const { result } = renderHook(() => useWizard(undefined), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  });
  act(() => result.current.setFile('manifest', 'validated'));
  act(() => result.current.next());
  return { validated, registered, wizard: () => result.current };
}
type Setup = ReturnType<typeof setup>;

const typeLater = ({ wizard }: Setup) => act(() => wizard().setFile('manifest', 'typed later'));

async function register({ wizard, registered }: Setup) {
  act(() => wizard().next());
  expect(wizard().step).toBe('register');
  act(() => wizard().next());
  await waitFor(() => expect(registered).toHaveBeenCalled());
  return registered.mock.lastCall?.[0] as unknown;
}

it('what is typed during the validation is not registered, and not lost', async () => {
  const one = setup();
  typeLater(one);
  await one.validated.release();
  await waitFor(() => expect(one.wizard().step).toBe('findings'));
  expect(one.wizard().draft.files).toEqual({ manifest: 'validated' });
  expect(await register(one)).toEqual({ manifest: 'validated' });
  act(() => one.wizard().back());
  act(() => one.wizard().back());
  expect(one.wizard().draft.files).toEqual({ manifest: 'typed later' });
});

it('a file that arrives after the validation is not registered', async () => {
  const one = setup();
  await one.validated.release();
  await waitFor(() => expect(one.wizard().step).toBe('findings'));
  typeLater(one);
  expect(await register(one)).toEqual({ manifest: 'validated' });
});
