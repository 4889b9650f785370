import type { ChainNode } from '@nodebell/contract/chain.ts';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveChains, useNode } from '../../chains/LiveChains';
import { aNode } from '../../chains/chains.testing';
import { fireEvent, render, screen, serveBridge, within } from '../../component.testing';
import { aSummary } from '../packages.testing';
import { PackageCard } from './PackageCard';

const NOW = '2026-09-02T12:00:08.000Z';
const GETH = 'geth.dnp.dappnode.eth';

const serve = (...nodes: ChainNode[]) => serveBridge(() => ({ now: NOW, nodes }));
beforeEach(() => serve());

/** Shows when the node is loaded. */
const Loaded = () => <p>Loaded: {useNode(GETH)?.state}</p>;

function renderCard(change: Partial<PackageSummary> = {}, onRemove?: (one: PackageSummary) => void) {
  const summary = aSummary(change);
  render(
    <LiveChains>
      <PackageCard summary={summary} onRemove={onRemove} />
      <Loaded />
    </LiveChains>
  );
  return summary;
}
const text = () => screen.getByRole('listitem').textContent;

async function openMenu(name: RegExp | string) {
  fireEvent.click(screen.getByRole('button', { name }));
  const menu = await screen.findByRole('menu');
  return {
    menu,
    labels: within(menu)
      .getAllByRole('menuitem')
      .map(({ textContent }) => textContent),
  };
}

it('shows name, versions, description, categories and keywords, and links to the page', () => {
  renderCard();
  expect(screen.getByRole('heading', { name: GETH })).toBeDefined();
  expect(text()).toContain('0.1.51, upstream v1.17.4');
  expect(text()).toContain('The Go implementation of the Ethereum protocol');
  expect(text()).toContain('Blockchain');
  expect(text()).toContain('client');
  const href = `/a/nodebell-notifications-app/packages/${GETH}`;
  expect(screen.getByRole('link', { name: GETH }).getAttribute('href')).toBe(href);
});

describe('state', () => {
  it.each([
    [{ error: 2, warning: 1, note: 3 }, ['2 errors', '1 warning']],
    [{ error: 0, warning: 1, note: 0 }, ['1 warning']],
    [{ error: 0, warning: 0, note: 4 }, ['No errors or warnings']],
  ])('findings %j', (findings, shown) => {
    renderCard({ findings });
    const all = ['2 errors', '1 warning', '3 notes', '4 notes', 'No errors or warnings'];
    expect(all.filter((label) => screen.queryByText(label))).toEqual(shown);
  });

  it.each([
    [0, null],
    [1, '1 dependency missing'],
    [2, '2 dependencies missing'],
  ])('%i missing dependencies', (missingDependencies, label) => {
    renderCard({ missingDependencies });
    expect(screen.queryByText(/missing$/)?.textContent ?? null).toBe(label);
  });

  it.each([
    ['file', true],
    ['api', false],
  ] as const)('registered by %s', (kind, provisioned) => {
    renderCard({ origin: { kind } });
    expect(screen.queryByText('Provisioned') !== null).toBe(provisioned);
  });
});

describe('sync progress of its node', () => {
  it('syncing: state, block and bar, with categories and keywords', async () => {
    serve(aNode({ state: 'syncing', current: 7_794_310, target: 12_332_770, ratio: 0.631 }));
    renderCard();
    expect(await screen.findByText('Syncing')).toBeDefined();
    expect(text()).toContain('7,794,310');
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('63.1');
    expect(text()).toContain('client');
    expect(text()).toContain('Blockchain');
  });

  it.each(['unreachable', 'error', 'stopped'] as const)('%s: neither bar nor block', async (state) => {
    serve(aNode({ state, ratio: 0.631 }));
    renderCard();
    expect(await screen.findByText(/ for \d+/)).toBeDefined();
    expect(screen.queryByRole('progressbar')).toBeNull();
    expect(text()).not.toContain('26,458,112');
  });

  it.each(['unsupported', 'unconfigured'] as const)('%s: the keywords', async (state) => {
    serve(aNode({ state }));
    renderCard();
    await screen.findByText(`Loaded: ${state}`);
    expect(screen.getByText('client')).toBeDefined();
    expect(text()).not.toMatch(/Not supported|No address/);
  });
});

describe('links', () => {
  it('opens links of other sites in a new tab, without opener and referrer', () => {
    renderCard({ links: [{ key: 'homepage', kind: 'homepage', url: 'https://geth.example.org' }] });
    const link = screen.getByRole('link', { name: 'Homepage' });
    expect(link.getAttribute('href')).toBe('https://geth.example.org');
    expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer']);
  });

  it('links that do not fit are in a menu', async () => {
    const links = ['first', 'second', 'third', 'fourth'].map((key) => ({
      ...{ key, kind: 'other' as const, url: `https://geth.example.org/${key}` },
    }));
    renderCard({ links });
    expect(screen.queryByText('fourth')).toBeNull();
    expect((await openMenu('1 more')).labels).toEqual(['fourth']);
  });

  it.each(['ws:', 'wss:', 'ssh:'])('a %s URL is left to the page of the package', (scheme) => {
    renderCard({ links: [{ key: 'own', kind: 'other', url: `${scheme}//geth.dappnode`, copyOnly: true }] });
    expect(screen.getByText('No links')).toBeDefined();
    expect(screen.queryByText('own')).toBeNull();
  });
});

describe('actions', () => {
  it('update and remove', async () => {
    const onRemove = vi.fn();
    const summary = renderCard({}, onRemove);
    const { menu, labels } = await openMenu(`Actions for ${GETH}`);
    expect(labels).toEqual(['View package', 'View notifications', 'Update…', 'Remove…']);
    const update = `/a/nodebell-notifications-app/packages/${GETH}/update`;
    expect(within(menu).getByRole('menuitem', { name: 'Update…' }).getAttribute('href')).toBe(update);
    fireEvent.click(within(menu).getByRole('menuitem', { name: 'Remove…' }));
    expect(onRemove).toHaveBeenCalledExactlyOnceWith(summary);
  });

  it.each([
    ['without permission', {}, undefined],
    ['of a provisioned package', { origin: { kind: 'file' } }, vi.fn()],
  ] as const)('%s there is neither update nor remove', async (_, change, onRemove) => {
    renderCard(change, onRemove);
    expect((await openMenu(`Actions for ${GETH}`)).labels).toEqual(['View package', 'View notifications']);
  });
});
