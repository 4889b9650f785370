/**
 * Decides whether the bridge or a rule in a monitor sends the alerts of a node. The bridge keeps sending them until the rule is active and
 * its metrics are scraped; a rule is created only if the bridge has no open alert. So no alert is lost and none is sent twice.
 */
import { endpointKey, type Monitor, type MonitoredEndpoint, type SyncResult } from './monitor.ts';

/** An open alert of a node. */
interface OpenAlert {
  dnpName: string;
  correlationId: string;
  /** Sent by the bridge itself. */
  byBridge: boolean;
}

export interface AlertOwnershipDeps {
  /** Whether a monitor is configured to send the alerts of nodes. */
  isEnabled: boolean;
  openAlerts: () => Promise<readonly OpenAlert[]>;
  /** UTC milliseconds. */
  now: () => number;
}

/** Metrics are scraped every minute or more often; a missed scrape changes nothing. */
const SCRAPE_TIMEOUT_MS = 5 * 60_000;
const NOT_SCRAPED =
  'The metrics of the bridge (/metrics) have not been scraped for five minutes, so a rule would have no data. The bridge sends the alerts itself.';
const OPEN = 'The bridge has an open alert. The rule is created when it resolves.';

const keyOf = (dnpName: string, correlationId: string): string => endpointKey({ dnpName, shipped: { correlationId } });
const NONE: ReadonlySet<string> = new Set();

export type AlertOwnership = ReturnType<typeof createAlertOwnership>;

export function createAlertOwnership({ isEnabled, openAlerts, now }: AlertOwnershipDeps) {
  let active = NONE;
  /** Nodes whose rules are about to be created: the bridge starts no alert between the look at its open alerts and the sync. */
  let reserved = NONE;
  /** False until the first sync: the rules that exist are unknown, and new alerts can wait that long. */
  let isKnown = false;
  // Time for the first scrape after a start.
  let scrapedAt = now();
  const isScraped = (): boolean => now() - scrapedAt < SCRAPE_TIMEOUT_MS;

  return {
    /** Whether a rule sends the alerts of this endpoint, so that the bridge does not. */
    isOwnedByRule(dnpName: string, correlationId: string): boolean {
      const key = keyOf(dnpName, correlationId);
      return isEnabled && isScraped() && (!isKnown || active.has(key) || reserved.has(key));
    },
    /** The metrics of the bridge were scraped. */
    metricsScraped: (): void => void (scrapedAt = now()),
    /** Endpoints whose alerts a rule sends: for the other replicas. */
    owned: (): string[] => (isEnabled && isScraped() ? [...active] : []),
    /** Shows the {@link owned} endpoints of the replica that leads. */
    adopt: (owned: readonly string[]): void => void ([active, isKnown, scrapedAt] = [new Set(owned), true, now()]),
    /** Nothing is known of the rules: they may have changed since the last sync. */
    restart: (): void => void ([active, reserved, isKnown, scrapedAt] = [NONE, NONE, false, now()]),
    /** Syncs a monitor and transfers the alerts of its nodes to its rules. @throws as {@link Monitor.sync}; then the bridge owns all alerts */
    async sync(monitor: Pick<Monitor, 'sync'>, endpoints: readonly MonitoredEndpoint[]): Promise<SyncResult> {
      const nodes = endpoints.filter(({ shipped }) => shipped.kind === 'chain');
      const on = nodes.filter((one) => one.on).map(endpointKey);
      let after = NONE;
      try {
        reserved = new Set(on);
        const alerts = (await openAlerts()).filter(({ byBridge }) => byBridge);
        const open = new Set(alerts.map((one) => keyOf(one.dnpName, one.correlationId)));
        reserved = new Set(on.filter((key) => !open.has(key)));
        const withheld = new Map(
          on.flatMap((key) => (isScraped() ? (open.has(key) ? [[key, OPEN]] : []) : [[key, NOT_SCRAPED]]))
        );
        const result = await monitor.sync(endpoints, { active, withheld });
        after = new Set(nodes.map(endpointKey).filter((key) => result.active.has(key)));
        return { ...result, rejected: new Map([...withheld, ...result.rejected]) };
      } finally {
        [active, reserved, isKnown] = [after, NONE, true];
      }
    },
  };
}
