import type { PackageDetail } from '@nodebell/contract/package.ts';
import { waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, render, screen, serveBridge, within } from '../../component.testing';
import { aDetail } from '../packages.testing';
import { Overview } from './Overview';

beforeEach(() => serveBridge(() => []));

function renderOverview(change: Partial<PackageDetail> = {}) {
  const onShowFindings = vi.fn();
  render(<Overview detail={aDetail(change)} onShowFindings={onShowFindings} />);
  return { onShowFindings };
}

it.each(['ws', 'wss', 'ssh'])('a %s: URL is text, with a button to copy it', async (scheme) => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal('isSecureContext', true);
  Object.assign(navigator, { clipboard: { writeText } });
  const url = `${scheme}://geth.dappnode:8546`;
  renderOverview({ links: [{ key: 'RPC', kind: 'other', url, copyOnly: true }] });
  const links = within(screen.getByRole('navigation', { name: 'Package links' }));
  expect(links.getByText(url).tagName).toBe('CODE');
  expect(links.queryByRole('link')).toBeNull();
  fireEvent.click(links.getByRole('button', { name: 'Copy URL of RPC' }));
  await waitFor(() => expect(writeText).toHaveBeenCalledExactlyOnceWith(url));
  vi.unstubAllGlobals();
});

it('an http: URL is a link, without a button to copy it', () => {
  renderOverview({ links: [{ key: 'ui', kind: 'ui', url: 'http://geth.dappnode' }] });
  const links = within(screen.getByRole('navigation', { name: 'Package links' }));
  expect(links.getByRole('link', { name: 'Open UI' }).getAttribute('href')).toBe('http://geth.dappnode');
  expect(links.queryByRole('button')).toBeNull();
});

it('a URL that runs a script is neither', () => {
  renderOverview({ links: [{ key: 'x', kind: 'other', url: 'javascript:alert(1)' }] });
  expect(screen.getByRole('navigation', { name: 'Package links' }).textContent).toBe('');
});

it('without links, warnings, dependencies and exposable services it shows a text for each', () => {
  renderOverview({ links: [] });
  expect(screen.queryByRole('navigation', { name: 'Package links' })).toBeNull();
  for (const text of ['No warnings.', 'No dependencies.', 'No exposable services.']) {
    expect(screen.getByText(text)).toBeDefined();
  }
});

it('lists dependencies with their states', () => {
  const { facts } = aDetail();
  const dependencies = [
    { name: 'missing.dnp.dappnode.eth', range: 'latest', kind: 'latest', optional: false, state: 'missing' },
    { name: 'extra.dnp.dappnode.eth', range: '*', kind: 'any', optional: true, state: 'missing' },
  ] satisfies typeof facts.dependencies;
  renderOverview({ facts: { ...facts, dependencies } });
  const region = within(screen.getByRole('region', { name: 'Dependencies' }));
  expect(region.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'missing.dnp.dappnode.ethlatestNot registered',
    'extra.dnp.dappnode.eth*Not registeredoptional',
  ]);
});

it('shows the warnings of the author', () => {
  const { facts } = aDetail();
  renderOverview({ facts: { ...facts, warnings: { onMajorUpdate: 'It migrates first.', onReset: 'Keys are lost.' } } });
  const titles = screen.getAllByRole('note').map((note) => note.textContent);
  expect(titles).toHaveLength(2);
  expect(titles[0]).toContain('Before a major update');
  expect(titles[1]).toContain('Before reset');
});

it('an unsupported chain has no sync progress', () => {
  renderOverview({ chain: { driver: 'handshake', supported: false } });
  const chain = screen.getByRole('region', { name: 'Chain' });
  expect(chain.textContent).toContain('Sync progress is not supported for this driver.');
  expect(screen.queryByRole('progressbar')).toBeNull();
});
