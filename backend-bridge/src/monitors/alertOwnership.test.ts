import { beforeEach, describe, expect, test } from 'vitest';
import type { OpenAlert } from '../chains/store.ts';
import type { WatchedEndpoint } from '../thresholds/types.ts';
import { createHandover, type Handover } from './alertOwnership.ts';

const NODE = 'geth.example.eth';
const MINUTE = 60_000;
const endpoint = (correlationId: string, on = true): WatchedEndpoint => ({
  dnpName: NODE,
  shipped: { kind: 'chain', correlationId, title: 't', isBanner: false, enabled: true },
  on,
});
const PEERS = endpoint('chain-peers');
const BEHIND = endpoint('chain-behind');

let now: number;
let open: OpenAlert[];
let asks: () => Promise<OpenAlert[]>;
let handover: Handover;
beforeEach(() => {
  now = 1_000_000;
  open = [];
  asks = () => Promise.resolve(open);
  handover = createHandover({ isWanted: true, openNotices: () => asks(), now: () => now });
});
const told = (): string[] =>
  [PEERS, BEHIND].map(({ shipped: { correlationId: id } }) => id).filter((id) => handover.told(NODE, id));

/** A round in which a rule comes to stand for each of these. */
async function round(...stands: WatchedEndpoint[]): Promise<void> {
  const one = await handover.round([PEERS, BEHIND]);
  stands.forEach((each) => one.done(each, true));
  one.end(true);
}

describe('the bridge tells', () => {
  test('always, where no monitor is wanted', () => {
    handover = createHandover({ isWanted: false, openNotices: asks, now: () => now });
    expect(told()).toEqual([]);
  });

  test('of what no rule stands for', async () => {
    await round(PEERS);
    expect(told()).toEqual(['chain-peers']);
    await round(BEHIND);
    expect(told()).toEqual(['chain-behind']);
  });

  test('of everything again when nobody knows what stands', async () => {
    await round(PEERS, BEHIND);
    const failing = await handover.round([PEERS, BEHIND]);
    failing.done(PEERS, true);
    failing.end(false);
    expect(told()).toEqual([]);
  });

  test('of everything when what is open cannot be read', async () => {
    await round(PEERS, BEHIND);
    asks = () => Promise.reject(new Error('the disk'));
    await expect(handover.round([PEERS])).rejects.toThrow('the disk');
    expect(told()).toEqual([]);
  });

  test('while nobody reads the metrics, which is said and keeps new rules from being made', async () => {
    await round(PEERS);
    now += 5 * MINUTE - 1;
    expect(told()).toEqual(['chain-peers']);
    now += 1;
    expect(told()).toEqual([]);
    const one = await handover.round([PEERS, endpoint('chain-behind', false)]);
    expect(one.keeps(PEERS)).toContain('/metrics');
    expect(one.keeps(endpoint('chain-behind', false))).toBeUndefined();
    expect([one.stood(PEERS), one.stood(BEHIND)]).toEqual([true, false]);
    one.done(PEERS, true);
    one.end(true);
    expect(told()).toEqual([]);
    handover.metricsRead();
    expect(told()).toEqual(['chain-peers']);
  });
});

describe('the bridge is silent', () => {
  test('before the first round: what there is to tell holds until after it', () => {
    expect(told()).toEqual(['chain-peers', 'chain-behind']);
  });

  test('from before a rule is made', async () => {
    await round();
    expect(told()).toEqual([]);
    const one = await handover.round([PEERS]);
    expect(told()).toEqual(['chain-peers']);
    one.end(true);
    expect(told()).toEqual([]);
  });
});

test('what the bridge has told and is open, it ends; what others have told is no reason', async () => {
  open = [
    { dnpName: NODE, correlationId: 'chain-peers', byBridge: true },
    { dnpName: NODE, correlationId: 'chain-behind', byBridge: false },
  ];
  await round();
  const one = await handover.round([PEERS, BEHIND]);
  expect(one.keeps(PEERS)).toContain('waits for its end');
  expect(one.keeps(BEHIND)).toBeUndefined();
  expect(told()).toEqual(['chain-behind']);
});
