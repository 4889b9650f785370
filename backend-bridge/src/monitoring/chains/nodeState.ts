/** State of a node, as its polls report it. */
import type { ChainCause } from '../../../contract/chain.ts';
import { type Rates, type Sample, ratesOf } from './rates.ts';
import type { Failed, Identity } from './drivers/reading.ts';

/** A node in its current state, with what only this state needs. */
export type NodeState = NodeRecord & StateDetails;

export type StateDetails =
  | { state: 'waiting' | 'unsupported' | 'unconfigured' | 'starting' | Failed['state'] }
  | {
      state: 'synced';
      /** Responses in a row above the limit. */
      beyond: number;
    }
  | {
      state: 'syncing';
      /** Null: unknown. */
      secondsLeft: number | null;
    }
  | {
      state: 'stalled';
      /** Steps forward in time since it stalled. */
      steps: number;
    };

/** Record of a node in any state. Times in milliseconds of the bridge's own clock. */
export interface NodeRecord {
  cause: ChainCause | undefined;
  sentence: string;
  /** By how much the system's clock was ahead of that at the last poll. Milliseconds. */
  ahead: number;
  changedAt: number;
  checkedAt: number | undefined;
  figuresAt: number | undefined;
  current: number | undefined;
  target: number | undefined;
  peers: number | undefined;
  /** Since when it has fewer peers than the limit. */
  fewPeersSince: number | undefined;
  identity: Identity;
  samples: readonly Sample[];
  rates: Rates;
  /** Failed polls in a row: how many, since when, and state and cause of the last. Undefined: the last poll succeeded. */
  failing: { count: number; since: number; last: string } | undefined;
  /** Whether any poll has succeeded. */
  responded: boolean;
  progress: Progress;
  /** Whether it was in sync at its last figures; before the first, whether it has ever been in sync. */
  inSync: boolean;
  /** Time at which it lost its sync. */
  lostSyncAt: number | undefined;
  /** Since when it is not ready and has no new block. A short failure in between does not reset it. */
  notReadySince: number | undefined;
}

export interface Progress {
  /** The highest block so far, and when it was first seen. */
  highest: number;
  at: number;
  /** Whether it has progressed since it stalled or could not be observed. */
  moved: boolean;
}

type Blocks = Pick<NodeRecord, 'current' | 'target'>;

export const behindOf = ({ current, target }: Blocks): number | undefined =>
  current === undefined || target === undefined ? undefined : target - current;

/** Synced fraction of the chain, 0 to 1. */
export const ratioOf = ({ current, target }: Blocks): number | undefined =>
  current === undefined || target === undefined ? undefined : current >= target ? 1 : current / target;

export function newNodeState(now: number, ahead = 0): NodeState {
  return {
    state: 'waiting',
    cause: undefined,
    sentence: 'Not polled yet.',
    ahead,
    changedAt: now,
    checkedAt: undefined,
    figuresAt: undefined,
    current: undefined,
    target: undefined,
    peers: undefined,
    fewPeersSince: undefined,
    identity: {},
    samples: [],
    rates: ratesOf([]),
    failing: undefined,
    responded: false,
    progress: { highest: -1, at: now, moved: false },
    inSync: false,
    lostSyncAt: undefined,
    notReadySince: undefined,
  };
}
