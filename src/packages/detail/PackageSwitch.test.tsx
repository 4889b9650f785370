import { beforeEach, expect, it, vi } from 'vitest';

const api = vi.hoisted(() => ({ getEndpoints: vi.fn(), setPackageSwitch: vi.fn() }));
vi.mock('../../api/thresholds', () => api);

import { fireEvent, render, screen, signIn } from '../../component.testing';
import { aPackage, aSwitch } from '../../thresholds/testData';
import { PackageSwitch } from './PackageSwitch';

const DMS = 'dms.dnp.dappnode.eth';
const WRITE = 'nodebell-notifications-app.thresholds:write';
const found = () => screen.findByRole<HTMLInputElement>('switch', { name: `Notifications from ${DMS}` });

beforeEach(() => {
  signIn([WRITE]);
  api.getEndpoints.mockReset().mockResolvedValue(aPackage({ endpoints: [] }));
  api.setPackageSwitch
    .mockReset()
    .mockImplementation((_name: string, { enabled }: { enabled: boolean }) =>
      Promise.resolve(aPackage({ endpoints: [], enabled: aSwitch({ value: enabled, origin: 'user' }) }))
    );
});

it('mutes and unmutes a package without endpoints', async () => {
  render(<PackageSwitch dnpName={DMS} />);
  for (const enabled of [false, true]) {
    fireEvent.click(await found());
    await vi.waitFor(() => expect(api.setPackageSwitch).toHaveBeenLastCalledWith(DMS, { enabled }));
    await vi.waitFor(async () => expect((await found()).checked).toBe(enabled));
  }
});

it('a provisioned switch is disabled and names its file', async () => {
  const enabled = aSwitch({ origin: 'provisioned', file: 'settings.yaml' });
  api.getEndpoints.mockResolvedValue(aPackage({ enabled }));
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
  api.getEndpoints.mockRejectedValue(new Error('The bridge is not responding.'));
  render(<PackageSwitch dnpName={DMS} />);
  expect((await screen.findByRole('alert')).textContent).toContain('The bridge is not responding.');
});
