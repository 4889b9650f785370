import { beforeEach, describe, expect, test } from 'vitest';
import { createNotifier, type Notifier, type OpenNotice } from './notifier.ts';
import type { ChainSource } from './sources.ts';
import { newMemory, type NodeMemory } from './state.ts';

/** A rule in a monitor tells of a node in place of the bridge, or has told of it. */
const NODE = 'geth.dnp.dappnode.eth';
const NOW = 100 * 60_000;
const SOURCE = {
  pkg: { dnpName: NODE, version: '1.0.0', links: [], chain: { driver: 'ethereum', supported: true }, revision: 'r' },
  driver: 'ethereum',
  limits: { behind: 60, stalledMinutes: 10, unreachableMinutes: 10, peers: 5 },
} as unknown as ChainSource;
const FINE: NodeMemory = { ...newMemory(0), state: 'synced', checkedAt: NOW, answered: true, current: 5, target: 5 };
const GONE: NodeMemory = { ...FINE, state: 'unreachable', failures: 9, failingSince: 0, sentence: 'Refused.' };

let open: OpenNotice[];
let told: string[];
let elsewhere: boolean;
let notifier: Notifier;
beforeEach(() => {
  [open, told, elsewhere] = [[], [], false];
  notifier = start();
});
const start = (): Notifier =>
  createNotifier({
    receive: (incoming) => {
      for (const { payload } of incoming) {
        told.push(String(payload.status));
        const byBridge = true;
        open = payload.status === 'triggered' ? [{ ...thread, byBridge }] : [];
      }
      return Promise.resolve();
    },
    openNotices: () => Promise.resolve(open),
    toldElsewhere: (dnpName, correlationId) => elsewhere && dnpName === NODE && correlationId !== 'chain-peers',
    now: () => NOW,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
const thread = { dnpName: NODE, correlationId: 'chain-unreachable' };
const look = (memory: NodeMemory): Promise<void> => notifier.look(SOURCE, memory);

describe('while a rule tells of it', () => {
  beforeEach(() => void (elsewhere = true));

  test('the bridge is silent, whatever it is', async () => {
    await look(GONE);
    open = [{ ...thread, byBridge: false }];
    await look(FINE);
    expect([told, open.length]).toEqual([[], 1]);
  });

  test('it tells of what no rule tells of', async () => {
    await look({ ...FINE, peers: 1, fewPeersSince: 0 });
    expect(told).toEqual(['triggered']);
  });

  test('what the rule has told is ended with the package, also by the bridge', async () => {
    await look(GONE);
    open = [{ ...thread, byBridge: false }];
    await notifier.forget(SOURCE, GONE);
    expect([told, open]).toEqual([['resolved'], []]);
  });

  test('it ends what it has told itself', async () => {
    elsewhere = false;
    await look(GONE);
    elsewhere = true;
    await look(FINE);
    expect([told, open]).toEqual([['triggered', 'resolved'], []]);
  });
});

describe('when the bridge tells again', () => {
  beforeEach(async () => {
    elsewhere = true;
    await look(GONE);
    open = [{ ...thread, byBridge: false }];
    elsewhere = false;
  });

  test('what a rule has told is not told again while it is open, and ended', async () => {
    await look(GONE);
    expect(told).toEqual([]);
    await look(FINE);
    expect([told, open]).toEqual([['resolved'], []]);
  });

  test('what a rule has ended and still holds is told anew, once', async () => {
    await look(GONE);
    open = [];
    await look(GONE);
    await look(GONE);
    expect(told).toEqual(['triggered']);
  });

  test('what a rule has not come to tell is told', async () => {
    open = [];
    await look(GONE);
    expect(told).toEqual(['triggered']);
  });

  test('what a rule has told before a restart, and ended after it, is told anew', async () => {
    notifier = start();
    await notifier.learn();
    open = [];
    await look(GONE);
    expect(told).toEqual(['triggered']);
  });

  test('also after a restart, and of a package that went meanwhile', async () => {
    notifier = start();
    await notifier.learn();
    await look(GONE);
    expect(told).toEqual([]);
    await notifier.forgetOthers(new Set());
    expect([told, open]).toEqual([['resolved'], []]);
  });
});
