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
      'It was in sync, and is no more: it lacks more than 21, or says that it is not ready.',
    ],
    [
      `${lasting('no_progress_seconds')} / 60 >= 22 for 0s`,
      'geth makes no progress',
      'It is behind or says that it is not ready, and has had no new block for 22 min.',
    ],
    [
      `${lasting('unanswered_seconds')} / 60 >= 23 for 0s`,
      'geth does not answer',
      'It has given no usable answer for 23 min.',
    ],
    [
      `min(nodebell_chain_peers{package="geth.dnp.dappnode.eth"}) < 24 for 600s`,
      'geth has few peers',
      'It has fewer than 24, which are too few.',
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
