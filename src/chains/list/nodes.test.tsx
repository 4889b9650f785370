import { type ChainNode, type ChainState, CHAIN_STATES } from '@nodebell/contract/chain.ts';
import { describe, expect, it, vi } from 'vitest';
import { fireEvent, render, screen, within } from '../../component.testing';
import { ChainClock } from '../LiveChains';
import { aNode } from '../chains.testing';
import { ChainList } from './ChainList';
import { ChainTable } from './ChainTable';

const NOW = '2026-09-02T12:00:08.000Z';

const LAYOUTS = [
  ['a row of the table', (nodes: ChainNode[]) => <ChainTable nodes={nodes} history={false} />],
  ['an item of the narrow list', (nodes: ChainNode[]) => <ChainList nodes={nodes} narrow history={false} />],
] as const;

const SYNCING: Partial<ChainNode> = {
  state: 'syncing',
  sentence: 'It is syncing.',
  ...{ current: 7_794_310, target: 12_332_770, behind: 4_538_460, ratio: 0.632, secondsLeft: 50_400, rate: 5240 },
};
/** Remaining members of a node that has responded before. */
const AFTER: Partial<ChainNode> = { figuresAt: '2026-09-02T11:18:08.000Z', changedAt: '2026-09-02T11:18:08.000Z' };
const NO_FIGURES = { current: undefined, target: undefined, behind: undefined, ratio: undefined, rate: undefined };

describe.each(LAYOUTS)('%s', (_, layout) => {
  function renderNode(change: Partial<ChainNode>) {
    vi.useFakeTimers({ now: Date.parse(NOW), toFake: ['Date'] });
    const { container } = render(
      <ChainClock clockOffset={0} nodes={1}>
        {layout([aNode(change)])}
      </ChainClock>
    );
    vi.useRealTimers();
    const node = container.querySelector<HTMLElement>('[data-node]');
    if (!node) {
      throw new Error('No node is rendered.');
    }
    within(node)
      .queryAllByRole('button', { name: 'Details for geth' })
      .forEach((button) => fireEvent.click(button));
    return { text: node.textContent ?? '', node: within(node) };
  }

  const bar = (node: Pick<typeof screen, 'queryByRole'>) => node.queryByRole('progressbar');

  it('synced: the latest block, a full bar, no cause', () => {
    const { text, node } = renderNode({});
    expect(text).toContain('Synced');
    expect(text).toContain('Checked 8 s ago');
    expect(text).not.toContain('It is in sync.');
    expect(text).toContain('26,458,112');
    expect(text).not.toContain('26,458,112 / ');
    expect(bar(node)?.getAttribute('aria-valuenow')).toBe('100');
  });

  it('syncing: position, share, estimate and rate', () => {
    const { text, node } = renderNode(SYNCING);
    expect(text).toContain('Syncing');
    expect(text).toContain('7,794,310 / 12,332,770');
    expect(text).toContain('63.2 %');
    expect(text).toContain('4,538,460');
    expect(text).toContain('About 14 h');
    expect(text).toContain('5,240 blocks/min');
    expect(bar(node)?.getAttribute('aria-valuenow')).toBe('63.2');
    expect(bar(node)?.getAttribute('aria-valuetext')).toBe('63.2 %, block 7,794,310 of 12,332,770');
  });

  it('stalled: for how long and why; its figures are current', () => {
    const { text, node } = renderNode({ ...SYNCING, ...AFTER, state: 'stalled', sentence: 'No sync progress.' });
    expect(text).toContain('Stalled for 42 min');
    expect(text).toContain('No sync progress.');
    expect(text).toContain('7,794,310 / 12,332,770');
    expect(bar(node)).not.toBeNull();
  });

  it.each([
    ['unreachable', 'refused', 'Connection refused on port 8545.', 'Unreachable for 42 min'],
    ['error', 'rpc-error', 'The database is being repaired.', 'No valid response for 42 min'],
    ['stopped', 'name', 'Host not found.', 'Stopped for 42 min'],
  ] as const)('%s: the cause and the last known block, no progress, lag or peers', (state, cause, sentence, label) => {
    const { text, node } = renderNode({ ...SYNCING, ...AFTER, peers: 2, state, cause, sentence });
    expect(text).toContain(label);
    expect(text).toContain(sentence);
    expect(text).toContain('Last seen at block 7,794,310, 42 min ago');
    expect(bar(node)).toBeNull();
    expect(text).not.toMatch(/63\.2 %|4,538,460|12,332,770|too few|About/);
  });

  it.each([
    ['unsupported', 'Not supported'],
    ['unconfigured', 'No address'],
  ] as const)('%s: neither figures nor a poll', (state, label) => {
    const { text, node } = renderNode({
      ...NO_FIGURES,
      ...{ state, sentence: 'Its reason.', peers: undefined, checkedAt: undefined, figuresAt: undefined },
    });
    expect(text).toContain(label);
    expect(text).toContain('Its reason.');
    expect(text).not.toContain('Checked');
    expect(bar(node)).toBeNull();
    expect(node.getAllByText('unknown').length).toBeGreaterThan(0);
  });

  it.each(CHAIN_STATES.filter((state) => state !== 'syncing'))('%s: no percentage outside of syncing', (state) => {
    expect(renderNode({ ...SYNCING, state }).text).not.toContain('63.2 %');
  });

  it.each(['synced', 'syncing', 'stalled', 'starting'] satisfies ChainState[])(
    '%s: without a known height there is no bar',
    (state) => expect(bar(renderNode({ ...NO_FIGURES, state }).node)).toBeNull()
  );

  it.each([
    [4, true],
    [5, false],
  ])('%i peers with a minimum of 5', (peers, few) => {
    const { text, node } = renderNode({ peers });
    expect(text.includes(`${peers}, too few`)).toBe(few);
    expect(node.queryAllByTitle('Below the minimum of 5')).toHaveLength(few ? 1 : 0);
  });

  it('links to its package', () => {
    const href = '/a/nodebell-notifications-app/packages/geth.dnp.dappnode.eth';
    expect(renderNode({}).node.getByRole('link', { name: 'Ethereum' }).getAttribute('href')).toBe(href);
  });
});

it('an item of the narrow list expands', () => {
  render(<ChainList nodes={[aNode()]} narrow history={false} />);
  const button = screen.getByRole('button', { name: 'Details for geth' });
  const details = () => document.getElementById(button.getAttribute('aria-controls') ?? '');
  expect([button.getAttribute('aria-expanded'), details()?.hidden]).toEqual(['false', true]);
  fireEvent.click(button);
  expect([button.getAttribute('aria-expanded'), details()?.hidden]).toEqual(['true', false]);
});

it.each([
  ['with links a browser can open', { key: 'ui', kind: 'ui', url: 'http://geth.dappnode' }, ['UI'], 1],
  ['with links to copy only', { key: 'ws', kind: 'other', url: 'ws://geth.dappnode:8546', copyOnly: true }, [], 0],
] as const)('the menu of a node %s', async (_, link, labels, dividers) => {
  render(<ChainTable nodes={[aNode({ links: [link] })]} history={false} />);
  fireEvent.click(screen.getByRole('button', { name: 'Links for geth' }));
  const menu = await screen.findByRole('menu', { name: 'Links for geth' });
  const items = within(menu).getAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['View package', 'View notifications', ...labels]);
  const lines = [...menu.querySelectorAll('div')].filter((one) => getComputedStyle(one).height === '1px');
  expect(lines).toHaveLength(dividers);
});
