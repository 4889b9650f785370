/**
 * The state machine of a node. Pure: (state, reading, time and limits) → state.
 *
 * To avoid flapping: a node is in sync up to the limit, and again only at half of it; it leaves that state at the second response
 * above the limit; a single failed poll changes nothing; a stall ends only with continued progress.
 */
import type { ChainCause, ChainLimits, ChainState } from '../../contract/chain.ts';
import { type Rates, type Sample, ratesOf, secondsLeft, withSample } from './rates.ts';
import type { Failed, Figures, Identity, Reading, Starting } from './reading.ts';

export interface Conditions {
  /** UTC milliseconds. */
  now: number;
  limits: ChainLimits;
  /** Poll interval. */
  intervalMs: number;
}

export interface NodeState {
  state: ChainState;
  cause: ChainCause | undefined;
  sentence: string;
  /** UTC milliseconds, as all times here. */
  changedAt: number;
  checkedAt: number | undefined;
  figuresAt: number | undefined;
  current: number | undefined;
  target: number | undefined;
  peers: number | undefined;
  identity: Identity;
  samples: readonly Sample[];
  rates: Rates;
  /** Null: unknown, or in sync. */
  secondsLeft: number | null;
  /** Failed polls in a row. */
  failures: number;
  /** State and cause of the last failure. */
  failure: string | undefined;
  /** Time of the first failed poll in a row; undefined: the last poll succeeded. */
  failingSince: number | undefined;
  /** Whether any poll has succeeded. */
  responded: boolean;
  /** The highest block so far, and when it was first seen. */
  highest: number;
  progressAt: number;
  /** Whether it has progressed since it stalled or could not be observed. */
  moved: boolean;
  /** Responses in a row above the limit while the state is `synced`. */
  beyond: number;
  /** Steps forward in time since it stalled. */
  stepsSinceStall: number;
  /** Since when it has fewer peers than the limit. */
  fewPeersSince: number | undefined;
  /** Whether it was in sync at its last figures; before the first, whether it has ever been in sync. */
  inSync: boolean;
  /** Time at which it lost its sync. */
  lostSyncAt: number | undefined;
  /** Since when it is not ready and has no new block. A short failure in between does not reset it. */
  notReadySince: number | undefined;
}

const MINUTE_MS = 60_000;
/** A second failure confirms the first. */
const CONFIRMED = 2;
/** After a pause of this many intervals, what the node did in the meantime is unknown. */
const UNOBSERVED_INTERVALS = 6;
/** Two steps forward end a stall. */
const STEPS = 2;
/**
 * A node that reports in sync is stalled after this many block times without a block. Where blocks come at random, as Bitcoin's,
 * e^-18 of the gaps are longer: one in a thousand years.
 */
const MISSING_BLOCKS = 18;
/** A chain that is this many blocks lower has been restarted; less is a reorganisation. */
const RESTART_BLOCKS = 1000;

export function newNodeState(now: number): NodeState {
  return {
    state: 'waiting',
    cause: undefined,
    sentence: 'Not polled yet.',
    changedAt: now,
    checkedAt: undefined,
    figuresAt: undefined,
    current: undefined,
    target: undefined,
    peers: undefined,
    identity: {},
    samples: [],
    rates: { rate: undefined, closing: undefined },
    secondsLeft: null,
    failures: 0,
    failure: undefined,
    failingSince: undefined,
    responded: false,
    highest: -1,
    progressAt: now,
    moved: false,
    beyond: 0,
    stepsSinceStall: 0,
    fewPeersSince: undefined,
    inSync: false,
    lostSyncAt: undefined,
    notReadySince: undefined,
  };
}

export function step(node: NodeState, reading: Reading, conditions: Conditions): NodeState {
  const { now, limits } = conditions;
  if (reading.kind === 'failed') {
    return stepFailed(node, reading, now);
  }
  // Its progress is unknown while it did not respond, or while the machine was suspended.
  const unobserved = wasUnobserved(node, conditions);
  const responded: NodeState = {
    ...node,
    progressAt: unobserved ? now : node.progressAt,
    moved: node.moved && !unobserved,
    checkedAt: now,
    failures: 0,
    failure: undefined,
    failingSince: undefined,
    responded: true,
    ...afterAbsence(node, conditions),
    peers: reading.peers,
    identity: { ...node.identity, ...reading.identity },
    fewPeersSince:
      reading.peers !== undefined && reading.peers < limits.peers ? (node.fewPeersSince ?? now) : undefined,
  };
  return reading.kind === 'starting'
    ? stepStarting(responded, reading, now)
    : stepFigures(responded, reading, conditions);
}

function wasUnobserved({ failures, checkedAt }: NodeState, conditions: Conditions): boolean {
  return failures >= CONFIRMED || (checkedAt !== undefined && conditions.now - checkedAt > longestPause(conditions));
}

const longestPause = ({ limits, intervalMs }: Pick<Conditions, 'limits' | 'intervalMs'>): number =>
  Math.max((limits.stalledMinutes * MINUTE_MS) / 2, UNOBSERVED_INTERVALS * intervalMs);

/** A node that was away for long gets its grace periods again; one that fails intermittently does not. */
function afterAbsence(node: NodeState, conditions: Conditions): Pick<NodeState, 'lostSyncAt' | 'notReadySince'> {
  const { lostSyncAt, notReadySince, failingSince, checkedAt } = node;
  const { now } = conditions;
  const isBack = now - (failingSince ?? checkedAt ?? now) > longestPause(conditions);
  return isBack
    ? { lostSyncAt: lostSyncAt === undefined ? undefined : now, notReadySince: undefined }
    : { lostSyncAt, notReadySince };
}

const FAILING: readonly ChainState[] = ['unreachable', 'stopped', 'error'];

function stepFailed(node: NodeState, { state, cause, sentence }: Failed, now: number): NodeState {
  const failure = `${state} ${cause}`;
  const failures = node.failures + 1;
  const failed = { ...node, checkedAt: now, failures, failure, failingSince: node.failingSince ?? now };
  // The previous state is kept until the failure is confirmed; a new node has none to keep.
  const confirmed = FAILING.includes(node.state) ? node.failure === failure : failures >= CONFIRMED;
  if (!confirmed && node.state !== 'waiting') {
    return failed;
  }
  const reset = { samples: [], rates: ratesOf([]), secondsLeft: null, beyond: 0, fewPeersSince: undefined };
  return changed({ ...failed, ...reset }, { state, cause, sentence }, now);
}

function stepStarting(node: NodeState, { current, cause, sentence }: Starting, now: number): NodeState {
  const figures = current === undefined ? {} : { current, target: undefined, figuresAt: now };
  const isNew = current !== undefined && (current > node.highest || current < node.highest - RESTART_BLOCKS);
  return changed(
    {
      ...node,
      ...figures,
      highest: isNew ? current : node.highest,
      notReadySince: isNew ? now : (node.notReadySince ?? now),
      lostSyncAt: node.lostSyncAt ?? (node.inSync ? now : undefined),
      samples: [],
      rates: ratesOf([]),
      secondsLeft: null,
      beyond: 0,
      progressAt: now,
      moved: false,
    },
    { state: 'starting', cause, sentence },
    now
  );
}

function stepFigures(before: NodeState, reading: Figures, { now, limits }: Conditions): NodeState {
  const { current, target } = reading;
  const behind = target === undefined ? undefined : target - current;
  const samples = withSample(before.samples, { at: now, current, behind });
  const node: NodeState = {
    ...before,
    ...progress(before, current, now, limits),
    current,
    target,
    figuresAt: now,
    samples,
    rates: ratesOf(samples),
  };
  const lenient = before.inSync || before.figuresAt === undefined;
  const assessment = assess(node, reading, now, limits, lenient ? limits.behind : Math.floor(limits.behind / 2));
  const beyond = assessment.state === 'synced' || before.state !== 'synced' ? 0 : before.beyond + 1;
  // Missing blocks need no further confirmation.
  const staying = beyond > 0 && beyond < CONFIRMED && assessment.cause !== 'no-new-blocks';
  const shown = staying ? { state: before.state, cause: before.cause, sentence: before.sentence } : assessment;
  const inSync = shown.state === 'synced';
  const lostSyncAt = before.lostSyncAt ?? (before.inSync ? now : undefined);
  return changed(
    {
      ...node,
      beyond,
      moved: node.moved && shown.state !== 'stalled',
      stepsSinceStall: shown.state === 'stalled' ? node.stepsSinceStall : 0,
      secondsLeft: shown.state === 'syncing' ? secondsLeft(behind, node.rates) : null,
      inSync,
      lostSyncAt: inSync ? undefined : lostSyncAt,
      notReadySince: undefined,
    },
    shown,
    now
  );
}

/** Whether it has progressed. A few blocks back and forth are no progress. */
function progress(
  { highest, progressAt, stepsSinceStall, figuresAt, moved }: NodeState,
  current: number,
  now: number,
  { stalledMinutes }: ChainLimits
): Pick<NodeState, 'highest' | 'progressAt' | 'stepsSinceStall' | 'moved'> {
  if (figuresAt === undefined || current < highest - RESTART_BLOCKS) {
    return { highest: current, progressAt: now, stepsSinceStall: 0, moved: false };
  }
  if (current <= highest) {
    return { highest, progressAt, stepsSinceStall, moved };
  }
  const inTime = now - progressAt < stalledMinutes * MINUTE_MS;
  return { highest: current, progressAt: now, stepsSinceStall: inTime ? stepsSinceStall + 1 : 1, moved: true };
}

type Assessment = Pick<NodeState, 'state' | 'cause' | 'sentence'>;

/** @param allowed blocks behind that still count as in sync */
function assess(node: NodeState, reading: Figures, now: number, limits: ChainLimits, allowed: number): Assessment {
  const { current, target, unfinished } = reading;
  if (target !== undefined && target - current <= allowed && unfinished === undefined) {
    return blocksStopped(node, reading, now, limits)
      ? {
          state: 'stalled',
          cause: 'no-new-blocks',
          sentence: 'The node reports in sync, but has had no new block for longer than expected.',
        }
      : { state: 'synced', cause: undefined, sentence: 'In sync.' };
  }
  const still = now - node.progressAt >= limits.stalledMinutes * MINUTE_MS;
  const recovering = node.state === 'stalled' && node.stepsSinceStall < STEPS;
  if ((still || recovering) && unfinished !== 'state-download') {
    return { state: 'stalled', cause: undefined, sentence: 'Behind, with no sync progress.' };
  }
  return { state: 'syncing', ...SYNCING[unfinished ?? (target === undefined ? 'no-target' : 'blocks')] };
}

const SYNCING: Record<NonNullable<Figures['unfinished']> | 'blocks' | 'no-target', Omit<Assessment, 'state'>> = {
  blocks: { cause: undefined, sentence: 'Syncing.' },
  'no-target': { cause: 'no-target', sentence: 'Syncing. The node does not report the newest block of the chain.' },
  'initial-download': { cause: undefined, sentence: 'Downloading the chain.' },
  'state-download': { cause: 'state-download', sentence: 'Blocks are downloaded, the state download is in progress.' },
  unverified: {
    cause: 'unverified',
    sentence: 'Blocks are downloaded, but not verified by the execution client yet.',
  },
};

/** A node without peers, or without its consensus client, may still report in sync. Only for chains with a known block time. */
function blocksStopped(
  { identity, progressAt }: NodeState,
  { tipTime }: Figures,
  now: number,
  limits: ChainLimits
): boolean {
  if (identity.blockSeconds === undefined) {
    return false;
  }
  const longest = Math.max(limits.stalledMinutes * MINUTE_MS, MISSING_BLOCKS * identity.blockSeconds * 1000);
  return now - progressAt >= longest || (tipTime !== undefined && now - tipTime * 1000 >= longest);
}

function changed(node: NodeState, assessment: Assessment, now: number): NodeState {
  return { ...node, ...assessment, changedAt: node.state === assessment.state ? node.changedAt : now };
}
