import type { ChainNode } from '@nodebell/contract/chain.ts';
import { dateTime, type PanelProps, type TimeRange } from '@grafana/data';
import { config } from '@grafana/runtime';
import { waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aNode } from './chains/chains.testing';
import { fireEvent, httpError, openStream, render, screen, serveBridge, signIn } from './component.testing';
import { client } from './components/Panel';
import { aNotification } from './inbox/inbox.testing';
import { aSummary } from './packages/packages.testing';
import { anEndpoint, aPackage } from './thresholds/thresholds.testing';
import { ChainsPanel } from './panels/chainsync/ChainsPanel';
import { InboxPanel } from './panels/inbox/InboxPanel';
import { PackagesPanel } from './panels/packages/PackagesPanel';
import { ThresholdsPanel } from './panels/thresholds/ThresholdsPanel';

const GETH = 'geth.dnp.dappnode.eth';
const NOW = '2026-09-02T12:00:08.000Z';
const raw = { from: 'now-1h', to: 'now' };
const timeRange: TimeRange = { from: dateTime('2026-09-02T11:00:08.000Z'), to: dateTime(NOW), raw };

/** Props of Grafana that a panel uses. */
const propsOf = <T,>(options: object) =>
  ({
    ...{ options, timeRange, width: 600, fieldConfig: { defaults: {}, overrides: [] } },
    replaceVariables: (text: string) => text,
  }) as unknown as PanelProps<T>;

const PANELS: Array<{
  name: string;
  panel: ReactElement;
  none: unknown;
  one: unknown;
  /** Text of the panel with `one`. */
  shown: string;
  empty: string;
  failed: string;
}> = [
  {
    name: 'inbox',
    panel: <InboxPanel {...propsOf({})} />,
    ...{ none: [], one: [aNotification({ id: 1, title: 'Disk full' })], shown: 'Disk full' },
    ...{ empty: 'No notifications in this time range.', failed: 'Could not load the inbox' },
  },
  {
    name: 'thresholds',
    panel: <ThresholdsPanel {...propsOf({})} />,
    ...{ none: { packages: [], monitors: [] }, one: { packages: [aPackage()], monitors: [] }, shown: 'CPU usage' },
    ...{ empty: 'No thresholds to show.', failed: 'Could not load the thresholds' },
  },
  {
    name: 'chains',
    panel: <ChainsPanel {...propsOf({})} />,
    ...{ none: { now: NOW, nodes: [] }, one: { now: NOW, nodes: [aNode()] }, shown: 'Ethereum' },
    ...{ empty: 'No nodes are monitored.', failed: 'Could not load the nodes' },
  },
  {
    name: 'packages',
    panel: <PackagesPanel {...propsOf({})} />,
    ...{ none: [], one: [aSummary()], shown: 'geth' },
    ...{ empty: 'No packages registered.', failed: 'Could not load the packages' },
  },
];

const bridge = vi.fn((_path: string): unknown => undefined);
/** The inbox panel sends a request for open threads and one for the others. */
const serve = (data: unknown) =>
  bridge.mockReset().mockImplementation((path) => (path.includes('open=false') ? [] : data));
const fail = (status: number, message?: string) =>
  bridge.mockImplementation(() => {
    throw httpError(status, message);
  });

beforeEach(() => {
  bridge.mockReset();
  serveBridge(bridge);
  openStream();
  signIn([]);
});
afterEach(() => {
  client.clear();
  config.publicDashboardAccessToken = '';
});

describe.each(PANELS)('the $name panel', ({ panel, none, one, shown, empty, failed }) => {
  it('loading, then its content', async () => {
    serve(one);
    render(panel);
    expect(screen.getByText('Loading…')).toBeDefined();
    expect(await screen.findAllByText(shown)).not.toEqual([]);
    expect(screen.queryByText('Loading…')).toBeNull();
    expect(screen.queryByText(empty)).toBeNull();
  });

  it('empty', async () => {
    serve(none);
    render(panel);
    expect(await screen.findByText(empty)).toBeDefined();
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('while the bridge is down: an error, until a retry succeeds', async () => {
    fail(502);
    render(panel);
    const status = await screen.findByRole('status');
    expect(status.textContent).toContain(`${failed}: The bridge is not responding.`);
    expect(screen.queryByText(empty)).toBeNull();
    expect(screen.queryByText('Loading…')).toBeNull();
    serve(one);
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findAllByText(shown)).not.toEqual([]);
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('without permission', async () => {
    fail(403, 'plugin proxy route access denied');
    render(panel);
    const status = await screen.findByRole('status');
    expect(status.textContent).toContain(`${failed}: Your role does not allow this.`);
    expect(screen.queryByText(empty)).toBeNull();
  });

  it('on a public dashboard it sends no request', () => {
    config.publicDashboardAccessToken = 'public';
    render(panel);
    expect(screen.getByText('Sign in to Grafana to view this panel.')).toBeDefined();
    expect(bridge).not.toHaveBeenCalled();
  });
});

describe('the chains panel', () => {
  const SEPOLIA = aNode({
    ...{ dnpName: 'sepolia.dnp.dappnode.eth', title: 'Ethereum Sepolia', state: 'syncing' },
    ...{ current: 7_794_310, target: 12_332_770, behind: 4_538_460, ratio: 0.632 },
  });
  const renderNodes = (options: object, ...nodes: ChainNode[]) => {
    bridge.mockReturnValue({ now: NOW, nodes });
    render(<ChainsPanel {...propsOf(options)} />);
  };
  const rows = async () => (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);

  it.each(['list', 'tiles'])('%s: the worst first', async (layout) => {
    renderNodes({ layout }, aNode(), SEPOLIA);
    expect(await rows()).toEqual([expect.stringContaining('63.2 %'), expect.stringContaining('Synced')]);
  });

  it('the selected nodes in their order, and names of unknown ones', async () => {
    renderNodes({ packages: [GETH, SEPOLIA.dnpName, 'nobody.dnp.dappnode.eth'] }, aNode(), SEPOLIA);
    expect(await rows()).toEqual([expect.stringContaining('Synced'), expect.stringContaining('Sepolia')]);
    expect(screen.getByText('nobody is not a monitored node.')).toBeDefined();
    const href = '/a/nodebell-notifications-app/packages/sepolia.dnp.dappnode.eth';
    expect(screen.getByRole('link', { name: /Sepolia/ }).getAttribute('href')).toBe(href);
  });

  it.each(['list', 'tiles'])('%s: an unreachable node has its cause, and neither bar nor share', async (layout) => {
    renderNodes({ layout }, { ...SEPOLIA, state: 'unreachable', sentence: 'Connection refused.' });
    const [row] = await rows();
    expect(row).toMatch(/Unreachable for \d+/);
    expect(row).toContain('Connection refused. Last seen at block 7,794,310');
    expect(row).not.toContain('63.2 %');
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it.each([
    [{}, false],
    [{ errorFrom: 1000 }, true],
    [{ warningFrom: 1000 }, true],
    [{ errorFrom: 5_000_000 }, false],
  ])('limits of the panel %j', async (limits, exceeded) => {
    renderNodes(limits, SEPOLIA);
    expect((await rows())[0]?.includes('4,538,460 blocks behind')).toBe(exceeded);
  });

  it('keeps its nodes while the bridge is down, and marks them as stale', async () => {
    const stream = openStream();
    renderNodes({}, aNode());
    await rows();
    fail(502);
    stream.send({ id: 0, type: 'reset', data: {} });
    const status = await screen.findByRole('status');
    expect(status.textContent).toContain('Stale data, the last update failed: The bridge is not responding.');
    expect(await rows()).toEqual([expect.stringContaining('Synced')]);
    bridge.mockReset().mockReturnValue({ now: NOW, nodes: [aNode()] });
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
  });
});

describe('the packages panel', () => {
  it('the selected packages in their order, and names of missing ones', async () => {
    const monero = aSummary({ dnpName: 'monero.dnp.dappnode.eth', links: [] });
    bridge.mockReturnValue([aSummary({ links: [] }), monero]);
    render(<PackagesPanel {...propsOf({ packages: [monero.dnpName, 'nobody.dnp.dappnode.eth'] })} />);
    const link = await screen.findByRole('link', { name: /monero/ });
    expect(link.getAttribute('href')).toBe('/a/nodebell-notifications-app/packages/monero.dnp.dappnode.eth');
    const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(rows).toEqual([expect.stringContaining('monero'), 'nobody is not registered.']);
  });

  it.each(['list', 'compact'])('%s: links to open, and others to copy', async (layout) => {
    const links = [
      { key: 'ui', kind: 'ui', url: 'http://geth.dappnode' },
      { key: 'ws', kind: 'other', url: 'ws://geth.dappnode:8546', copyOnly: true },
    ] as const;
    bridge.mockReturnValue([aSummary({ links: [...links] })]);
    render(<PackagesPanel {...propsOf({ layout })} />);
    const link = await screen.findByRole('link', { name: 'Open UI' });
    expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
      'http://geth.dappnode',
      'noopener noreferrer',
    ]);
    expect(screen.getByRole('button', { name: 'ws: ws://geth.dappnode:8546' })).toBeDefined();
  });
});

describe('the thresholds panel', () => {
  const DMS = 'dms.dnp.dappnode.eth';
  const endpoints = [anEndpoint(), anEndpoint({ correlationId: 'dms-log', title: 'Log errors', metric: undefined })];
  const renderEndpoints = (options: object) => {
    const others = aPackage({ dnpName: GETH, endpoints: [anEndpoint({ title: 'Peers' })] });
    bridge.mockReturnValue({ packages: [aPackage({ endpoints }), others], monitors: [] });
    render(<ThresholdsPanel {...propsOf(options)} />);
  };

  it.each([
    [{}, ['CPU usage', 'Log errors', 'Peers']],
    [{ packages: [DMS] }, ['CPU usage', 'Log errors']],
    [{ onlySliders: true }, ['CPU usage', 'Peers']],
  ])('%j', async (options, titles) => {
    renderEndpoints(options);
    await screen.findByText('CPU usage');
    expect(['CPU usage', 'Log errors', 'Peers'].filter((title) => screen.queryByText(title))).toEqual(titles);
  });

  it('names selected packages without thresholds', async () => {
    renderEndpoints({ packages: [DMS, 'nobody.dnp.dappnode.eth'] });
    expect(await screen.findByText('nobody has no thresholds to show.')).toBeDefined();
    const href = `/a/nodebell-notifications-app/thresholds?q=${DMS}`;
    expect(screen.getByRole('link', { name: /dms/ }).getAttribute('href')).toBe(href);
  });

  it.each([
    [['nodebell-notifications-app.thresholds:write'], 3],
    [[], 0],
  ])('switches for those who may change them: %j', async (permissions, count) => {
    signIn(permissions);
    renderEndpoints({});
    await screen.findByText('CPU usage');
    expect(screen.queryAllByRole('switch')).toHaveLength(count);
  });
});
