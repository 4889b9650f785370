import { type BackendSrvRequest, config } from '@grafana/runtime';
import type { Finding } from '@nodebell/contract/finding.ts';
import type { Dependency, PackagePreview } from '@nodebell/contract/package.ts';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fireEvent, httpError, render, screen, serveBridge, signIn, within } from '../../component.testing';
import { anEndpoint } from '../../thresholds/thresholds.testing';
import { aDetail, aSummary } from '../packages.testing';
import WizardPage from './WizardPage';

const GETH = 'geth.dnp.dappnode.eth';
const PREVIEW = '/packages/preview';

const aFinding = (verdict: Finding['verdict']): Finding => ({
  ...{
    rule: 'r',
    verdict,
    title: `Title of the ${verdict}`,
    detail: 'Its detail.',
    file: 'manifest',
    pointer: '/version',
  },
  ...{ line: 1, column: 1, endLine: 1, endColumn: 2 },
});

const aPreview = (change: Partial<PackagePreview> = {}): PackagePreview => ({
  ...{ acceptable: true, findings: [], summary: aSummary(), change: { kind: 'install', to: '0.1.51' } },
  ...{ warnings: [], notifications: [], endpoints: [] },
  ...change,
});

const aDependency = (change: Partial<Dependency>): Dependency => ({
  ...{ name: 'dms.dnp.dappnode.eth', range: '^0.2.0', kind: 'range', optional: false, state: 'missing' },
  ...change,
});

/** The bridge: its response to a path, and the requests. */
const bridge = vi.fn((_path: string, _request: BackendSrvRequest): unknown => undefined);
const preview = (change: Partial<PackagePreview> = {}) => bridge.mockReturnValue(aPreview(change));
/** The body of the last request. */
const sent = () => bridge.mock.lastCall?.[1];

beforeEach(() => {
  signIn(['nodebell-notifications-app.packages:write']);
  config.bootData.user.login = 'admin';
  bridge.mockReset();
  serveBridge(bridge);
  preview();
});

function renderWizard(path = '/packages/add') {
  render(
    <MemoryRouter initialEntries={[path]}>
      <Routes>
        <Route path="/packages/add" element={<WizardPage />} />
        <Route path="/packages/:dnpName/update" element={<WizardPage />} />
      </Routes>
    </MemoryRouter>
  );
}

const manifest = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Manifest/ });
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const reason = () => document.getElementById('wizard-reason')?.textContent;
const heading = (name: string) => screen.findByRole('heading', { name });

/** Adds a manifest and has it validated. */
async function validate() {
  fireEvent.change(manifest(), { target: { value: '{}' } });
  fireEvent.click(button('Validate'));
  await heading('Review the findings');
}

/** Validates a manifest and continues to the step after the findings. */
async function continueTo(name: string) {
  await validate();
  fireEvent.click(button('Continue'));
  await heading(name);
}

it('without permission there is no form', () => {
  signIn([]);
  renderWizard();
  expect(screen.getByText('Only editors and admins can add packages')).toBeDefined();
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('a manifest is required', () => {
  renderWizard();
  expect([reason(), button('Validate').disabled]).toEqual(['Add a manifest to continue', true]);
  fireEvent.change(manifest(), { target: { value: '  ' } });
  expect(button('Validate').disabled).toBe(true);
  fireEvent.change(manifest(), { target: { value: '{}' } });
  expect([reason(), button('Validate').disabled]).toEqual(['', false]);
});

it.each([
  [['nodebell-notifications-app.packages:write', 'nodebell-notifications-app.bridge:admin'], true],
  [['nodebell-notifications-app.packages:write'], false],
])('only admins can fetch a manifest from a URL: %j', (permissions, offered) => {
  signIn(permissions);
  renderWizard();
  expect(screen.queryByRole('textbox', { name: /fetch from a URL/ }) !== null).toBe(offered);
});

describe('findings', () => {
  it('errors block the wizard until they are fixed', async () => {
    preview({ acceptable: false, findings: [aFinding('error'), aFinding('warning')] });
    renderWizard();
    await validate();
    expect([reason(), button('Continue').disabled]).toEqual(['Fix 1 error to continue', true]);
    expect(screen.getByText('Title of the error')).toBeDefined();
    fireEvent.click(button('Edit'));
    const source = screen.getByRole('textbox', { name: 'Source of dappnode_package.json' });
    fireEvent.change(source, { target: { value: '{ "fixed": true }' } });
    preview({ findings: [aFinding('warning')] });
    fireEvent.click(button('Validate again'));
    await waitFor(() => expect([reason(), button('Continue').disabled]).toEqual(['', false]));
    expect(sent()?.data).toEqual({ manifest: '{ "fixed": true }' });
  });

  it('a manifest that cannot be read blocks the wizard', async () => {
    preview({ acceptable: false, summary: undefined, change: undefined });
    renderWizard();
    await validate();
    expect([reason(), button('Continue').disabled]).toEqual(['Could not read the manifest', true]);
  });

  it('an update must be of the same package', async () => {
    preview({ summary: aSummary({ dnpName: 'other.dnp.dappnode.eth' }) });
    renderWizard(`/packages/${GETH}/update`);
    await validate();
    expect(reason()).toBe(`Wrong package: the manifest is for other.dnp.dappnode.eth, but ${GETH} is being updated`);
    expect(button('Continue').disabled).toBe(true);
  });
});

it('shows the warnings of the author', async () => {
  preview({ warnings: [{ kind: 'onInstall', message: 'It needs **1 TB**.' }] });
  renderWizard();
  await continueTo('Review the warnings');
  const warning = screen.getByRole('note', { name: 'Before installation' });
  await waitFor(() => expect(warning.textContent).toContain('It needs 1 TB.'));
});

describe('disclaimer', () => {
  const disclaimer = { message: 'This software is *experimental*.', approved: false };

  it('must be accepted, and the acceptance is sent', async () => {
    preview({ disclaimer });
    renderWizard();
    await continueTo('Accept the disclaimer');
    const text = screen.getByRole('region', { name: 'Disclaimer' });
    await waitFor(() => expect(text.textContent?.trim()).toBe('This software is experimental.'));
    expect([reason(), button('Accept and continue').disabled]).toEqual(['Accept the disclaimer to continue', true]);
    expect(screen.getByText(/^Accepted by admin, /)).toBeDefined();
    fireEvent.click(screen.getByRole('checkbox'));
    expect([reason(), button('Accept and continue').disabled]).toEqual(['', false]);
    fireEvent.click(button('Accept and continue'));
    await heading('Register the package');
    fireEvent.click(button('Register'));
    await waitFor(() => expect(sent()?.data).toEqual({ manifest: '{}', disclaimerAccepted: true }));
    expect(sent()?.method).toBe('POST');
  });

  it('accepted before: no checkbox, and nothing is sent', async () => {
    preview({ disclaimer: { ...disclaimer, approved: true } });
    renderWizard();
    await continueTo('Accept the disclaimer');
    expect(screen.queryByRole('checkbox')).toBeNull();
    fireEvent.click(button('Accept and continue'));
    await heading('Register the package');
    fireEvent.click(button('Register'));
    await waitFor(() => expect(sent()?.data).toEqual({ manifest: '{}' }));
  });

  it('validating other files withdraws the acceptance', async () => {
    preview({ disclaimer });
    renderWizard();
    await continueTo('Accept the disclaimer');
    fireEvent.click(screen.getByRole('checkbox'));
    fireEvent.click(button('Back'));
    fireEvent.click(button('Back'));
    await continueTo('Accept the disclaimer');
    expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(false);
    expect(button('Accept and continue').disabled).toBe(true);
  });
});

it('settings of notifications are sent with the registration only', async () => {
  preview({ endpoints: [anEndpoint()] });
  renderWizard();
  await continueTo('Configure notifications');
  expect(within(screen.getByRole('list', { name: 'Endpoints' })).getByText('CPU usage')).toBeDefined();
  fireEvent.click(screen.getByRole('switch', { name: 'Notify' }));
  expect(bridge.mock.calls.map(([path]) => path)).toEqual([PREVIEW]);
  fireEvent.click(button('Continue'));
  await heading('Register the package');
  fireEvent.click(button('Register'));
  await waitFor(() => expect(sent()?.data).toEqual({ manifest: '{}', settings: { enabled: false } }));
});

describe('registration', () => {
  it.each([
    [{ kind: 'downgrade', from: '0.2.0', to: '0.1.51' }, 'Downgrade from 0.2.0 to 0.1.51.'],
    [{ kind: 'changed', to: '0.1.51' }, 'Version 0.1.51 is already registered with different content.'],
  ] as const)('%j must be confirmed', async (change, text) => {
    preview({ change });
    renderWizard(`/packages/${GETH}/update`);
    await continueTo('Register the package');
    expect(screen.getByText(text, { exact: false })).toBeDefined();
    expect([reason(), button('Register').disabled]).toEqual(['Confirm to continue', true]);
    fireEvent.click(screen.getByRole('checkbox'));
    expect([reason(), button('Register').disabled]).toEqual(['', false]);
    fireEvent.click(button('Register'));
    await waitFor(() => expect(sent()).toMatchObject({ method: 'PUT', data: { allowDowngrade: true } }));
  });

  it.each([
    [{ kind: 'install', to: '0.1.51' }, 'New package, version 0.1.51.'],
    [{ kind: 'update', level: 'major', from: '0.1.0', to: '1.0.0' }, 'Major update from 0.1.0 to 1.0.0.'],
  ] as const)('%j needs no confirmation', async (change, text) => {
    preview({ change });
    renderWizard();
    await continueTo('Register the package');
    expect(screen.getByText(text, { exact: false })).toBeDefined();
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect([reason(), button('Register').disabled]).toEqual(['', false]);
  });

  it('the same content cannot be registered again', async () => {
    preview({ change: { kind: 'same', to: '0.1.51' } });
    renderWizard();
    await continueTo('Register the package');
    expect([reason(), button('Register').disabled]).toEqual(['No changes to register', true]);
  });

  it('lists required packages that are missing or incompatible, and no others', async () => {
    const dependencies = [
      aDependency({ name: 'missing.dnp.dappnode.eth' }),
      aDependency({ name: 'old.dnp.dappnode.eth', state: 'unsatisfied', registered: '0.1.0' }),
      aDependency({ name: 'fine.dnp.dappnode.eth', state: 'satisfied', registered: '0.2.0' }),
      aDependency({ name: 'optional.dnp.dappnode.eth', optional: true }),
    ];
    preview({ facts: { ...aDetail().facts, dependencies } });
    renderWizard();
    await continueTo('Register the package');
    const required = screen.getAllByText(/^Requires/).map(({ parentElement }) => parentElement?.textContent);
    expect(required).toEqual([
      'Requires missing.dnp.dappnode.eth ^0.2.0Not registered',
      'Requires old.dnp.dappnode.eth ^0.2.00.1.0 is incompatible',
    ]);
  });

  it('shows why it failed, and can be repeated', async () => {
    renderWizard();
    await continueTo('Register the package');
    bridge.mockImplementation(() => {
      throw httpError(502);
    });
    fireEvent.click(button('Register'));
    const alert = await screen.findByRole('alert', { name: /Could not register the package/ });
    expect(alert.textContent).toContain('The bridge is not responding.');
    expect(button('Register').disabled).toBe(false);
  });
});
