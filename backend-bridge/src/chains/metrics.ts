/** The figures of the nodes for Prometheus. Two labels, both from registered packages, so there are no more than nodes. */
import { Gauge, type Registry } from 'prom-client';
import type { ChainLimits } from '../../contract/chain.ts';
import { wantedNotices } from './notices.ts';
import type { ChainService } from './service.ts';
import type { NodeMemory } from './state.ts';

const GAUGES: [name: string, help: string, read: (memory: NodeMemory) => number | undefined][] = [
  [
    'nodebell_chain_blocks_current',
    'The newest block that the node has (beacon chains: slot).',
    ({ current }) => current,
  ],
  ['nodebell_chain_blocks_target', 'The newest block that the node knows of.', ({ target }) => target],
  [
    'nodebell_chain_blocks_behind',
    'How many blocks the node lacks.',
    ({ current, target }) => (current === undefined || target === undefined ? undefined : target - current),
  ],
  ['nodebell_chain_peers', 'Peers that the node is connected to, where it tells.', ({ peers }) => peers],
  [
    'nodebell_chain_sync_ratio',
    'How much of the chain the node has: 0 to 1.',
    ({ current, target }) => {
      if (current === undefined || target === undefined) {
        return undefined;
      }
      return current >= target ? 1 : current / target;
    },
  ],
];

type Judged = (memory: NodeMemory, limits: ChainLimits, now: number) => number | undefined;

/**
 * What the bridge tells of a node, as figures, for rules that tell of it in its place ({@link wantedNotices}): at least the limit
 * while there is something to tell, less when it is over, and absent while nobody can say.
 */
const JUDGED: [name: string, help: string, read: Judged][] = [
  [
    'nodebell_chain_fallen_behind_blocks',
    'Blocks that a node lacks that was in sync and has not been for ten minutes; above its limit until it is back in sync.',
    (memory, limits, now) => {
      const { current, target } = memory;
      const behind = current === undefined || target === undefined ? 0 : target - current;
      const wanted = wantedNotices(memory, limits, now).behind;
      // One that is not ready does not say how many it lacks.
      return { raise: Math.max(behind, limits.behind + 1), clear: Math.min(behind, limits.behind), keep: undefined }[
        wanted
      ];
    },
  ],
  [
    'nodebell_chain_no_progress_seconds',
    'Seconds without a new block, of a node that is behind or not ready; 0 while it is in sync.',
    (memory, limits, now) => {
      const { state, cause, progressAt, notReadySince } = memory;
      const wanted = wantedNotices(memory, limits, now).stalledMinutes;
      const still = state === 'starting' ? secondsSince(notReadySince, now) : secondsSince(progressAt, now);
      const isCatchingUp = state === 'syncing' && cause !== 'state-download';
      return { raise: Math.max(still, limits.stalledMinutes * 60), clear: isCatchingUp ? still : 0, keep: undefined }[
        wanted
      ];
    },
  ],
  [
    'nodebell_chain_unanswered_seconds',
    'Seconds without a usable answer; 0 while the node answers.',
    (memory, limits, now) => {
      const { answered, state, failingSince } = memory;
      const isNews = !isUp(memory) && (answered || state !== 'stopped');
      const isOver = wantedNotices(memory, limits, now).unreachableMinutes === 'clear';
      return isNews ? secondsSince(failingSince, now) : isOver ? 0 : undefined;
    },
  ],
];

const secondsSince = (then: number | undefined, now: number): number =>
  then === undefined ? 0 : Math.max(0, now - then) / 1000;

/**
 * Figures of a node that does not answer are not told as if they were of now.
 * @param now UTC milliseconds
 */
export function chainMetrics(registry: Registry, nodes: ChainService['nodes'], now: () => number): void {
  const register = (name: string, help: string, read: Judged): void => {
    new Gauge({
      name,
      help,
      labelNames: ['package', 'chain'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { source, memory } of nodes()) {
          const value = memory.checkedAt === undefined ? undefined : read(memory, source.limits, now());
          if (value !== undefined) {
            this.set({ package: source.pkg.dnpName, chain: source.pkg.chain.driver }, value);
          }
        }
      },
    });
  };
  register('nodebell_chain_up', '1 while the node gives usable answers, else 0.', (memory) => (isUp(memory) ? 1 : 0));
  JUDGED.forEach(([name, help, read]) => register(name, help, read));
  GAUGES.forEach(([name, help, read]) => register(name, help, (memory) => (isUp(memory) ? read(memory) : undefined)));
}

const isUp = ({ state }: NodeMemory): boolean => state !== 'unreachable' && state !== 'stopped' && state !== 'error';
