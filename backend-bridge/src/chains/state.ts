/**
 * How a node stands: one question's reading laid upon what is remembered of it. Pure: (memory, reading, time and limits) → memory.
 *
 * What keeps it from flapping: it counts as in sync up to the limit, and again only at half of it; it leaves that state at the
 * second answer beyond the limit; one question that fails changes nothing; a stall ends with progress that lasts.
 */
import type { ChainCause, ChainLimits, ChainState } from '../../contract/chain.ts';
import { type Rates, type Sample, ratesOf, secondsLeft, withSample } from './rates.ts';
import type { Failed, Figures, Identity, Reading, Starting } from './reading.ts';

/** What a reading is laid upon, beside the memory. */
export interface Conditions {
  /** UTC milliseconds. */
  now: number;
  limits: ChainLimits;
  /** Between two questions. */
  intervalMs: number;
}

export interface NodeMemory {
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
  /** Null: unknown, or nothing is left. */
  secondsLeft: number | null;
  /** Questions in a row that brought nothing. */
  failures: number;
  /** What the last failure was. */
  failure: string | undefined;
  /** Since when it gives no usable answer; undefined while it does. */
  failingSince: number | undefined;
  /** Whether it has ever given one. */
  answered: boolean;
  /** The highest block so far, and when it was first seen. */
  highest: number;
  progressAt: number;
  /** Whether it has been seen to go forward since it stalled, or since it was out of sight. */
  moved: boolean;
  /** Answers in a row beyond the limit while it counts as in sync. */
  beyond: number;
  /** Steps forward since it stalled that came in time. */
  stepsSinceStall: number;
  /** Since when it has fewer peers than the limit. */
  fewPeersSince: number | undefined;
  /** Whether its last figures were those of a node in sync; before the first, whether it has been in sync before. */
  inSync: boolean;
  /** Since when it has lost its sync, having had it. */
  lostSyncAt: number | undefined;
  /** Since when it says that it is not ready, and has no new block. To fail for a moment in between changes nothing. */
  notReadySince: number | undefined;
}

const MINUTE_MS = 60_000;
/** A second failure confirms the first. */
const CONFIRMED = 2;
/** A pause of so many questions, and nobody knows what it did meanwhile. */
const OUT_OF_SIGHT_INTERVALS = 6;
/** Two steps forward end a stall. */
const STEPS = 2;
/**
 * So many times the usual gap without a block, and a node that calls itself synced is doubted. Where blocks come by chance, as
 * Bitcoin's, e^-18 of the gaps are longer: one in a thousand years.
 */
const MISSING_BLOCKS = 18;
/** A chain that is this many blocks lower begins anew; less is a reorganisation. */
const RESTART_BLOCKS = 1000;

export function newMemory(now: number): NodeMemory {
  return {
    state: 'waiting',
    cause: undefined,
    sentence: 'It has not been asked yet.',
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
    answered: false,
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

export function step(memory: NodeMemory, reading: Reading, conditions: Conditions): NodeMemory {
  const { now, limits } = conditions;
  if (reading.kind === 'failed') {
    return stepFailed(memory, reading, now);
  }
  // Nobody has seen whether it went on while it did not answer, or while the machine slept.
  const lostSight = wasOutOfSight(memory, conditions);
  const answered: NodeMemory = {
    ...memory,
    progressAt: lostSight ? now : memory.progressAt,
    moved: memory.moved && !lostSight,
    checkedAt: now,
    failures: 0,
    failure: undefined,
    failingSince: undefined,
    answered: true,
    ...afterAbsence(memory, conditions),
    peers: reading.peers,
    identity: { ...memory.identity, ...reading.identity },
    fewPeersSince:
      reading.peers !== undefined && reading.peers < limits.peers ? (memory.fewPeersSince ?? now) : undefined,
  };
  return reading.kind === 'starting'
    ? stepStarting(answered, reading, now)
    : stepFigures(answered, reading, conditions);
}

function wasOutOfSight({ failures, checkedAt }: NodeMemory, conditions: Conditions): boolean {
  return failures >= CONFIRMED || (checkedAt !== undefined && conditions.now - checkedAt > longestPause(conditions));
}

const longestPause = ({ limits, intervalMs }: Pick<Conditions, 'limits' | 'intervalMs'>): number =>
  Math.max((limits.stalledMinutes * MINUTE_MS) / 2, OUT_OF_SIGHT_INTERVALS * intervalMs);

/** A node that was away for long has time anew to become ready and to catch up; one that fails again and again has not. */
function afterAbsence(memory: NodeMemory, conditions: Conditions): Pick<NodeMemory, 'lostSyncAt' | 'notReadySince'> {
  const { lostSyncAt, notReadySince, failingSince, checkedAt } = memory;
  const { now } = conditions;
  const isBack = now - (failingSince ?? checkedAt ?? now) > longestPause(conditions);
  return isBack
    ? { lostSyncAt: lostSyncAt === undefined ? undefined : now, notReadySince: undefined }
    : { lostSyncAt, notReadySince };
}

const FAILING: readonly ChainState[] = ['unreachable', 'stopped', 'error'];

function stepFailed(memory: NodeMemory, { state, cause, sentence }: Failed, now: number): NodeMemory {
  const failure = `${state} ${cause}`;
  const failures = memory.failures + 1;
  const failed = { ...memory, checkedAt: now, failures, failure, failingSince: memory.failingSince ?? now };
  // What is shown stays until it is sure that it has changed; of a node that is new there is nothing to keep.
  const sure = FAILING.includes(memory.state) ? memory.failure === failure : failures >= CONFIRMED;
  if (!sure && memory.state !== 'waiting') {
    return failed;
  }
  const forgotten = { samples: [], rates: ratesOf([]), secondsLeft: null, beyond: 0, fewPeersSince: undefined };
  return changed({ ...failed, ...forgotten }, { state, cause, sentence }, now);
}

function stepStarting(memory: NodeMemory, { current, cause, sentence }: Starting, now: number): NodeMemory {
  const figures = current === undefined ? {} : { current, target: undefined, figuresAt: now };
  const isNew = current !== undefined && (current > memory.highest || current < memory.highest - RESTART_BLOCKS);
  return changed(
    {
      ...memory,
      ...figures,
      highest: isNew ? current : memory.highest,
      notReadySince: isNew ? now : (memory.notReadySince ?? now),
      lostSyncAt: memory.lostSyncAt ?? (memory.inSync ? now : undefined),
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

function stepFigures(before: NodeMemory, reading: Figures, { now, limits }: Conditions): NodeMemory {
  const { current, target } = reading;
  const behind = target === undefined ? undefined : target - current;
  const samples = withSample(before.samples, { at: now, current, behind });
  const memory: NodeMemory = {
    ...before,
    ...progress(before, current, now, limits),
    current,
    target,
    figuresAt: now,
    samples,
    rates: ratesOf(samples),
  };
  const lenient = before.inSync || before.figuresAt === undefined;
  const verdict = judge(memory, reading, now, limits, lenient ? limits.behind : Math.floor(limits.behind / 2));
  const beyond = verdict.state === 'synced' || before.state !== 'synced' ? 0 : before.beyond + 1;
  // Blocks that have stopped have been doubted for long enough.
  const staying = beyond > 0 && beyond < CONFIRMED && verdict.cause !== 'no-new-blocks';
  const shown = staying ? { state: before.state, cause: before.cause, sentence: before.sentence } : verdict;
  const inSync = shown.state === 'synced';
  const lostSyncAt = before.lostSyncAt ?? (before.inSync ? now : undefined);
  return changed(
    {
      ...memory,
      beyond,
      moved: memory.moved && shown.state !== 'stalled',
      stepsSinceStall: shown.state === 'stalled' ? memory.stepsSinceStall : 0,
      secondsLeft: shown.state === 'syncing' ? secondsLeft(behind, memory.rates) : null,
      inSync,
      lostSyncAt: inSync ? undefined : lostSyncAt,
      notReadySince: undefined,
    },
    shown,
    now
  );
}

/** Whether it has moved on. Going back and forth by a few blocks is no progress. */
function progress(
  { highest, progressAt, stepsSinceStall, figuresAt, moved }: NodeMemory,
  current: number,
  now: number,
  { stalledMinutes }: ChainLimits
): Pick<NodeMemory, 'highest' | 'progressAt' | 'stepsSinceStall' | 'moved'> {
  if (figuresAt === undefined || current < highest - RESTART_BLOCKS) {
    return { highest: current, progressAt: now, stepsSinceStall: 0, moved: false };
  }
  if (current <= highest) {
    return { highest, progressAt, stepsSinceStall, moved };
  }
  const inTime = now - progressAt < stalledMinutes * MINUTE_MS;
  return { highest: current, progressAt: now, stepsSinceStall: inTime ? stepsSinceStall + 1 : 1, moved: true };
}

type Verdict = Pick<NodeMemory, 'state' | 'cause' | 'sentence'>;

/** @param allowed how many blocks it may lack to count as in sync */
function judge(memory: NodeMemory, reading: Figures, now: number, limits: ChainLimits, allowed: number): Verdict {
  const { current, target, unfinished } = reading;
  if (target !== undefined && target - current <= allowed && unfinished === undefined) {
    return blocksStopped(memory, reading, now, limits)
      ? {
          state: 'stalled',
          cause: 'no-new-blocks',
          sentence: 'It calls itself synced, but has had no new block for longer than its chain allows.',
        }
      : { state: 'synced', cause: undefined, sentence: 'It is in sync.' };
  }
  const still = now - memory.progressAt >= limits.stalledMinutes * MINUTE_MS;
  const recovering = memory.state === 'stalled' && memory.stepsSinceStall < STEPS;
  if ((still || recovering) && unfinished !== 'state-download') {
    return { state: 'stalled', cause: undefined, sentence: 'It is behind and makes no progress.' };
  }
  return { state: 'syncing', ...SYNCING[unfinished ?? (target === undefined ? 'no-target' : 'blocks')] };
}

const SYNCING: Record<NonNullable<Figures['unfinished']> | 'blocks' | 'no-target', Omit<Verdict, 'state'>> = {
  blocks: { cause: undefined, sentence: 'It is catching up.' },
  'no-target': { cause: 'no-target', sentence: 'It is catching up, and does not say how far the chain is.' },
  'initial-download': { cause: undefined, sentence: 'It is downloading the chain.' },
  'state-download': { cause: 'state-download', sentence: 'It has the blocks, and is completing their state.' },
  unverified: {
    cause: 'unverified',
    sentence: 'It has the blocks, and waits for its execution client to verify them.',
  },
};

/** A node that has lost its peers, or its consensus client, calls itself synced all the same. Told only where blocks come by the clock. */
function blocksStopped(
  { identity, progressAt }: NodeMemory,
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

function changed(memory: NodeMemory, verdict: Verdict, now: number): NodeMemory {
  return { ...memory, ...verdict, changedAt: memory.state === verdict.state ? memory.changedAt : now };
}
