/** The figures of the nodes for Prometheus. Two labels, both from registered packages, so there are no more than nodes. */
import { Gauge, type Registry } from 'prom-client';
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

/** Figures of a node that does not answer are not told as if they were of now. */
export function chainMetrics(registry: Registry, nodes: ChainService['nodes']): void {
  const register = (name: string, help: string, read: (memory: NodeMemory) => number | undefined): void => {
    new Gauge({
      name,
      help,
      labelNames: ['package', 'chain'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { source, memory } of nodes()) {
          const value = memory.checkedAt === undefined ? undefined : read(memory);
          if (value !== undefined) {
            this.set({ package: source.pkg.dnpName, chain: source.pkg.chain.driver }, value);
          }
        }
      },
    });
  };
  register('nodebell_chain_up', '1 while the node gives usable answers, else 0.', (memory) => (isUp(memory) ? 1 : 0));
  GAUGES.forEach(([name, help, read]) => register(name, help, (memory) => (isUp(memory) ? read(memory) : undefined)));
}

const isUp = ({ state }: NodeMemory): boolean => state !== 'unreachable' && state !== 'stopped' && state !== 'error';
