import { expect, test } from 'vitest';
import { chainEndpoints } from '../../contract/chainEndpoints.ts';
import type { ShippedEndpoint, WatchedEndpoint } from '../thresholds/types.ts';
import { chainConcern, chainRule } from './chainRule.ts';
import { brokenQuery } from './promql.ts';

const watched = (correlationId: string, threshold?: number): WatchedEndpoint => {
  const endpoint = chainEndpoints({ chain: { driver: 'ethereum' } }).find((one) => one.correlationId === correlationId);
  const shipped = { kind: 'chain', ...endpoint } as ShippedEndpoint;
  return { dnpName: 'geth.dnp.dappnode.eth', shipped, on: true, ...(threshold !== undefined && { threshold }) };
};

test('one for each kind, with the threshold in effect, on the metrics of the one node', () => {
  const rules = ['chain-behind', 'chain-stalled', 'chain-unreachable', 'chain-peers'].map((id, index) => {
    const { expr, operator, threshold, forSeconds, annotations } = chainRule(watched(id, index + 21));
    expect(brokenQuery(expr)).toBeUndefined();
    return [`${expr} ${operator} ${threshold} for ${forSeconds}s`, annotations['summary'], annotations['description']];
  });
  const lasting = (metric: string): string => {
    const series = `nodebell_chain_${metric}{package="geth.dnp.dappnode.eth"}`;
    return `(max(${series}) or max(last_over_time(${series}[1h])))`;
  };
  expect(rules).toEqual([
    [
      `${lasting('fallen_behind_blocks')} > 21 for 0s`,
      'geth has fallen behind',
      'The node was in sync, and is now more than 21 behind or not ready.',
    ],
    [
      `${lasting('no_progress_seconds')} / 60 >= 22 for 0s`,
      'geth makes no sync progress',
      'The node is behind or not ready, and has had no new block for 22 min.',
    ],
    [`${lasting('unanswered_seconds')} / 60 >= 23 for 0s`, 'geth is unreachable', 'No usable response for 23 min.'],
    [
      `min(nodebell_chain_peers{package="geth.dnp.dappnode.eth"}) < 24 for 600s`,
      'geth has too few peers',
      'Fewer than 24 peers.',
    ],
  ]);
});

test('it alerts into the thread of the bridge, as shipped where nothing is set, and off with its switch', () => {
  expect(chainRule({ ...watched('chain-behind'), on: false })).toMatchObject({
    threshold: 60,
    on: false,
    keepsLast: true,
    labels: {
      dnpName: 'geth.dnp.dappnode.eth',
      correlationId: 'chain-behind',
      category: 'chain',
      severity: 'medium',
      isBanner: 'false',
    },
  });
});

test('of endpoints of nodes alone', () => {
  const { shipped, ...rest } = watched('chain-peers');
  expect(chainConcern({ shipped, ...rest })).toEqual({ kind: 'watched' });
  expect(chainConcern({ ...rest, shipped: { ...shipped, kind: 'custom' } })).toEqual({ kind: 'none' });
});
