/**
 * Who tells of a node: the bridge itself, or a rule in a monitor. The bridge goes on telling until a rule stands and has figures to
 * look at; a rule is made only where the bridge has told of nothing that is still open. So nothing is left untold, and nothing is
 * told by both.
 */
import type { OpenAlert } from '../chains/store.ts';
import { endpointKey } from './reconciler.ts';
import type { WatchedEndpoint } from '../thresholds/types.ts';

export interface Handover {
  /** Whether a rule tells of it, so that the bridge does not. */
  told: (dnpName: string, correlationId: string) => boolean;
  /** Somebody has read the metrics. */
  metricsRead: () => void;
  /** The bridge is about to tell a monitor what its rules are. */
  round(endpoints: readonly WatchedEndpoint[]): Promise<HandoverRound>;
}

export interface HandoverRound {
  /** Why no rule may begin to stand for it; undefined: one may, or it is no endpoint of a node. */
  keeps(endpoint: WatchedEndpoint): string | undefined;
  /** Whether a rule stood for it at the end of the round before. */
  stood(endpoint: WatchedEndpoint): boolean;
  /** What came of it. @param stands whether a rule is there that is not paused */
  done(endpoint: WatchedEndpoint, stands: boolean): void;
  /** @param known whether the monitor has answered, so that what was not `done` stands no more than it did */
  end(known: boolean): void;
}

export interface HandoverDeps {
  /** Whether a monitor is to tell of nodes at all. */
  isWanted: boolean;
  openNotices: () => Promise<readonly OpenAlert[]>;
  /** UTC milliseconds. */
  now: () => number;
}

/** Metrics are read each minute or more often; one that is missed is no reason. */
const UNREAD_MS = 5 * 60_000;
const UNREAD =
  'Nothing has read the metrics of the bridge (/metrics) for five minutes, so a rule would see nothing. The bridge tells of it by itself.';
const OPEN = 'The bridge has told of it, and waits for its end; then the rule takes over.';

const keyOf = (dnpName: string, correlationId: string): string => endpointKey({ dnpName, shipped: { correlationId } });

export function createHandover({ isWanted, openNotices, now }: HandoverDeps): Handover {
  let standing: ReadonlySet<string> = new Set();
  /** Not told by the bridge any more, since a rule is about to be made: between a look and a change nobody else may begin. */
  let reserved: ReadonlySet<string> = new Set();
  /** Before the first round nobody knows which rules are there; what there is to tell can wait for so long. */
  let isKnown = false;
  // Whoever reads the metrics gets the time to do so after a start.
  let readAt = now();
  const isRead = (): boolean => now() - readAt < UNREAD_MS;

  return {
    told(dnpName, correlationId) {
      const key = keyOf(dnpName, correlationId);
      return isWanted && isRead() && (!isKnown || standing.has(key) || reserved.has(key));
    },
    metricsRead: () => void (readAt = now()),
    async round(endpoints) {
      const before = standing;
      const ofNodes = endpoints.filter(({ shipped, on }) => shipped.kind === 'chain' && on).map(endpointKey);
      reserved = new Set(ofNodes);
      const notices = await openNotices().catch((error: unknown) => {
        [standing, reserved, isKnown] = [new Set(), new Set(), true];
        throw error;
      });
      const open = new Set(
        notices.filter(({ byBridge }) => byBridge).map((one) => keyOf(one.dnpName, one.correlationId))
      );
      reserved = new Set(ofNodes.filter((key) => !open.has(key)));
      const after = new Set<string>();
      return {
        keeps(endpoint) {
          if (endpoint.shipped.kind !== 'chain' || !endpoint.on) {
            return undefined;
          }
          return isRead() ? (open.has(endpointKey(endpoint)) ? OPEN : undefined) : UNREAD;
        },
        stood: (endpoint) => before.has(endpointKey(endpoint)),
        done(endpoint, stands) {
          if (stands && endpoint.shipped.kind === 'chain') {
            after.add(endpointKey(endpoint));
          }
        },
        end(known) {
          standing = known ? after : new Set();
          reserved = new Set();
          isKnown = true;
        },
      };
    },
  };
}

/** For a monitor that has no rules for nodes. */
export const NO_HANDOVER: Pick<Handover, 'round'> = {
  round: () =>
    Promise.resolve({ keeps: () => undefined, stood: () => false, done: () => undefined, end: () => undefined }),
};
