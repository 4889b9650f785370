import { expect, test } from 'vitest';
import { chainEndpoints } from '../../contract/chainEndpoints.ts';
import type { ShippedEndpoint, MonitoredEndpoint } from './monitors/monitor.ts';
import { chainRule, QUERIES_AND_NODES } from './chainRule.ts';
import { brokenQuery } from './monitors/promql.ts';

const endpoint = (correlationId: string, threshold?: number): MonitoredEndpoint => {
  const shipped = {
    kind: 'chain',
    ...chainEndpoints({ chain: { driver: 'ethereum' } }).find((one) => one.correlationId === correlationId),
  } as ShippedEndpoint;
  return { dnpName: 'geth.dnp.dappnode.eth', shipped, on: true, ...(threshold !== undefined && { threshold }) };
};

test('a rule for each kind of alert, with the configured threshold, on the metrics of the node', () => {
  const rules = ['chain-behind', 'chain-stalled', 'chain-unreachable', 'chain-peers'].map((id, index) => {
    const { expr, operator, threshold, forSeconds, annotations } = chainRule(endpoint(id, index + 21));
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

test('a rule has the labels of the thread of the bridge, the default threshold, and is off with its switch', () => {
  expect(chainRule({ ...endpoint('chain-behind'), on: false })).toMatchObject({
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

test('supports endpoints of nodes and queries, and no others', () => {
  const { shipped, ...rest } = endpoint('chain-peers');
  expect(QUERIES_AND_NODES.support({ shipped, ...rest })).toEqual({ kind: 'supported' });
  expect(QUERIES_AND_NODES.support({ ...rest, shipped: { ...shipped, kind: 'custom' } })).toEqual({ kind: 'none' });
});
