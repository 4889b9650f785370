/**
 * Sync state of each node: GET /chains, and the event `chain`. Figures are those that the node reports; what it does not
 * report is absent, never zero. Times are ISO 8601, UTC.
 */
import { z } from 'zod';
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

export const chainLimitsSchema = z
  .object({
    behind: z.number().describe('Maximum number of blocks behind while in sync (beacon chains: slots).'),
    stalledMinutes: z.number().describe('Minutes without sync progress after which it is stalled.'),
    unreachableMinutes: z.number().describe('Minutes without a usable response after which a notification is sent.'),
    peers: z.number().describe('Minimum number of peers.'),
  } satisfies Record<ChainLimit, z.ZodNumber>)
  .meta({ id: 'ChainLimits', description: 'Limits in effect for a node: the thresholds of its chain.' });
export type ChainLimits = z.infer<typeof chainLimitsSchema>;

export const chainNodeSchema = z
  .object({
    dnpName: z.string().describe('The package.'),
    name: z
      .string()
      .describe('Display name of the package.')
      .meta({ examples: ['sepolia-geth'] }),
    packageVersion: z.string().describe('The version of the package.'),
    upstreamVersion: z.string().optional().describe('The upstream version.'),
    icon: z.string().optional().describe('Icon of the package: http:, https: or a path.'),
    links: z.array(packageLinkSchema).describe('Links of the package, the predefined first.'),
    driver: z
      .string()
      .describe('The driver in the manifest.')
      .meta({ examples: [...CHAIN_DRIVERS] }),
    title: z
      .string()
      .describe('The name of the network that the node reports, or of the kind of chain.')
      .meta({ examples: ['Ethereum Sepolia', 'Bitcoin', 'Monero'] }),
    network: z
      .string()
      .optional()
      .describe('The network that the node reports: a chain id, `main`, `stagenet`; absent until then.'),
    state: z.enum(CHAIN_STATES).describe('The state.'),
    cause: z.enum(CHAIN_CAUSES).optional().describe('The cause of the state, if any.'),
    sentence: z
      .string()
      .describe('The state and its cause as text, to be shown unchanged; contains no figures that go stale.')
      .meta({ examples: ['Connection refused on port 18081. Is the package running?'] }),
    current: blocks.optional().describe('Its newest block (beacon chains: slot). Kept while it is unreachable.'),
    target: blocks.optional().describe('The newest block of the chain that it knows of.'),
    behind: blocks.optional().describe('Blocks behind: target minus current.'),
    ratio: z.number().min(0).max(1).optional().describe('current / target: 0 to 1; 1 only if not behind.'),
    rate: z.number().min(0).optional().describe('Blocks per minute, recent median. Absent: not enough samples yet.'),
    secondsLeft: z
      .number()
      .min(0)
      .nullable()
      .describe('Estimated seconds until it is in sync; null: unknown, or in sync.'),
    peers: z.int().min(0).optional().describe('Connected peers; absent if not reported.'),
    version: z
      .string()
      .optional()
      .describe('The client version that the node reports.')
      .meta({ examples: ['Geth/v1.17.4'] }),
    limits: chainLimitsSchema,
    interval: z.number().describe('Poll interval in seconds, while the node responds.'),
    checkedAt: z.iso
      .datetime()
      .optional()
      .describe('Time of the last poll, successful or not; absent: not polled yet.'),
    figuresAt: z.iso
      .datetime()
      .optional()
      .describe('Time of the figures above; older than checkedAt while polls fail.'),
    changedAt: z.iso.datetime().describe('Time of the last change of state seen by the bridge.'),
  })
  .meta({ id: 'ChainNode', description: 'A node and its sync state.' });
export type ChainNode = z.infer<typeof chainNodeSchema>;

export const chainsSchema = z
  .object({
    now: z.iso.datetime().describe('Time of the bridge, so that ages do not depend on the clock of the client.'),
    nodes: z.array(chainNodeSchema).describe('One per registered package that names a chain, sorted by name.'),
    history: z.boolean().optional().describe('Whether `…/{dnpName}/history` is available. Absent: no.'),
  })
  .meta({ id: 'Chains', description: 'Sync state of each node.' });
export type Chains = z.infer<typeof chainsSchema>;

/**
 * Event `chain`: nodes with new figures or a new state, complete, collected over a second. Sent to connected clients and not
 * stored: it has no id, and a client that reconnects (`hello`, `reset`) loads GET /chains again.
 */
export const chainEventSchema = z.object({
  now: z.iso.datetime().describe('Time of the bridge.'),
  nodes: z.array(chainNodeSchema).describe('New and changed nodes.'),
  removed: z.array(z.string()).describe('Packages that are no longer monitored.'),
});
export type ChainEvent = z.infer<typeof chainEventSchema>;
