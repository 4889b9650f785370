import { beforeEach, describe, expect, test } from 'vitest';
import { Notifier } from './notifier.ts';
import type { ChainSource } from './sources.ts';
import { newNodeState, type NodeState } from './nodeState.ts';
import type { OpenAlert } from './store.ts';

/** A rule of a monitor reports the alerts of a node in place of the bridge, or did so before. */
const NODE = 'geth.dnp.dappnode.eth';
const NOW = 100 * 60_000;
const SOURCE = {
  pkg: {
    dnpName: NODE,
    version: '1.0.0',
    links: [],
    chain: { driver: 'ethereum', supported: true },
    revision: 'r',
    own: [],
  },
  driver: 'ethereum',
  limits: { behind: 60, stalledMinutes: 10, unreachableMinutes: 10, peers: 5 },
} as unknown as ChainSource;
const FINE: NodeState = {
  ...newNodeState(0),
  state: 'synced',
  beyond: 0,
  checkedAt: NOW,
  responded: true,
  current: 5,
  target: 5,
};
const GONE: NodeState = {
  ...FINE,
  state: 'unreachable',
  failing: { count: 9, since: 0, last: 'unreachable refused' },
  sentence: 'Refused.',
};

let open: OpenAlert[];
let sent: string[];
let elsewhere: boolean;
let notifier: Notifier;
beforeEach(() => {
  [open, sent, elsewhere] = [[], [], false];
  notifier = start();
});
const start = (): Notifier =>
  new Notifier({
    receive: (incoming) => {
      for (const { payload } of incoming) {
        sent.push(String(payload.status));
        const byBridge = true;
        open = payload.status === 'triggered' ? [{ ...thread, byBridge }] : [];
      }
      return Promise.resolve();
    },
    openAlerts: () => Promise.resolve(open),
    reportedElsewhere: (dnpName, correlationId) => elsewhere && dnpName === NODE && correlationId !== 'chain-peers',
    steady: () => NOW,
    log: { error: () => undefined },
  });
const thread = { dnpName: NODE, correlationId: 'chain-unreachable' };
const update = (nodeState: NodeState): Promise<void> => notifier.update(SOURCE, nodeState);

describe('while a rule reports the alert', () => {
  beforeEach(() => void (elsewhere = true));

  test('the bridge sends nothing', async () => {
    await update(GONE);
    open = [{ ...thread, byBridge: false }];
    await update(FINE);
    expect([sent, open.length]).toEqual([[], 1]);
  });

  test('the bridge reports alerts without a rule', async () => {
    await update({ ...FINE, peers: 1, fewPeersSince: 0 });
    expect(sent).toEqual(['triggered']);
  });

  test('an alert of the rule is resolved by the bridge when the package is removed', async () => {
    await update(GONE);
    open = [{ ...thread, byBridge: false }];
    await notifier.remove(SOURCE, GONE);
    expect([sent, open]).toEqual([['resolved'], []]);
  });

  test('the bridge resolves its own alert', async () => {
    elsewhere = false;
    await update(GONE);
    elsewhere = true;
    await update(FINE);
    expect([sent, open]).toEqual([['triggered', 'resolved'], []]);
  });
});

describe('when the bridge takes over again', () => {
  beforeEach(async () => {
    elsewhere = true;
    await update(GONE);
    open = [{ ...thread, byBridge: false }];
    elsewhere = false;
  });

  test('an open alert of a rule is not sent again, and is resolved', async () => {
    await update(GONE);
    expect(sent).toEqual([]);
    await update(FINE);
    expect([sent, open]).toEqual([['resolved'], []]);
  });

  test('an alert that a rule has resolved is sent once if its condition still holds', async () => {
    await update(GONE);
    open = [];
    await update(GONE);
    await update(GONE);
    expect(sent).toEqual(['triggered']);
  });

  test('an alert that the rule has not sent is sent', async () => {
    open = [];
    await update(GONE);
    expect(sent).toEqual(['triggered']);
  });

  test('an alert that a rule sent before a restart and resolved after it is sent again', async () => {
    notifier = start();
    await notifier.load();
    open = [];
    await update(GONE);
    expect(sent).toEqual(['triggered']);
  });

  test('after a restart, an open alert of a removed package is not sent again, and is resolved', async () => {
    notifier = start();
    await notifier.load();
    await update(GONE);
    expect(sent).toEqual([]);
    await notifier.removeOthers(new Set());
    expect([sent, open]).toEqual([['resolved'], []]);
  });
});
