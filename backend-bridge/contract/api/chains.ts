/** Operations: chains. */
import { chainsSchema } from '../chain.ts';
import { chainHistorySchema } from '../history.ts';
import { get, ok, operations, segment } from '../operation.ts';

export const CHAINS = operations('Chains', {
  listChains: get('/chains', 'chains:read', {
    summary: 'Sync status of the node of each package with a chain',
    reply: ok('The nodes, by name.', () => chainsSchema),
  }),
  chainHistory: get('/chains/{dnpName}/history', 'chains:read', {
    summary: 'How many blocks a node was behind in the last 24 hours, from Prometheus; 404 if none is configured',
    params: { dnpName: segment('The name of the package.') },
    reply: ok('The history.', () => chainHistorySchema),
    problems: [404, 503],
  }),
});
