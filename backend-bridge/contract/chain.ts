/**
 * Sync state of each node: GET /chains, and the event `chain`. Figures are those that the node reports; what it does not
 * report is absent, never zero. Times are ISO 8601, UTC.
 */
import { z } from 'zod';
import { boolean, component, integer, list, nullable, number, oneOf, string, time } from './schema.ts';
import { CHAIN_DRIVERS, type ChainLimit } from './chainEndpoints.ts';
import { packageLinkSchema } from './package.ts';

/**
 * - `waiting`: not polled yet.
 * - `synced`: not behind, or by no more than the limit.
 * - `syncing`: behind, and not stalled.
 * - `stalled`: no sync progress for longer than the limit.
 * - `starting`: the node reports that it is not ready: it loads its index, or does not know the newest block of the chain yet.
 * - `unreachable`: no response from its address; see `cause`.
 * - `stopped`: its name does not exist in the node network, as while its container is stopped.
 * - `error`: no usable response; see `cause`. Never reported as syncing.
 * - `unsupported`: the bridge has no driver for this chain.
 * - `unconfigured`: no address is configured.
 */
export const CHAIN_STATES = [
  'waiting',
  'synced',
  'syncing',
  'stalled',
  'starting',
  'unreachable',
  'stopped',
  'error',
  'unsupported',
  'unconfigured',
] as const;
export type ChainState = (typeof CHAIN_STATES)[number];

/**
 * The cause of a state. With `unreachable`: `refused` (the connection), `timeout` (no response in time), `reset` (connection closed early),
 * `network` (no network route, or DNS is unavailable), `not-allowed` (the bridge must not connect to this address). With
 * `stopped`: `name`. With `error`: `unauthorised` (wrong or no password), `http-status`, `redirect`, `too-large`, `not-json`,
 * `not-understood` (JSON without the expected members), `number` (not an integer up to 2^53 - 1), `rpc-error`, `execution-offline` (of a beacon node). With `starting`:
 * `warming-up`, `no-peers`, `no-target` (the newest block of the chain is not known yet). With `syncing`: `state-download` (blocks are
 * downloaded, their state is not), `unverified` (the execution client has not verified the newest blocks). With `stalled`: `no-new-blocks` (it
 * reports in sync, but receives no new blocks).
 */
export const CHAIN_CAUSES = [
  'refused',
  'timeout',
  'reset',
  'network',
  'not-allowed',
  'name',
  'unauthorised',
  'http-status',
  'redirect',
  'too-large',
  'not-json',
  'not-understood',
  'number',
  'rpc-error',
  'warming-up',
  'no-target',
  'no-peers',
  'state-download',
  'unverified',
  'no-new-blocks',
  'execution-offline',
] as const;
export type ChainCause = (typeof CHAIN_CAUSES)[number];

const blocks = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const chainLimitsSchema = component('ChainLimits', 'Limits in effect for a node: the thresholds of its chain.', {
  behind: number('Maximum number of blocks behind while in sync (beacon chains: slots).'),
  stalledMinutes: number('Minutes without sync progress after which it is stalled.'),
  unreachableMinutes: number('Minutes without a usable response after which a notification is sent.'),
  peers: number('Minimum number of peers.'),
} satisfies Record<ChainLimit, z.ZodNumber>);
export type ChainLimits = z.infer<typeof chainLimitsSchema>;

export const chainNodeSchema = component('ChainNode', 'A node and its sync state.', {
  dnpName: string('The package.'),
  name: string('Display name of the package.', { examples: ['sepolia-geth'] }),
  packageVersion: string('The version of the package.'),
  upstreamVersion: string('The upstream version.').optional(),
  icon: string('Icon of the package: http:, https: or a path.').optional(),
  links: list('Links of the package, the predefined first.', packageLinkSchema),
  driver: string('The driver in the manifest.', { examples: [...CHAIN_DRIVERS] }),
  title: string('The name of the network that the node reports, or of the kind of chain.', {
    examples: ['Ethereum Sepolia', 'Bitcoin', 'Monero'],
  }),
  network: string('The network that the node reports: a chain id, `main`, `stagenet`; absent until then.').optional(),
  state: oneOf('The state.', CHAIN_STATES),
  cause: oneOf('The cause of the state, if any.', CHAIN_CAUSES).optional(),
  sentence: string('The state and its cause as text, to be shown unchanged; contains no figures that go stale.', {
    examples: ['Connection refused on port 18081. Is the package running?'],
  }),
  current: blocks.optional().describe('Its newest block (beacon chains: slot). Kept while it is unreachable.'),
  target: blocks.optional().describe('The newest block of the chain that it knows of.'),
  behind: blocks.optional().describe('Blocks behind: target minus current.'),
  ratio: number('current / target: 0 to 1; 1 only if not behind.').min(0).max(1).optional(),
  rate: number('Blocks per minute, recent median. Absent: not enough samples yet.').min(0).optional(),
  secondsLeft: nullable('Estimated seconds until it is in sync; null: unknown, or in sync.', z.number().min(0)),
  peers: integer('Connected peers; absent if not reported.').min(0).optional(),
  version: string('The client version that the node reports.', { examples: ['Geth/v1.17.4'] }).optional(),
  limits: chainLimitsSchema,
  interval: number('Poll interval in seconds, while the node responds.'),
  checkedAt: time('Time of the last poll, successful or not; absent: not polled yet.').optional(),
  figuresAt: time('Time of the figures above; older than checkedAt while polls fail.').optional(),
  changedAt: time('Time of the last change of state seen by the bridge.'),
});
export type ChainNode = z.infer<typeof chainNodeSchema>;

export const chainsSchema = component('Chains', 'Sync state of each node.', {
  now: time('Time of the bridge, so that ages do not depend on the clock of the client.'),
  nodes: list('One per registered package that names a chain, sorted by name.', chainNodeSchema),
  history: boolean('Whether `…/{dnpName}/history` is available. Absent: no.').optional(),
});
export type Chains = z.infer<typeof chainsSchema>;

/**
 * Event `chain`: nodes with new figures or a new state, complete, collected over a second. Sent to connected clients and not
 * stored: it has no id, and a client that reconnects (`hello`, `reset`) loads GET /chains again.
 */
export const chainEventSchema = z.object({
  now: time('Time of the bridge.'),
  nodes: list('New and changed nodes.', chainNodeSchema),
  removed: list('Packages that are no longer monitored.', z.string()),
});
export type ChainEvent = z.infer<typeof chainEventSchema>;
