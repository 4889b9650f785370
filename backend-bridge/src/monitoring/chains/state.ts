/**
 * The state machine of a node. Pure: (state, reading, time and limits) → state.
 *
 * To avoid flapping: a node is in sync up to the limit, and again only at half of it; it leaves that state at the second response
 * above the limit; a single failed poll changes nothing; a stall ends only with continued progress.
 */
import type { ChainLimits, ChainState } from '../../../contract/chain.ts';
import { MINUTE_MS } from '../../../contract/time.ts';
import { type Assessment, assess } from './assess.ts';
import type { NodeRecord, NodeState, Progress, StateDetails } from './nodeState.ts';
import { ratesOf, secondsLeft, withSample } from './rates.ts';
import type { Failed, Figures, Reading, Starting } from './drivers/reading.ts';

export interface Conditions {
  /** The bridge's own clock, milliseconds. */
  now: number;
  /** By how much the system's clock is ahead of it. Milliseconds. */
  ahead: number;
  limits: ChainLimits;
  /** Poll interval. */
  intervalMs: number;
}

/** A second failure confirms the first. */
const CONFIRMED = 2;
/** After a pause of this many intervals, what the node did in the meantime is unknown. */
const UNOBSERVED_INTERVALS = 6;
/** Two steps forward end a stall. */
const STEPS = 2;
/** A chain that is this many blocks lower has been restarted; less is a reorganisation. */
const RESTART_BLOCKS = 1000;

export function step(last: NodeState, reading: Reading, conditions: Conditions): NodeState {
  const { now, ahead, limits } = conditions;
  const node = { ...last, ahead };
  if (reading.kind === 'failed') {
    return stepFailed(node, reading, now);
  }
  // Progress is unknown while the node did not respond, or while the machine was suspended.
  const unobserved = wasUnobserved(node, conditions);
  const responded: NodeState = {
    ...node,
    progress: unobserved ? { ...node.progress, at: now, moved: false } : node.progress,
    checkedAt: now,
    failing: undefined,
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

function wasUnobserved({ failing, checkedAt }: NodeState, conditions: Conditions): boolean {
  return (
    (failing?.count ?? 0) >= CONFIRMED ||
    (checkedAt !== undefined && conditions.now - checkedAt > longestPause(conditions))
  );
}

const longestPause = ({ limits, intervalMs }: Pick<Conditions, 'limits' | 'intervalMs'>): number =>
  Math.max((limits.stalledMinutes * MINUTE_MS) / 2, UNOBSERVED_INTERVALS * intervalMs);

/** A node that was away for long gets its grace periods again; one that fails intermittently does not. */
function afterAbsence(node: NodeState, conditions: Conditions): Pick<NodeState, 'lostSyncAt' | 'notReadySince'> {
  const { lostSyncAt, notReadySince, failing, checkedAt } = node;
  const { now } = conditions;
  const isBack = now - (failing?.since ?? checkedAt ?? now) > longestPause(conditions);
  return isBack
    ? { lostSyncAt: lostSyncAt === undefined ? undefined : now, notReadySince: undefined }
    : { lostSyncAt, notReadySince };
}

const FAILING: readonly ChainState[] = ['unreachable', 'stopped', 'error'];

function stepFailed(node: NodeState, { state, cause, sentence }: Failed, now: number): NodeState {
  const last = `${state} ${cause}`;
  const failing = { count: (node.failing?.count ?? 0) + 1, since: node.failing?.since ?? now, last };
  const failed = { ...node, checkedAt: now, failing };
  // The previous state is kept until the failure is confirmed; a new node has none to keep.
  const confirmed = FAILING.includes(node.state) ? node.failing?.last === last : failing.count >= CONFIRMED;
  if (!confirmed && node.state !== 'waiting') {
    return failed;
  }
  const reset = { samples: [], rates: ratesOf([]), fewPeersSince: undefined };
  return changed(node, { ...failed, ...reset, cause, sentence }, { state }, now);
}

function stepStarting(node: NodeState, { current, cause, sentence }: Starting, now: number): NodeState {
  const { highest } = node.progress;
  const figures = current === undefined ? {} : { current, target: undefined, figuresAt: now };
  const isNew = current !== undefined && (current > highest || current < highest - RESTART_BLOCKS);
  const record: NodeRecord = {
    ...node,
    ...figures,
    progress: { highest: isNew ? current : highest, at: now, moved: false },
    notReadySince: isNew ? now : (node.notReadySince ?? now),
    lostSyncAt: node.lostSyncAt ?? (node.inSync ? now : undefined),
    samples: [],
    rates: ratesOf([]),
    cause,
    sentence,
  };
  return changed(node, record, { state: 'starting' }, now);
}

function stepFigures(before: NodeState, reading: Figures, conditions: Conditions): NodeState {
  const { now, limits } = conditions;
  const { current, target } = reading;
  const behind = target === undefined ? undefined : target - current;
  const samples = withSample(before.samples, { at: now, current, behind });
  const { progress, steps } = progressOf(before, current, conditions);
  const node = { ...before, progress, current, target, figuresAt: now, samples, rates: ratesOf(samples) };
  const lenient = before.inSync || before.figuresAt === undefined;
  const allowed = lenient ? limits.behind : Math.floor(limits.behind / 2);
  const recovering = before.state === 'stalled' && steps < STEPS;
  const assessment = assess(node, reading, now, limits, allowed, recovering);
  const beyond = assessment.state === 'synced' || before.state !== 'synced' ? 0 : before.beyond + 1;
  // Missing blocks need no further confirmation.
  const staying = beyond > 0 && beyond < CONFIRMED && assessment.cause !== 'no-new-blocks';
  const { state, cause, sentence } = staying ? { ...before, state: 'synced' as const } : assessment;
  const inSync = state === 'synced';
  const record: NodeRecord = {
    ...node,
    progress: { ...progress, moved: progress.moved && state !== 'stalled' },
    cause,
    sentence,
    inSync,
    lostSyncAt: inSync ? undefined : (before.lostSyncAt ?? (before.inSync ? now : undefined)),
    notReadySince: undefined,
  };
  const details: Record<Assessment['state'], StateDetails> = {
    synced: { state: 'synced', beyond },
    syncing: { state: 'syncing', secondsLeft: secondsLeft(behind, record.rates) },
    stalled: { state: 'stalled', steps },
  };
  return changed(before, record, details[state], now);
}

/** A few blocks back and forth are no progress. */
function progressOf(
  node: NodeState,
  current: number,
  { now, limits, intervalMs }: Conditions
): { progress: Progress; steps: number } {
  const { highest, at } = node.progress;
  const steps = node.state === 'stalled' ? node.steps : 0;
  if (node.figuresAt === undefined || current < highest - RESTART_BLOCKS) {
    return { progress: { highest: current, at: now, moved: false }, steps: 0 };
  }
  if (current <= highest) {
    return { progress: node.progress, steps };
  }
  // A node may be polled less often than that: steps at two polls in a row are in time.
  const inTime = now - at < Math.max(limits.stalledMinutes * MINUTE_MS, STEPS * intervalMs);
  return { progress: { highest: current, at: now, moved: true }, steps: inTime ? steps + 1 : 1 };
}

/** @param record may contain details of the previous state, which are dropped */
function changed(before: NodeState, record: NodeRecord, details: StateDetails, now: number): NodeState {
  const {
    beyond: _beyond,
    secondsLeft: _secondsLeft,
    steps: _steps,
    ...kept
  } = record as NodeRecord & Partial<Details>;
  return { ...kept, ...details, changedAt: before.state === details.state ? before.changedAt : now };
}

interface Details {
  beyond: number;
  secondsLeft: number | null;
  steps: number;
}
