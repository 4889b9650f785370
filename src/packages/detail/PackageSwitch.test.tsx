import type { BackendSrvRequest } from '@grafana/runtime';
import { waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, httpError, render, screen, serveBridge, signIn } from '../../component.testing';
import { aPackage, aSwitch } from '../../thresholds/thresholds.testing';
import { PackageSwitch } from './PackageSwitch';

const DMS = 'dms.dnp.dappnode.eth';
const WRITE = 'nodebell-notifications-app.thresholds:write';
const found = () => screen.findByRole<HTMLInputElement>('switch', { name: `Notifications from ${DMS}` });

/** The bridge: its response to a request, and what it was sent. */
const bridge = vi.fn((_: BackendSrvRequest): unknown => undefined);

beforeEach(() => {
  signIn([WRITE]);
  bridge.mockReset().mockImplementation(({ data }) => {
    const change = data as { enabled: boolean } | undefined;
    return aPackage({ endpoints: [], ...(change && { enabled: aSwitch({ value: change.enabled, origin: 'user' }) }) });
  });
  serveBridge((_, request) => bridge(request));
});

it('mutes and unmutes a package without endpoints', async () => {
  render(<PackageSwitch dnpName={DMS} />);
  for (const enabled of [false, true]) {
    fireEvent.click(await found());
    await waitFor(() => expect(bridge.mock.lastCall?.[0]).toMatchObject({ method: 'PATCH', data: { enabled } }));
    await waitFor(async () => expect((await found()).checked).toBe(enabled));
  }
});

it('a provisioned switch is disabled and names its file', async () => {
  const enabled = aSwitch({ origin: 'provisioned', file: 'settings.yaml' });
  bridge.mockReturnValue(aPackage({ enabled }));
  render(<PackageSwitch dnpName={DMS} />);
  expect((await found()).disabled).toBe(true);
  expect(screen.getByText(/settings\.yaml/)).toBeTruthy();
});

it('a Viewer sees the state as text', async () => {
  signIn([]);
  render(<PackageSwitch dnpName={DMS} />);
  expect(await screen.findByText('On')).toBeTruthy();
  expect(screen.queryByRole('switch')).toBeNull();
});

it('says why it cannot be loaded', async () => {
  bridge.mockImplementation(() => {
    throw httpError(502);
  });
  render(<PackageSwitch dnpName={DMS} />);
  expect((await screen.findByRole('alert')).textContent).toContain('The bridge is not responding.');
});
