/** What the bridge says by itself of a node, and when. Pure; whether it has been said already, the caller knows. */
import { type ChainEndpoint, chainEndpoints } from '../../contract/chainEndpoints.ts';
import type { ChainLimits } from '../../contract/chain.ts';
import type { NotificationPayload } from '../../contract/notification.ts';
import type { NodeMemory } from './state.ts';

export type NoticeKind = keyof ChainLimits;
/** `raise`: it holds; `clear`: it is over; `keep`: nobody can tell now, what was said stands. */
export type Wanted = 'raise' | 'clear' | 'keep';

const MINUTE_MS = 60_000;
/** Falling behind and losing peers for a moment is nothing to say. */
export const PATIENCE_MS = 10 * MINUTE_MS;

/** @param limits in effect */
export function wantedNotices(memory: NodeMemory, limits: ChainLimits, now: number): Record<NoticeKind, Wanted> {
  return {
    stalledMinutes: wantedOfProgress(memory, limits, now),
    unreachableMinutes: wantedOfAnswers(memory, limits, now),
    behind: wantedOfSync(memory, now),
    peers: wantedOfPeers(memory, now),
  };
}

/** To answer again is no progress yet: it has to be seen. */
function wantedOfProgress(memory: NodeMemory, { stalledMinutes }: ChainLimits, now: number): Wanted {
  const { state, moved, failures, notReadySince } = memory;
  const isHeldUp =
    state === 'starting' && notReadySince !== undefined && now - notReadySince >= stalledMinutes * MINUTE_MS;
  if (state === 'stalled' || isHeldUp) {
    return 'raise';
  }
  return failures === 0 && (state === 'synced' || (state === 'syncing' && moved)) ? 'clear' : 'keep';
}

function wantedOfAnswers(memory: NodeMemory, { unreachableMinutes }: ChainLimits, now: number): Wanted {
  const { state, failingSince, answered } = memory;
  if (state !== 'unreachable' && state !== 'error' && state !== 'stopped') {
    return answered && memory.failures === 0 ? 'clear' : 'keep';
  }
  // A package that was never seen running may be meant to be stopped.
  const isNews = answered || state !== 'stopped';
  const isLong = failingSince !== undefined && now - failingSince >= unreachableMinutes * MINUTE_MS;
  return isNews && isLong ? 'raise' : 'keep';
}

function wantedOfSync({ state, lostSyncAt }: NodeMemory, now: number): Wanted {
  if (state === 'synced') {
    return 'clear';
  }
  const isOut = state === 'syncing' || state === 'starting';
  return isOut && lostSyncAt !== undefined && now - lostSyncAt >= PATIENCE_MS ? 'raise' : 'keep';
}

function wantedOfPeers({ peers, failures, fewPeersSince }: NodeMemory, now: number): Wanted {
  if (failures > 0 || peers === undefined) {
    return 'keep';
  }
  if (fewPeersSince === undefined) {
    return 'clear';
  }
  return now - fewPeersSince >= PATIENCE_MS ? 'raise' : 'keep';
}

export interface NoticeNode {
  dnpName: string;
  driver: string;
  /** How it is called in the title. */
  name: string;
}

/**
 * @param status `resolved`: it is over
 * @returns undefined where the chain has no such endpoint
 */
export function noticeOf(
  { dnpName, driver, name }: NoticeNode,
  kind: NoticeKind,
  status: 'triggered' | 'resolved',
  memory: NodeMemory,
  limits: ChainLimits
): NotificationPayload | undefined {
  const endpoint = chainEndpoints({ chain: { driver } }).find(({ limit }) => limit === kind);
  if (endpoint === undefined) {
    return undefined;
  }
  const [title, body] = (status === 'triggered' ? raised : cleared)(kind, name, memory, limits);
  return { ...addressed(endpoint, dnpName), status, title, body };
}

/** Said when a package is no longer watched: what was open is not left open for good. */
export function goodbyeOf({ dnpName, driver, name }: NoticeNode, kind: NoticeKind): NotificationPayload | undefined {
  const endpoint = chainEndpoints({ chain: { driver } }).find(({ limit }) => limit === kind);
  return (
    endpoint && {
      ...addressed(endpoint, dnpName),
      status: 'resolved',
      title: `${name} is no longer watched`,
      body: 'The package has been removed, is no node of a chain any more, or has no address to be asked at.',
    }
  );
}

function addressed({ category, correlationId, priority, isBanner }: ChainEndpoint, dnpName: string) {
  return { category, correlationId, priority, isBanner, dnpName };
}

/** What is told of a kind where nobody is there to look at the figures: a rule says it. */
export function ruleWords(kind: NoticeKind, name: string, limit: number): { title: string; body: string } {
  const bodies: Record<NoticeKind, string> = {
    behind: `It was in sync, and is no more: it lacks more than ${limit}, or says that it is not ready.`,
    stalledMinutes: `It is behind or says that it is not ready, and has had no new block for ${limit} min.`,
    unreachableMinutes: `It has given no usable answer for ${limit} min.`,
    peers: `It has fewer than ${limit}, which are too few.`,
  };
  return { title: TITLES[kind](name), body: bodies[kind] };
}

const TITLES: Record<NoticeKind, (name: string) => string> = {
  behind: (name) => `${name} has fallen behind`,
  stalledMinutes: (name) => `${name} makes no progress`,
  unreachableMinutes: (name) => `${name} does not answer`,
  peers: (name) => `${name} has few peers`,
};

type Words = (kind: NoticeKind, name: string, memory: NodeMemory, limits: ChainLimits) => [title: string, body: string];

const raised: Words = (kind, name, memory, limits) => {
  const { sentence, peers, state } = memory;
  if (state === 'starting' && kind === 'stalledMinutes') {
    const lasting = `It has said so for ${limits.stalledMinutes} min, and had no new block.`;
    return [`${name} is still not ready`, `${sentence} ${lasting} ${freshFiguresOf(memory)}`.trim()];
  }
  if (state === 'starting' && kind === 'behind') {
    // How far the chain is, nobody knows.
    return [`${name} is no longer in sync`, `It was in sync. ${sentence} ${freshFiguresOf(memory)}`.trim()];
  }
  switch (kind) {
    case 'stalledMinutes':
      return [TITLES[kind](name), `${sentence} ${figuresOf(memory)}`.trim()];
    case 'unreachableMinutes':
      return state === 'error' ? [`${name} gives no usable answer`, sentence] : [TITLES[kind](name), sentence];
    case 'behind':
      return [TITLES[kind](name), `It was in sync, and is no more. ${figuresOf(memory)}`.trim()];
    case 'peers':
      return [TITLES[kind](name), `It has ${peers ?? 0}; fewer than ${limits.peers} are too few.`];
  }
};

const cleared: Words = (kind, name, memory, limits) => {
  const { state, peers } = memory;
  switch (kind) {
    case 'stalledMinutes':
      return state === 'synced'
        ? [`${name} is back in sync`, figuresOf(memory)]
        : [`${name} makes progress again`, figuresOf(memory)];
    case 'unreachableMinutes':
      return [`${name} answers again`, state === 'synced' ? 'It is in sync.' : memory.sentence];
    case 'behind':
      return [`${name} is back in sync`, figuresOf(memory)];
    case 'peers':
      return [`${name} has peers again`, `It has ${peers ?? 0}; at least ${limits.peers} are wanted.`];
  }
};

const NUMBER = new Intl.NumberFormat('en-GB');

function figuresOf({ current, target }: NodeMemory): string {
  if (current === undefined) {
    return '';
  }
  const behind = (target ?? current) - current;
  return behind === 0
    ? `Its newest block is ${NUMBER.format(current)}.`
    : `It has block ${NUMBER.format(current)} of ${NUMBER.format(target ?? current)}: ${NUMBER.format(behind)} behind.`;
}

/** Those of the last answer; a node that warms up tells none, and older ones would not be of now. */
const freshFiguresOf = (memory: NodeMemory): string => (memory.figuresAt === memory.checkedAt ? figuresOf(memory) : '');
