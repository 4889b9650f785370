/** The monitoring of nodes as a whole, with scripted responses, in simulated time. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChainEvent } from '../../../contract/chain.ts';
import type { Incoming } from '../../inbox/notifications/receive.ts';
import { type Outbound, type OutboundAnswer, OutboundError } from '../../platform/http/outbound.ts';
import type { NodeAddress } from './request.ts';
import { KEPT_SAMPLES } from './rates.ts';
import { type ChainsDeps, createChains } from './service.ts';
import type { ChainPackage } from './sources.ts';
import type { OpenAlert } from './store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const running: ReturnType<typeof createChains>[] = [];
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }));
afterEach(async () => {
  await Promise.all(running.splice(0).map((chains) => chains.close()));
  vi.useRealTimers();
});

const GETH: ChainPackage = {
  dnpName: 'geth.dnp.dappnode.eth',
  version: '1.0.0',
  links: [],
  chain: { driver: 'ethereum', supported: true },
  revision: 'r1',
  own: [],
};

const MONEROD: ChainPackage = {
  ...GETH,
  dnpName: 'monerod.dnp.dappnode.eth',
  chain: { driver: 'monero', supported: true },
};
const BITCOIND: ChainPackage = {
  ...GETH,
  dnpName: 'bitcoind.dnp.dappnode.eth',
  chain: { driver: 'bitcoin', supported: true },
};

type Say = () => OutboundAnswer;
const body = (value: unknown, status = 200): OutboundAnswer => ({
  url: '',
  status,
  headers: {},
  body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
});
const rpc = (syncing: unknown, block: string, peers = '0x19'): Say => {
  return () =>
    body([
      { jsonrpc: '2.0', id: 0, result: syncing },
      { jsonrpc: '2.0', id: 1, result: block },
      { jsonrpc: '2.0', id: 2, result: peers },
      { jsonrpc: '2.0', id: 3, result: '0x1' },
      { jsonrpc: '2.0', id: 4, result: 'Geth/v1' },
    ]);
};
const hex = (value: number): string => `0x${value.toString(16)}`;
const throwing = (reason: OutboundError['reason'], code?: string): Say => {
  return () => {
    throw new OutboundError(reason, reason, code === undefined ? undefined : Object.assign(new Error(code), { code }));
  };
};

interface World {
  say: Say;
  packages: ChainPackage[];
  received: Incoming[];
  open: OpenAlert[];
  /** Nodes that have been in sync, as the store keeps them. */
  synced: Map<string, string>;
  published: ChainEvent[];
  lines: string[];
  errors: string[];
  addresses: NodeAddress[];
  requests: number;
  chains: ReturnType<typeof createChains>;
  limit: (dnpName: string, correlationId: string) => number | undefined;
}

function world(overrides: Partial<ChainsDeps> = {}): World {
  const one: Omit<World, 'chains'> = {
    say: rpc(false, '0x10'),
    packages: [GETH],
    received: [],
    open: [],
    synced: new Map(),
    published: [],
    lines: [],
    errors: [],
    addresses: [],
    requests: 0,
    limit: () => undefined,
  };
  const line = ({ state, cause }: { state?: string; cause?: string }): void =>
    void one.lines.push([state, cause].filter(Boolean).join(' '));
  const outbound: Outbound = {
    fetchGuarded: () => {
      one.requests += 1;
      return Promise.resolve().then(() => one.say());
    },
  };
  const chains = createChains({
    packages: () => Promise.resolve(one.packages),
    environment: () => Promise.resolve({}),
    thresholds: () => Promise.resolve((dnpName, correlationId) => one.limit(dnpName, correlationId)),
    overrides: () => new Map(),
    hasOverrides: () => true,
    domain: 'dappnode',
    outboundTo: (address) => {
      one.addresses.push(address);
      return outbound;
    },
    receive: (incoming) => {
      one.received.push(...incoming);
      for (const { payload } of incoming) {
        const { dnpName = '', correlationId = '' } = payload;
        one.open = one.open.filter((thread) => thread.dnpName !== dnpName || thread.correlationId !== correlationId);
        if (payload.status === 'triggered') {
          one.open.push({ dnpName, correlationId, byBridge: true });
        }
      }
      return Promise.resolve();
    },
    openAlerts: () => Promise.resolve(one.open),
    everSynced: () => Promise.resolve(one.synced),
    keepSynced: ({ dnpName, address }) => Promise.resolve(void one.synced.set(dnpName, address)),
    publish: (event) => void one.published.push(event),
    listening: () => true,
    now: () => Date.now(),
    steady: () => performance.now(),
    random: () => 0.5,
    log: { info: line, warn: line, error: (fields) => void one.errors.push(JSON.stringify(fields)) },
    ...overrides,
  });
  running.push(chains);
  return Object.assign(one, { chains });
}

/** A world that polls already. */
async function started({
  say,
  packages,
  ...overrides
}: Partial<Omit<ChainsDeps, 'packages'> & Pick<World, 'say' | 'packages'>> = {}): Promise<World> {
  const one = world(overrides);
  Object.assign(one, say && { say }, packages && { packages });
  await one.chains.sync();
  return one;
}

/** Changes what the nodes respond, and lets the time pass. */
async function after(one: World, say: Say, ms: number): Promise<void> {
  one.say = say;
  await vi.advanceTimersByTimeAsync(ms);
}

const alerts = ({ received }: World): string[] =>
  received.map(({ payload }) => `${payload.correlationId} ${payload.status}: ${payload.title}`);

describe('a faulty node for an hour', () => {
  it.each<[string, Say, string]>([
    ['too large', throwing('too-large'), 'error too-large'],
    ['hanging', throwing('timeout'), 'unreachable timeout'],
    ['redirecting', throwing('redirect'), 'error redirect'],
    ['not JSON', () => body('<html>'), 'error not-json'],
    ['of numbers over 2^53', rpc(false, '0x20000000000001'), 'error number'],
    ['of endless numbers', rpc(false, `0x${'f'.repeat(500_000)}`), 'error number'],
    ['of errors', () => body([{ id: 0, error: { code: -32603, message: 'x'.repeat(500_000) } }]), 'error rpc-error'],
    ['refusing', throwing('unreachable', 'ECONNREFUSED'), 'unreachable refused'],
    ['gone', throwing('name', 'ENOTFOUND'), 'stopped name'],
    ['requiring authentication', () => body('', 401), 'error unauthorised'],
  ])('that is %s: one line, small nodeState, one notification', async (_what, say, line) => {
    const one = await started();
    await vi.advanceTimersByTimeAsync(MINUTE);
    await after(one, say, HOUR);
    expect(one.lines).toEqual(['synced', line]);
    expect(one.requests).toBeLessThan(60);
    for (const { nodeState } of one.chains.nodes()) {
      expect(nodeState.samples.length).toBeLessThanOrEqual(KEPT_SAMPLES);
      expect(JSON.stringify(nodeState).length).toBeLessThan(4000);
    }
    expect(one.chains.snapshot().nodes).toMatchObject([{ state: line.split(' ')[0], cause: line.split(' ')[1] }]);
    expect(one.received.map(({ payload }) => payload.correlationId)).toEqual(['chain-unreachable']);
    await after(one, rpc(false, '0x11'), 3 * MINUTE);
    expect(alerts(one).at(-1)).toBe('chain-unreachable resolved: Ethereum (geth) responds again');
    expect(one.lines).toEqual(['synced', line, 'synced']);
    expect(one.errors).toEqual([]);
  });

  it('alternating faults log one line per change of state', async () => {
    const one = await started();
    const ways = [throwing('timeout'), () => body('<html>'), throwing('redirect'), rpc(false, '0xffffffffffffffffff')];
    let turn = 0;
    await after(one, () => ways[(turn += 1) % ways.length]!(), HOUR);
    expect(one.lines).toHaveLength(1);
  });

  it('an internal error ends neither the polling nor the bridge', async () => {
    let left = 1;
    const one: World = world({
      now() {
        if (one?.requests > 0 && left > 0) {
          left -= 1;
          throw new Error('no clock');
        }
        return Date.now();
      },
    });
    await one.chains.sync();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(one.errors).toEqual([expect.stringContaining(GETH.dnpName)]);
    expect(one.chains.snapshot().nodes).toMatchObject([{ state: 'synced' }]);
  });
});

describe.each([24 * HOUR, -24 * HOUR])('a system clock that is set by %d ms', (by) => {
  it('does not change for how long a node has been unreachable', async () => {
    const one = await started();
    await vi.advanceTimersByTimeAsync(MINUTE);
    await after(one, throwing('unreachable', 'ECONNREFUSED'), 4 * MINUTE);
    vi.setSystemTime(Date.now() + by);
    await vi.advanceTimersByTimeAsync(4 * MINUTE);
    expect(alerts(one)).toEqual([]);
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(alerts(one)).toEqual(['chain-unreachable triggered: Ethereum (geth) is unreachable']);
  });

  it('does not change for how long a node has had no new block', async () => {
    const one = await started({ say: rpc({ currentBlock: '0x5', highestBlock: '0x3e8' }, '0x5') });
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    vi.setSystemTime(Date.now() + by);
    await vi.advanceTimersByTimeAsync(4 * MINUTE);
    const [node] = one.chains.snapshot().nodes;
    expect(node).toMatchObject({ state: 'syncing' });
    expect(Math.abs(Date.parse(node!.checkedAt!) - Date.now())).toBeLessThan(MINUTE);
    expect(Date.parse(node!.checkedAt!) - Date.parse(node!.changedAt)).toBeGreaterThan(8 * MINUTE);
    expect(Date.parse(node!.checkedAt!) - Date.parse(node!.changedAt)).toBeLessThan(10 * MINUTE);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(one.chains.snapshot().nodes).toMatchObject([{ state: 'stalled' }]);
  });
});

describe('what is published', () => {
  it('a node has figures, texts, times and limits', async () => {
    const one = await started({
      packages: [{ ...GETH, upstreamVersion: 'v1.17.4', icon: 'https://example.org/i.png' }],
    });
    expect(one.chains.snapshot().nodes[0]).toMatchObject({ state: 'waiting', title: 'Ethereum', secondsLeft: null });
    let block = 1000;
    await after(one, () => rpc({ currentBlock: hex((block += 100)), highestBlock: '0xf4240' }, '0x5')(), 5 * MINUTE);
    const [node] = one.chains.snapshot().nodes;
    expect(node).toMatchObject({
      dnpName: GETH.dnpName,
      name: 'geth',
      packageVersion: '1.0.0',
      upstreamVersion: 'v1.17.4',
      icon: 'https://example.org/i.png',
      driver: 'ethereum',
      network: '1',
      state: 'syncing',
      target: 1_000_000,
      peers: 25,
      version: 'Geth/v1',
      interval: 15,
      limits: { behind: 60, stalledMinutes: 10, unreachableMinutes: 10, peers: 5 },
    });
    expect(node!.behind).toBe(1_000_000 - node!.current!);
    expect(node!.ratio).toBeCloseTo(node!.current! / 1_000_000);
    expect(node!.rate).toBeCloseTo(400, -1);
    expect(node!.secondsLeft).toBeGreaterThan(100_000);
    expect(Date.parse(node!.checkedAt!)).toBeGreaterThan(Date.now() - 16_000);
  });

  it('changes are sent once a second, removed nodes included', async () => {
    const one = await started();
    await vi.advanceTimersByTimeAsync(1100);
    expect(one.published.at(-1)!.nodes).toMatchObject([{ dnpName: GETH.dnpName, state: 'synced' }]);
    one.packages = [];
    await one.chains.sync();
    await vi.advanceTimersByTimeAsync(1100);
    expect(one.published.at(-1)).toMatchObject({ nodes: [], removed: [GETH.dnpName] });
    expect(one.chains.snapshot().nodes).toEqual([]);
  });

  it('nothing is sent without a client', async () => {
    const one = await started({ listening: () => false });
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(one.published).toEqual([]);
  });

  it('nodes that cannot be polled have a state', async () => {
    const one = world();
    one.packages = [
      { ...GETH, dnpName: 'hns.dnp.dappnode.eth', chain: { driver: 'handshake', supported: false } },
      { ...GETH, dnpName: 'geth.example.eth' },
    ];
    await one.chains.sync();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(one.requests).toBe(0);
    expect(one.chains.snapshot().nodes).toMatchObject([
      { dnpName: 'geth.example.eth', state: 'unconfigured', name: 'geth' },
      { dnpName: 'hns.dnp.dappnode.eth', state: 'unsupported', title: 'handshake' },
    ]);
  });
});

describe('notifications', () => {
  const behind = (current: number, target = 1000): Say =>
    rpc({ currentBlock: hex(current), highestBlock: hex(target) }, '0x5');

  it('a stall fires once, and resolves with progress', async () => {
    const one = await started();
    await after(one, behind(5), HOUR);
    expect(alerts(one)).toEqual(['chain-stalled triggered: Ethereum (geth) makes no sync progress']);
    expect(one.received[0]).toMatchObject({
      source: 'bridge',
      payload: { dnpName: GETH.dnpName, category: 'chain', priority: 'high', isBanner: false },
    });
    expect(one.received[0]!.payload.body).toContain('Block 5 of 1,000: 995 behind.');
    await after(one, behind(6), MINUTE);
    await after(one, behind(7), MINUTE);
    expect(alerts(one).at(-1)).toBe('chain-stalled resolved: Ethereum (geth) is syncing again');
  });

  it('losing sync fires after ten minutes, and resolves when in sync again', async () => {
    const one = await started({ say: rpc(false, hex(1000)) });
    await vi.advanceTimersByTimeAsync(MINUTE);
    let block = 1000;
    await after(one, () => behind((block += 1), block + 500)(), 9 * MINUTE);
    expect(alerts(one)).toEqual([]);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(alerts(one)).toEqual(['chain-behind triggered: Ethereum (geth) has fallen behind']);
    await after(one, rpc(false, hex(2000)), MINUTE);
    expect(alerts(one).at(-1)).toBe('chain-behind resolved: Ethereum (geth) is back in sync');
  });

  it('no alert during the initial sync', async () => {
    const one = await started();
    let block = 0;
    await after(one, () => behind((block += 1), 100_000)(), HOUR);
    expect(alerts(one)).toEqual([]);
  });

  it('a node that was in sync and no longer knows the newest block fires', async () => {
    const one = world();
    one.packages = [MONEROD];
    let height = 1000;
    const info = (synchronized: boolean) => (): OutboundAnswer =>
      body({ status: 'OK', restricted: true, height: (height += 1), target_height: 0, synchronized });
    one.say = info(true);
    await one.chains.sync();
    await vi.advanceTimersByTimeAsync(HOUR);
    await after(one, info(false), 9 * MINUTE);
    expect(one.lines).toEqual(['synced', 'starting no-target']);
    expect(alerts(one)).toEqual([]);
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(alerts(one)).toEqual(['chain-behind triggered: Monero (monerod) is no longer in sync']);
    expect(one.received[0]!.payload.body).toMatch(
      /^The node was in sync\. The newest block of the chain is not known yet\. Newest block: 1,\d{3}\.$/
    );
    await after(one, info(true), MINUTE);
    expect(alerts(one).at(-1)).toBe('chain-behind resolved: Monero (monerod) is back in sync');
  });

  const warming: Say = () => body([{ jsonrpc: '2.0', id: 0, error: { code: -28, message: 'Verifying blocks…' } }]);
  const bitcoin = (blocks: number): Say => {
    const result = { chain: 'main', blocks, headers: blocks, initialblockdownload: false };
    return () => body([{ jsonrpc: '2.0', id: 0, result }]);
  };

  it('a node that warms up for too long fires, and one that was only restarted does not', async () => {
    const one = await started({ packages: [BITCOIND], say: bitcoin(900_000) });
    await vi.advanceTimersByTimeAsync(MINUTE);
    // Twice the same: the second time, what was said before the pause does not count.
    for (let times = 0; times < 2; times += 1) {
      await after(one, warming, 8 * MINUTE);
      await after(one, throwing('name', 'ENOTFOUND'), 7 * MINUTE);
    }
    expect(alerts(one)).toEqual([]);
    await after(one, warming, 24 * HOUR);
    expect(alerts(one).toSorted()).toEqual([
      'chain-behind triggered: Bitcoin (bitcoind) is no longer in sync',
      'chain-stalled triggered: Bitcoin (bitcoind) is still not ready',
    ]);
    const bodies = one.received.map(({ payload }) => payload.body);
    expect(bodies.find((text) => text.includes('Not ready for 10 min, with no new block.'))).toContain(
      'Verifying blocks…'
    );
    expect(bodies.join()).not.toContain('900,000');
    await after(one, bitcoin(900_100), MINUTE);
    expect(alerts(one).slice(2).toSorted()).toEqual([
      'chain-behind resolved: Bitcoin (bitcoind) is back in sync',
      'chain-stalled resolved: Bitcoin (bitcoind) is back in sync',
    ]);
  });

  it('a node that alternately fails and warms up fires', async () => {
    const one = world();
    one.packages = [BITCOIND];
    let attempts = 0;
    one.say = () => ((attempts += 1) % 4 < 2 ? warming() : throwing('unreachable', 'ECONNREFUSED')());
    await one.chains.sync();
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(alerts(one)).toEqual(['chain-stalled triggered: Bitcoin (bitcoind) is still not ready']);
  });

  it('a node that is behind after a restart of the bridge fires, since it was in sync before', async () => {
    const before = world();
    before.say = rpc(false, hex(1000));
    await before.chains.sync();
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    await before.chains.close();
    expect([...before.synced.keys()]).toEqual([GETH.dnpName]);

    const one = world();
    one.synced = before.synced;
    let block = 1000;
    one.say = () => behind((block += 1), block + 500)();
    await one.chains.sync();
    await vi.advanceTimersByTimeAsync(9 * MINUTE);
    expect(alerts(one)).toEqual([]);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(alerts(one)).toEqual(['chain-behind triggered: Ethereum (geth) has fallen behind']);
  });

  it.each(['while the bridge runs', 'while it is stopped', 'and back'])(
    'another address is another node, which has not been in sync: moved %s',
    async (when) => {
      const own = { url: 'http://127.0.0.1:1' };
      const overrides = () => new Map([[GETH.dnpName, own]]);
      let one = await started({ overrides });
      await vi.advanceTimersByTimeAsync(MINUTE);
      own.url = 'http://127.0.0.1:2';
      if (when === 'while it is stopped') {
        const { synced } = one;
        await one.chains.close();
        one = Object.assign(world({ overrides }), { synced });
      }
      let block = 1000;
      one.say = () => behind((block += 1), block + 500)();
      await one.chains.sync();
      await vi.advanceTimersByTimeAsync(HOUR);
      expect(alerts(one)).toEqual([]);
      if (when === 'and back') {
        own.url = 'http://127.0.0.1:1';
        await one.chains.sync();
        await vi.advanceTimersByTimeAsync(HOUR);
        expect(alerts(one)).toEqual(['chain-behind triggered: Ethereum (geth) has fallen behind']);
      }
    }
  );

  it('that a node has been in sync is stored, after a failed write as well', async () => {
    let attempts = 0;
    const kept: string[] = [];
    const keepSynced = ({ dnpName }: { dnpName: string }): Promise<void> => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error('the disk is full')) : Promise.resolve(void kept.push(dnpName));
    };
    const one = await started({ keepSynced });
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect([one.errors.length, kept]).toEqual([1, [GETH.dnpName]]);
    one.packages = [];
    await one.chains.sync();
    one.packages = [GETH];
    await one.chains.sync();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(kept).toEqual([GETH.dnpName, GETH.dnpName]);
  });

  it('few peers fire after ten minutes, and resolve with enough peers', async () => {
    const one = world();
    let block = 1000;
    let peers = '0x4';
    one.say = () => rpc(false, hex((block += 1)), peers)();
    await one.chains.sync();
    await vi.advanceTimersByTimeAsync(9 * MINUTE);
    expect(alerts(one)).toEqual([]);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(alerts(one)).toEqual(['chain-peers triggered: Ethereum (geth) has too few peers']);
    peers = '0x5';
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(alerts(one).at(-1)).toBe('chain-peers resolved: Ethereum (geth) has enough peers again');
  });

  it('configured thresholds apply at once', async () => {
    const one = await started({ say: behind(5) });
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(alerts(one)).toEqual([]);
    one.limit = (_dnpName, correlationId) => (correlationId === 'chain-stalled' ? 2 : undefined);
    await one.chains.sync();
    await vi.advanceTimersByTimeAsync(16_000);
    expect(one.chains.snapshot().nodes[0]!.limits.stalledMinutes).toBe(2);
    expect(alerts(one)).toHaveLength(1);
  });

  it('no alert in place of an endpoint of the package with the same id', async () => {
    const one = await started({ packages: [{ ...GETH, own: ['chain-unreachable', 'chain-stalled'] }] });
    await vi.advanceTimersByTimeAsync(MINUTE);
    await after(one, throwing('unreachable', 'ECONNREFUSED'), HOUR);
    await after(one, rpc(false, hex(1000), '0x1'), HOUR);
    expect(alerts(one)).toEqual(['chain-peers triggered: Ethereum (geth) has too few peers']);
  });

  it('no alert for a package that was never seen running', async () => {
    const one = await started({ say: throwing('name', 'ENOTFOUND') });
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(alerts(one)).toEqual([]);
    await after(one, throwing('unreachable', 'ECONNREFUSED'), HOUR);
    expect(alerts(one)).toEqual(['chain-unreachable triggered: Ethereum (geth) is unreachable']);
  });

  it('an alert that was open before a restart is not sent again, and is resolved', async () => {
    const one = world();
    one.open = [{ dnpName: GETH.dnpName, correlationId: 'chain-stalled', byBridge: true }];
    one.say = behind(5);
    await one.chains.sync();
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(alerts(one)).toEqual([]);
    await after(one, rpc(false, hex(1000)), MINUTE);
    expect(alerts(one)).toEqual(['chain-stalled resolved: Ethereum (geth) is back in sync']);
  });

  it('an open alert of a package that was removed while the bridge was stopped, or has no address now, is resolved', async () => {
    const one = world();
    const nowhere = { ...GETH, dnpName: 'elsewhere.example.eth' };
    one.packages = [nowhere];
    one.open = [
      { dnpName: 'gone.dnp.dappnode.eth', correlationId: 'chain-stalled', byBridge: true },
      { dnpName: nowhere.dnpName, correlationId: 'chain-unreachable', byBridge: true },
    ];
    await one.chains.sync();
    expect(alerts(one).sort()).toEqual([
      'chain-stalled resolved: gone.dnp.dappnode.eth is no longer monitored',
      'chain-unreachable resolved: elsewhere.example.eth is no longer monitored',
    ]);
    await one.chains.sync();
    expect(one.received).toHaveLength(2);
  });

  it('a stalled node that responds again has not made progress yet', async () => {
    const one = await started({ say: behind(5) });
    await vi.advanceTimersByTimeAsync(15 * MINUTE);
    await after(one, throwing('unreachable', 'ECONNREFUSED'), 5 * MINUTE);
    await after(one, behind(5), 15 * MINUTE);
    expect(one.lines).toEqual(['syncing', 'stalled', 'unreachable refused', 'syncing', 'stalled']);
    expect(alerts(one)).toHaveLength(1);
  });

  it('an alert that was resolved or deleted by hand is not resolved again', async () => {
    const one = await started({ say: behind(5) });
    await vi.advanceTimersByTimeAsync(15 * MINUTE);
    one.open = [];
    await after(one, rpc(false, hex(1000)), MINUTE);
    expect(alerts(one)).toHaveLength(1);
  });

  it('an alert of a removed package is resolved', async () => {
    const one = await started({ say: behind(5) });
    await vi.advanceTimersByTimeAsync(15 * MINUTE);
    one.packages = [];
    await one.chains.sync();
    expect(alerts(one).at(-1)).toBe('chain-stalled resolved: Ethereum (geth) is no longer monitored');
  });

  it('a failed write is retried', async () => {
    let broken = true;
    const received: string[] = [];
    const one = world({
      receive: (incoming) => {
        if (broken) {
          return Promise.reject(new Error('the disk is full'));
        }
        received.push(...incoming.map(({ payload }) => payload.correlationId!));
        return Promise.resolve();
      },
    });
    one.say = behind(5);
    await one.chains.sync();
    await vi.advanceTimersByTimeAsync(12 * MINUTE);
    expect(one.errors.length).toBeGreaterThan(0);
    broken = false;
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(received).toEqual(['chain-stalled']);
  });
});

describe('monitored nodes', () => {
  it('an unrelated change of the package keeps the state of the node', async () => {
    const one = await started();
    await vi.advanceTimersByTimeAsync(MINUTE);
    one.packages = [{ ...GETH, version: '1.0.1', revision: 'r2' }];
    await one.chains.sync();
    expect(one.chains.snapshot().nodes[0]).toMatchObject({ packageVersion: '1.0.1', state: 'synced' });
    one.packages = [{ ...GETH, chain: { ...GETH.chain, port: 9545 } }];
    await one.chains.sync();
    expect(one.chains.snapshot().nodes[0]).toMatchObject({ state: 'waiting' });
    expect(one.addresses.map(({ url }) => url)).toEqual(['http://geth.dappnode:8545/', 'http://geth.dappnode:9545/']);
  });

  it("the operator's address and interval take precedence", async () => {
    const one = world({
      overrides: () =>
        new Map([[GETH.dnpName, { url: 'http://127.0.0.1:1', interval: 60, username: 'a', password: 'b' }]]),
    });
    await one.chains.sync();
    await vi.advanceTimersByTimeAsync(5 * MINUTE + 1000);
    expect(one.addresses).toEqual([
      { url: 'http://127.0.0.1:1/', origin: 'provisioned', credentials: { username: 'a', password: 'b' } },
    ]);
    expect(one.requests).toBe(6);
    expect(JSON.stringify(one.chains.snapshot())).not.toContain('127.0.0.1');
  });

  it('the compose file is read once for each revision', async () => {
    let read = 0;
    const one = world({
      environment: () => {
        read += 1;
        return Promise.resolve({ username: 'u', password: 'p' });
      },
    });
    one.packages = [{ ...GETH, chain: { driver: 'bitcoin', supported: true } }];
    await one.chains.sync();
    await one.chains.sync();
    expect([read, one.addresses[0]?.credentials]).toEqual([1, { username: 'u', password: 'p' }]);
    one.packages = [{ ...one.packages[0]!, revision: 'r2' }];
    await one.chains.sync();
    expect(read).toBe(2);
  });

  it('a failed sync is logged, and tried again by itself', async () => {
    let fails = true;
    const one = world({ packages: () => (fails ? Promise.reject(new Error('no')) : Promise.resolve([GETH])) });
    await one.chains.sync();
    expect(one.errors).toHaveLength(1);
    fails = false;
    await vi.advanceTimersByTimeAsync(5000);
    expect(one.chains.snapshot().nodes).toHaveLength(1);
  });

  it('nothing is polled after close, and no timer is left', async () => {
    const one = await started();
    await vi.advanceTimersByTimeAsync(MINUTE);
    await one.chains.close();
    const { requests } = one;
    await one.chains.sync();
    await vi.advanceTimersByTimeAsync(HOUR);
    expect([one.requests, vi.getTimerCount()]).toEqual([requests, 0]);
  });
});
