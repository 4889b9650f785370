import type { ChainNode } from '@nodebell/contract/chain.ts';
import { MemoryRouter } from 'react-router-dom';
import { waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { EventsProvider } from '../../api/EventsProvider';
import { fireEvent, httpError, openStream, render, screen, serveBridge } from '../../component.testing';
import { aNode } from '../chains.testing';
import ChainsPage from './ChainsPage';

const NOW = '2026-09-02T12:00:08.000Z';
const SEPOLIA = aNode({
  ...{ dnpName: 'sepolia-geth.dnp.dappnode.eth', name: 'sepolia-geth', title: 'Ethereum Sepolia' },
  ...{ state: 'syncing', current: 7_794_310, target: 12_332_770, ratio: 0.632 },
});

let stream: ReturnType<typeof openStream>;
const bridge = vi.fn<() => unknown>();

beforeEach(() => {
  stream = openStream();
  serve(aNode(), SEPOLIA);
  serveBridge(() => bridge());
});

function serve(...nodes: ChainNode[]) {
  bridge.mockReset().mockReturnValue({ now: NOW, nodes });
}
const fail = () =>
  bridge.mockImplementation(() => {
    throw httpError(502);
  });
const send = (...nodes: ChainNode[]) => stream.send({ id: 0, type: 'chain', data: { now: NOW, nodes, removed: [] } });

const renderPage = (path = '/') =>
  render(
    <MemoryRouter initialEntries={[path]}>
      <EventsProvider>
        <ChainsPage bridgeUrl="http://bridge:8080" />
      </EventsProvider>
    </MemoryRouter>
  );
const names = () => [...document.querySelectorAll('[data-node]')].map((node) => node.getAttribute('data-node'));
const GETH = 'geth.dnp.dappnode.eth';

it('announces changes of state, and no other changes', async () => {
  renderPage();
  await screen.findByText('26,458,112');
  const log = screen.getByRole('log');
  send({ ...SEPOLIA, current: 7_795_310, checkedAt: '2026-09-02T12:00:05.000Z' });
  expect(await screen.findByText('7,795,310 / 12,332,770')).toBeDefined();
  expect(log.textContent).toBe('');
  send({ ...SEPOLIA, state: 'synced', ratio: 1, checkedAt: '2026-09-02T12:00:06.000Z' });
  expect(log.textContent).toBe('Ethereum Sepolia, sepolia-geth: Synced');
});

it('while the bridge is down the rows stay, with the age of their data', async () => {
  renderPage();
  await screen.findByText('26,458,112');
  fail();
  stream.send({ id: 0, type: 'reset', data: {} });
  const alert = await screen.findByRole('status', { name: 'The Nodebell bridge is not responding' });
  expect(alert.textContent).toMatch(/Showing data loaded at .+\. Retrying in \d+ s\./);
  expect(screen.getByText('26,458,112')).toBeDefined();
  serve(aNode(), SEPOLIA);
  fireEvent.click(screen.getByRole('button', { name: 'Retry now' }));
  await waitFor(() => expect(screen.queryByText(/bridge is not responding/)).toBeNull());
});

it('loading, then an error without rows', async () => {
  fail();
  renderPage();
  expect(screen.getByRole('status', { name: 'Loading nodes' })).toBeDefined();
  const alert = await screen.findByRole('status', { name: 'The Nodebell bridge is not responding' });
  expect(alert.textContent).not.toContain('Showing data');
  expect(screen.queryByRole('status', { name: 'Loading nodes' })).toBeNull();
  expect(names()).toEqual([]);
});

it('without nodes it explains how to add one', async () => {
  serve();
  renderPage();
  expect(await screen.findByText('No nodes are monitored yet')).toBeDefined();
  const link = screen.getByRole('link', { name: 'Packages' });
  expect(link.getAttribute('href')).toBe('/a/nodebell-notifications-app/packages');
  expect(screen.queryByRole('search')).toBeNull();
});

it('a tab and a search from the URL filter the nodes, worst first', async () => {
  serve(aNode(), SEPOLIA, aNode({ dnpName: 'monero.dnp.dappnode.eth', title: 'Monero', state: 'unreachable' }));
  const { unmount } = renderPage();
  await screen.findByText('3 nodes');
  expect(names()).toEqual(['monero.dnp.dappnode.eth', SEPOLIA.dnpName, GETH]);
  unmount();
  renderPage('/?tab=attention');
  expect(await screen.findByText('1 of 3 nodes')).toBeDefined();
  expect(names()).toEqual(['monero.dnp.dappnode.eth']);
});

it('filters without a match can be cleared', async () => {
  renderPage('/?q=nothing');
  expect(await screen.findByText('No nodes found')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(names()).toEqual([SEPOLIA.dnpName, GETH]);
});
