/** The metrics of the nodes. Both labels come from registered packages, so that cardinality is bounded by the number of nodes. */
import { setImmediate } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { ChainLimits } from '../../../contract/chain.ts';
import { createSerial } from '../../platform/runtime/serial.ts';
import { wantedAlerts } from './alerts.ts';
import type { ChainService } from './service.ts';
import { behindOf, type NodeState, ratioOf } from './nodeState.ts';

const GAUGES: [name: string, help: string, read: (nodeState: NodeState) => number | undefined][] = [
  ['nodebell_chain_blocks_current', 'Newest block of the node (beacon chains: slot).', ({ current }) => current],
  ['nodebell_chain_blocks_target', 'Newest block of the chain that the node knows of.', ({ target }) => target],
  ['nodebell_chain_blocks_behind', 'Blocks that the node is behind.', behindOf],
  ['nodebell_chain_peers', 'Connected peers, if reported.', ({ peers }) => peers],
  ['nodebell_chain_sync_ratio', 'Synced fraction of the chain, 0 to 1.', ratioOf],
];

type Derived = (nodeState: NodeState, limits: ChainLimits, now: number) => number | undefined;

/**
 * The bridge's own alerts ({@link wantedAlerts}) as values, for rules of a monitor: beyond the limit while the alert fires, within
 * it when it resolves, absent while undecided.
 */
const DERIVED: [name: string, help: string, read: Derived][] = [
  [
    'nodebell_chain_fallen_behind_blocks',
    'Blocks behind of a node that was in sync and has not been for ten minutes; above its limit until it is back in sync.',
    (nodeState, limits, now) => {
      const behind = behindOf(nodeState) ?? 0;
      const wanted = wantedAlerts(nodeState, limits, now).behind;
      // A node that is not ready does not report how far it is behind.
      return { fire: Math.max(behind, limits.behind + 1), resolve: Math.min(behind, limits.behind), keep: undefined }[
        wanted
      ];
    },
  ],
  [
    'nodebell_chain_no_progress_seconds',
    'Seconds without a new block, of a node that is behind or not ready; 0 while it is in sync.',
    (nodeState, limits, now) => {
      const { state, cause, progress, notReadySince } = nodeState;
      const wanted = wantedAlerts(nodeState, limits, now).stalledMinutes;
      const still = state === 'starting' ? secondsSince(notReadySince, now) : secondsSince(progress.at, now);
      const isCatchingUp = state === 'syncing' && cause !== 'state-download';
      return { fire: Math.max(still, limits.stalledMinutes * 60), resolve: isCatchingUp ? still : 0, keep: undefined }[
        wanted
      ];
    },
  ],
  [
    'nodebell_chain_unanswered_seconds',
    'Seconds without a usable response; 0 while the node responds.',
    (nodeState, limits, now) => {
      const { responded, state, failing } = nodeState;
      const isFailing = !isUp(nodeState) && (responded || state !== 'stopped');
      const isResolved = wantedAlerts(nodeState, limits, now).unreachableMinutes === 'resolve';
      return isFailing ? secondsSince(failing?.since, now) : isResolved ? 0 : undefined;
    },
  ],
];

const secondsSince = (then: number | undefined, now: number): number =>
  then === undefined ? 0 : Math.max(0, now - then) / 1000;

/**
 * Stale figures of a node that does not respond are not exported.
 * @param steady the bridge's own clock
 */
export function chainMetrics(registry: Registry, nodes: ChainService['nodes'], steady: () => number): void {
  // Each gauge in a turn of the event loop of its own: all of them together block it for long with hundreds of nodes.
  const inTurn = createSerial();
  const register = (name: string, help: string, read: Derived): void => {
    new Gauge({
      name,
      help,
      labelNames: ['package', 'chain'],
      registers: [registry],
      async collect() {
        await inTurn(() => setImmediate());
        this.reset();
        for (const { source, nodeState } of nodes()) {
          const value = nodeState.checkedAt === undefined ? undefined : read(nodeState, source.limits, steady());
          if (value !== undefined) {
            this.set({ package: source.pkg.dnpName, chain: source.pkg.chain.driver }, value);
          }
        }
      },
    });
  };
  register('nodebell_chain_up', '1 while the node responds with usable figures, else 0.', (nodeState) =>
    isUp(nodeState) ? 1 : 0
  );
  DERIVED.forEach(([name, help, read]) => register(name, help, read));
  GAUGES.forEach(([name, help, read]) =>
    register(name, help, (nodeState) => (isUp(nodeState) ? read(nodeState) : undefined))
  );
}

const isUp = ({ state }: NodeState): boolean => state !== 'unreachable' && state !== 'stopped' && state !== 'error';
