/** The bridge's own alerts about nodes: when each fires and resolves, and its texts. Pure; the caller knows what has been sent. */
import { CHAIN_ALERTS, CHAIN_CATEGORY, CHAIN_ENDPOINT_IDS, type ChainLimit } from '../../../contract/chainEndpoints.ts';
import type { ChainLimits } from '../../../contract/chain.ts';
import { grouped } from '../../../contract/text.ts';
import type { NotificationPayload } from '../../../contract/notification.ts';
import { MINUTE_MS } from '../../../contract/time.ts';
import type { NodeState } from './nodeState.ts';

export type AlertKind = ChainLimit;
/** `keep`: undecided at the moment, the alert stays as it is. */
export type Wanted = 'fire' | 'resolve' | 'keep';
/** How long a node must be behind or short of peers before an alert fires. */
export const PENDING_MS = 10 * MINUTE_MS;

/** @param limits in effect */
export function wantedAlerts(nodeState: NodeState, limits: ChainLimits, now: number): Record<AlertKind, Wanted> {
  return {
    stalledMinutes: wantedOfProgress(nodeState, limits, now),
    unreachableMinutes: wantedOfResponses(nodeState, limits, now),
    behind: wantedOfSync(nodeState, now),
    peers: wantedOfPeers(nodeState, now),
  };
}

/** Responding again is not yet progress: a new block is. */
function wantedOfProgress(nodeState: NodeState, { stalledMinutes }: ChainLimits, now: number): Wanted {
  const { state, progress, failing, notReadySince } = nodeState;
  const isHeldUp =
    state === 'starting' && notReadySince !== undefined && now - notReadySince >= stalledMinutes * MINUTE_MS;
  if (state === 'stalled' || isHeldUp) {
    return 'fire';
  }
  return failing === undefined && (state === 'synced' || (state === 'syncing' && progress.moved)) ? 'resolve' : 'keep';
}

function wantedOfResponses(nodeState: NodeState, { unreachableMinutes }: ChainLimits, now: number): Wanted {
  const { state, failing, responded } = nodeState;
  if (state !== 'unreachable' && state !== 'error' && state !== 'stopped') {
    return responded && failing === undefined ? 'resolve' : 'keep';
  }
  // A package that was never seen running may be stopped on purpose.
  const isExpected = state === 'stopped' && !responded;
  const isLong = failing !== undefined && now - failing.since >= unreachableMinutes * MINUTE_MS;
  return !isExpected && isLong ? 'fire' : 'keep';
}

function wantedOfSync({ state, lostSyncAt }: NodeState, now: number): Wanted {
  if (state === 'synced') {
    return 'resolve';
  }
  const isOut = state === 'syncing' || state === 'starting';
  return isOut && lostSyncAt !== undefined && now - lostSyncAt >= PENDING_MS ? 'fire' : 'keep';
}

function wantedOfPeers({ peers, failing, fewPeersSince }: NodeState, now: number): Wanted {
  if (failing !== undefined || peers === undefined) {
    return 'keep';
  }
  if (fewPeersSince === undefined) {
    return 'resolve';
  }
  return now - fewPeersSince >= PENDING_MS ? 'fire' : 'keep';
}

export interface AlertNode {
  dnpName: string;
  /** Name as in the title. */
  name: string;
}

export function alertOf(
  { dnpName, name }: AlertNode,
  kind: AlertKind,
  status: 'triggered' | 'resolved',
  nodeState: NodeState,
  limits: ChainLimits
): NotificationPayload {
  const [title, body] = (status === 'triggered' ? firingMessage : resolvedMessage)(kind, name, nodeState, limits);
  return { ...addressed(kind, dnpName), status, title, body };
}

/** Resolves an alert of a package that is no longer monitored, whatever its chain was. */
export function removalAlertOf({ dnpName, name }: AlertNode, kind: AlertKind): NotificationPayload {
  return {
    ...addressed(kind, dnpName),
    status: 'resolved',
    title: `${name} is no longer monitored`,
    body: 'The package was removed, is no longer a blockchain node, or has no configured address.',
  };
}

function addressed(kind: AlertKind, dnpName: string) {
  const { priority, isBanner } = CHAIN_ALERTS[kind];
  return { category: CHAIN_CATEGORY, correlationId: CHAIN_ENDPOINT_IDS[kind], priority, isBanner, dnpName };
}

/** The message of a monitor's rule, which knows the limit but no current values. */
export function ruleMessage(kind: AlertKind, name: string, limit: number): { title: string; body: string } {
  const bodies: Record<AlertKind, string> = {
    behind: `The node was in sync, and is now more than ${limit} behind or not ready.`,
    stalledMinutes: `The node is behind or not ready, and has had no new block for ${limit} min.`,
    unreachableMinutes: `No usable response for ${limit} min.`,
    peers: `Fewer than ${limit} peers.`,
  };
  return { title: TITLES[kind](name), body: bodies[kind] };
}

const TITLES: Record<AlertKind, (name: string) => string> = {
  behind: (name) => `${name} has fallen behind`,
  stalledMinutes: (name) => `${name} makes no sync progress`,
  unreachableMinutes: (name) => `${name} is unreachable`,
  peers: (name) => `${name} has too few peers`,
};

type ToMessage = (
  kind: AlertKind,
  name: string,
  nodeState: NodeState,
  limits: ChainLimits
) => [title: string, body: string];

const firingMessage: ToMessage = (kind, name, nodeState, limits) => {
  const { sentence, peers, state } = nodeState;
  if (state === 'starting' && kind === 'stalledMinutes') {
    const duration = `Not ready for ${limits.stalledMinutes} min, with no new block.`;
    return [`${name} is still not ready`, `${sentence} ${duration} ${freshFiguresOf(nodeState)}`.trim()];
  }
  if (state === 'starting' && kind === 'behind') {
    return [`${name} is no longer in sync`, `The node was in sync. ${sentence} ${freshFiguresOf(nodeState)}`.trim()];
  }
  switch (kind) {
    case 'stalledMinutes':
      return [TITLES[kind](name), `${sentence} ${figuresOf(nodeState)}`.trim()];
    case 'unreachableMinutes':
      return state === 'error' ? [`${name} gives no usable response`, sentence] : [TITLES[kind](name), sentence];
    case 'behind':
      return [TITLES[kind](name), `The node was in sync. ${figuresOf(nodeState)}`.trim()];
    case 'peers':
      return [TITLES[kind](name), `Peers: ${peers ?? 0}. Minimum: ${limits.peers}.`];
  }
};

const resolvedMessage: ToMessage = (kind, name, nodeState, limits) => {
  const { state, peers } = nodeState;
  switch (kind) {
    case 'stalledMinutes':
      return state === 'synced'
        ? [`${name} is back in sync`, figuresOf(nodeState)]
        : [`${name} is syncing again`, figuresOf(nodeState)];
    case 'unreachableMinutes':
      return [`${name} responds again`, nodeState.sentence];
    case 'behind':
      return [`${name} is back in sync`, figuresOf(nodeState)];
    case 'peers':
      return [`${name} has enough peers again`, `Peers: ${peers ?? 0}. Minimum: ${limits.peers}.`];
  }
};

function figuresOf({ current, target }: NodeState): string {
  if (current === undefined) {
    return '';
  }
  const behind = (target ?? current) - current;
  return behind === 0
    ? `Newest block: ${grouped(current)}.`
    : `Block ${grouped(current)} of ${grouped(target ?? current)}: ${grouped(behind)} behind.`;
}

/** Only those of the last response: a node that is warming up reports none, and older ones would be stale. */
const freshFiguresOf = (nodeState: NodeState): string =>
  nodeState.figuresAt === nodeState.checkedAt ? figuresOf(nodeState) : '';
