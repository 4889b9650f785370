/**
 * How far each node has synced: GET /chains, and the event `chain`. Figures are what the node itself says; where it does not
 * say, the member is absent, never zero. Times are ISO 8601, UTC.
 */
import { z } from 'zod';
import { packageLinkSchema } from './package.ts';

/** Kinds of nodes that the bridge can ask. `ethereum-beacon-chain` and its Prysm spelling speak the same beacon API. */
export const CHAIN_DRIVERS = ['ethereum', 'bitcoin', 'monero', 'ethereum-beacon-chain'] as const;
export type ChainDriver = (typeof CHAIN_DRIVERS)[number];

/**
 * - `waiting`: it has not been asked yet.
 * - `synced`: it has all blocks, or lacks no more than the limit.
 * - `syncing`: it is behind and gets closer, or has not been watched for long enough to say that it does not.
 * - `stalled`: it has made no progress for as long as the limit says.
 * - `starting`: it says itself that it is not ready yet: it loads its index, or does not know yet how far the chain is.
 * - `unreachable`: nothing answers at its address; `cause` says what happens instead.
 * - `stopped`: its name is not in the node's network, as it is while its container does not run.
 * - `error`: it answers, but not with what can be used; `cause` says what is wrong. Never told as syncing.
 * - `unsupported`: the bridge does not know this kind of chain.
 * - `unconfigured`: the bridge has no address to ask at.
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
 * Why a state is what it is. With `unreachable`: `refused` (the connection), `timeout` (no answer in time), `reset` (cut off),
 * `network` (no route, the name service does not answer), `not-allowed` (the bridge must not connect to this address). With
 * `stopped`: `name`. With `error`: `unauthorised` (wrong or no password), `http-status`, `redirect`, `too-large`, `not-json`,
 * `not-understood` (JSON, but not the expected members), `number` (no whole number up to 2^53 - 1), `rpc-error`, `execution-offline` (of a beacon node). With `starting`:
 * `warming-up`, `no-peers`, `no-target` (it does not know yet how far the chain is). With `syncing`: `state-download` (blocks are there,
 * their state is not yet), `unverified` (the execution client has not verified the newest blocks). With `stalled`: `no-new-blocks` (it
 * says that it is in sync, but blocks have stopped).
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
    behind: z.number().describe('More blocks behind than this, and it is not in sync (beacon chains: slots).'),
    stalledMinutes: z.number().describe('Minutes without progress after which it is stalled.'),
    unreachableMinutes: z.number().describe('Minutes without a usable answer after which a notification is sent.'),
    peers: z.number().describe('Fewer peers than this are too few.'),
  })
  .meta({ id: 'ChainLimits', description: 'Limits in effect for a node: the thresholds of its chain.' });
export type ChainLimits = z.infer<typeof chainLimitsSchema>;

export const chainNodeSchema = z
  .object({
    dnpName: z.string().describe('The package.'),
    name: z
      .string()
      .describe('A short name of the package, to be read by people.')
      .meta({ examples: ['sepolia-geth'] }),
    packageVersion: z.string().describe('The version of the package.'),
    upstreamVersion: z.string().optional().describe('The version of what it wraps, in its own words.'),
    icon: z.string().optional().describe('Icon of the package: http:, https: or a path.'),
    links: z.array(packageLinkSchema).describe('Links of the package, the predefined first.'),
    driver: z
      .string()
      .describe('As the manifest names it.')
      .meta({ examples: [...CHAIN_DRIVERS] }),
    title: z
      .string()
      .describe('The chain in words: the network as the node tells it, else the kind of chain.')
      .meta({ examples: ['Ethereum Sepolia', 'Bitcoin', 'Monero'] }),
    network: z
      .string()
      .optional()
      .describe('The network in the words of the node: a chain id, `main`, `stagenet`; absent until it has said so.'),
    state: z.enum(CHAIN_STATES).describe('How it stands.'),
    cause: z.enum(CHAIN_CAUSES).optional().describe('What lies behind the state, where there is something to say.'),
    sentence: z
      .string()
      .describe('The state with its cause in words, to be shown as it is; without figures that age.')
      .meta({ examples: ['Connection refused on port 18081. Is the package running?'] }),
    current: blocks
      .optional()
      .describe('The newest block that it has (beacon chains: slot). Kept while it is unreachable.'),
    target: blocks.optional().describe('The newest block that it knows of.'),
    behind: blocks.optional().describe('How many blocks it lacks: target less current.'),
    ratio: z.number().min(0).max(1).optional().describe('current of target: 0 to 1; 1 only when nothing is lacking.'),
    rate: z
      .number()
      .min(0)
      .optional()
      .describe('Blocks a minute: the median of the recent past. Absent: unknown, not watched for long enough.'),
    secondsLeft: z
      .number()
      .min(0)
      .nullable()
      .describe(
        'Estimate of the seconds until it is in sync, at the rate at which it gets closer; null: unknown, or in sync.'
      ),
    peers: z.int().min(0).optional().describe('Peers that it is connected to; absent where it does not tell.'),
    version: z
      .string()
      .optional()
      .describe('Its software in its own words.')
      .meta({ examples: ['Geth/v1.17.4'] }),
    limits: chainLimitsSchema,
    interval: z.number().describe('Seconds between two questions while it answers.'),
    checkedAt: z.iso.datetime().optional().describe('When it was last asked, whatever came of it; absent: not yet.'),
    figuresAt: z.iso
      .datetime()
      .optional()
      .describe('When it said the figures above; older than checkedAt while it fails.'),
    changedAt: z.iso.datetime().describe('Since when it is in this state, as far as the bridge has seen.'),
  })
  .meta({ id: 'ChainNode', description: 'A node and how far it has synced.' });
export type ChainNode = z.infer<typeof chainNodeSchema>;

export const chainsSchema = z
  .object({
    now: z.iso.datetime().describe('The clock of the bridge, so that ages do not depend on the clock of the reader.'),
    nodes: z.array(chainNodeSchema).describe('One for each registered package that names a chain, by name.'),
    history: z
      .boolean()
      .optional()
      .describe('Whether it can be asked how far each has been behind, at `…/{dnpName}/history`. Absent: it cannot.'),
  })
  .meta({ id: 'Chains', description: 'How far each node has synced.' });
export type Chains = z.infer<typeof chainsSchema>;

/**
 * Event `chain`: nodes whose figures or state are new, gathered over a second, whole. It is told to whoever listens and not
 * kept: it has no id of its own, and a client that comes back (`hello`, `reset`) loads GET /chains again.
 */
export const chainEventSchema = z.object({
  now: z.iso.datetime().describe('The clock of the bridge.'),
  nodes: z.array(chainNodeSchema).describe('Nodes that are new or have news.'),
  removed: z.array(z.string()).describe('Packages that are no longer watched.'),
});
export type ChainEvent = z.infer<typeof chainEventSchema>;
