import { beforeEach, describe, expect, test } from 'vitest';
import type { OpenAlert } from '../chains/store.ts';
import { type AlertOwnership, createAlertOwnership } from './alertOwnership.ts';
import { endpointKey, type Monitor, type MonitoredEndpoint, type SyncResult, type Transfer } from './monitor.ts';

const NODE = 'geth.example.eth';
const MINUTE = 60_000;
const endpoint = (correlationId: string, on = true): MonitoredEndpoint => ({
  dnpName: NODE,
  shipped: { kind: 'chain', correlationId, title: 't', isBanner: false, enabled: true },
  on,
});
const PEERS = endpoint('chain-peers');
const BEHIND = endpoint('chain-behind');

let now: number;
let open: OpenAlert[];
let openAlerts: () => Promise<OpenAlert[]>;
let ownership: AlertOwnership;
beforeEach(() => {
  now = 1_000_000;
  open = [];
  openAlerts = () => Promise.resolve(open);
  ownership = createAlertOwnership({ isEnabled: true, openAlerts: () => openAlerts(), now: () => now });
});
const owned = (): string[] =>
  [PEERS, BEHIND].map(({ shipped: { correlationId: id } }) => id).filter((id) => ownership.isOwnedByRule(NODE, id));

/** A monitor whose rules of these endpoints are active after the sync. */
const withActive = (...active: MonitoredEndpoint[]): SyncResult => ({
  readOnly: new Map(),
  rejected: new Map(),
  active: new Set(active.map(endpointKey)),
});
async function sync(
  respond: (transfer: Transfer) => SyncResult | Promise<SyncResult>,
  endpoints = [PEERS, BEHIND]
): Promise<SyncResult> {
  const monitor: Pick<Monitor, 'sync'> = { sync: async (_, transfer) => respond(transfer!) };
  return ownership.sync(monitor, endpoints);
}

describe('the bridge sends the alerts', () => {
  test('if no monitor is configured for them', () => {
    ownership = createAlertOwnership({ isEnabled: false, openAlerts, now: () => now });
    expect(owned()).toEqual([]);
  });

  test('of endpoints without an active rule', async () => {
    await sync(() => withActive(PEERS));
    expect(owned()).toEqual(['chain-peers']);
    await sync(() => withActive(BEHIND));
    expect(owned()).toEqual(['chain-behind']);
  });

  test('if another endpoint has the id of a node', async () => {
    const query: MonitoredEndpoint = { ...PEERS, shipped: { ...PEERS.shipped, kind: 'monitored' } };
    await sync(() => withActive(PEERS), [query]);
    expect(owned()).toEqual([]);
  });

  test('after a failed sync', async () => {
    await sync(() => withActive(PEERS, BEHIND));
    await expect(sync(() => Promise.reject(new Error('unreachable')))).rejects.toThrow('unreachable');
    expect(owned()).toEqual([]);
  });

  test('if its open alerts cannot be read', async () => {
    await sync(() => withActive(PEERS, BEHIND));
    openAlerts = () => Promise.reject(new Error('the disk'));
    await expect(sync(() => withActive(PEERS))).rejects.toThrow('the disk');
    expect(owned()).toEqual([]);
  });

  test('while its metrics are not scraped: new rules are withheld, with the reason', async () => {
    await sync(() => withActive(PEERS));
    now += 5 * MINUTE - 1;
    expect(owned()).toEqual(['chain-peers']);
    now += 1;
    expect(owned()).toEqual([]);
    const off = endpoint('chain-behind', false);
    let given: Transfer | undefined;
    const { rejected } = await sync(
      (transfer) => {
        given = transfer;
        return withActive(PEERS);
      },
      [PEERS, off]
    );
    expect(given).toEqual({
      withheld: new Map([[endpointKey(PEERS), expect.stringContaining('/metrics')]]),
      active: new Set([endpointKey(PEERS)]),
    });
    expect([...rejected.keys()]).toEqual([endpointKey(PEERS)]);
    expect(owned()).toEqual([]);
    ownership.metricsScraped();
    expect(owned()).toEqual(['chain-peers']);
  });
});

describe('the bridge sends no alerts', () => {
  test('before the first sync', () => {
    expect(owned()).toEqual(['chain-peers', 'chain-behind']);
  });

  test('while a rule is being created', async () => {
    await sync(() => withActive());
    expect(owned()).toEqual([]);
    await sync(() => {
      expect(owned()).toEqual(['chain-peers']);
      return withActive();
    }, [PEERS]);
    expect(owned()).toEqual([]);
  });
});

test('a rule is withheld while the bridge has an open alert; open alerts of others do not matter', async () => {
  open = [
    { dnpName: NODE, correlationId: 'chain-peers', byBridge: true },
    { dnpName: NODE, correlationId: 'chain-behind', byBridge: false },
  ];
  await sync(() => withActive());
  const { rejected } = await sync(({ withheld }) => {
    expect([...withheld.keys()]).toEqual([endpointKey(PEERS)]);
    expect(owned()).toEqual(['chain-behind']);
    return withActive();
  });
  expect([...rejected]).toEqual([[endpointKey(PEERS), expect.stringContaining('when it resolves')]]);
});
