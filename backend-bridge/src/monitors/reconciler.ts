/**
 * Brings what is set to the monitors, and says what became of it. What cannot be written is tried again, later each time. Lost at
 * a restart, after which everything is written anew.
 */
import type { Effect, Monitor, MonitorState } from '../../contract/endpoint.ts';
import { isoTime } from '../../contract/text.ts';
import type { WatchedEndpoint } from '../thresholds/types.ts';

/** Whether an endpoint is one for a monitor; `note`: what there is to know besides. */
export type Concern = { kind: 'none' } | { kind: 'read-only'; reason: string } | { kind: 'watched'; note?: string };

export interface MonitorWriter {
  monitor: Monitor;
  concern(endpoint: WatchedEndpoint): Concern;
  /**
   * Makes the monitor watch these, and nothing else that the bridge ever made it watch.
   * @param endpoints those that are `watched`, also the ones that are off
   * @returns those that the monitor does not let be changed, with the reason, by {@link endpointKey}
   * @throws Error with a sentence that says why, and what to do; {@link PartlyWritten} when all but some are written
   */
  write(endpoints: readonly WatchedEndpoint[]): Promise<ReadonlyMap<string, string>>;
}

/** The monitor refuses some of the endpoints; the others are written. They are tried again, as everything that fails is. */
export class PartlyWritten extends Error {
  /** Why each of them is not, by {@link endpointKey}; of one that is gone and is watched still, by what names it there. Not empty. */
  readonly refused: ReadonlyMap<string, string>;
  /** What {@link MonitorWriter.write} returns when nothing fails. */
  readonly readOnly: ReadonlyMap<string, string>;

  constructor(refused: ReadonlyMap<string, string>, readOnly: ReadonlyMap<string, string>) {
    const [first = ''] = refused.values();
    super(refused.size === 1 ? first : `${first} And ${refused.size - 1} more, see its endpoints.`);
    this.refused = refused;
    this.readOnly = readOnly;
  }
}

export interface Effects {
  /** Something may have changed: looks, and writes what is new. Returns at once. */
  kick(): void;
  of(endpoint: WatchedEndpoint): Effect[];
  monitors(): MonitorState[];
  /** Whether one of these is written to. */
  has(monitor: Monitor): boolean;
  /** Waits for what is being written. */
  close(): Promise<void>;
}

export interface EffectsDeps {
  writers: readonly MonitorWriter[];
  watched: () => Promise<WatchedEndpoint[]>;
  /** What is set took effect, or does not. */
  onChange: (told: MonitorState) => void;
  /** Whether a rule in a monitor tells of an endpoint of a node, in place of the bridge. Default: none does. */
  toldElsewhere?: ((dnpName: string, correlationId: string) => boolean) | undefined;
  /** UTC milliseconds. */
  now: () => number;
}

/** What names an endpoint. */
export interface EndpointName {
  dnpName: string;
  shipped: Pick<WatchedEndpoint['shipped'], 'correlationId'>;
}

const FIRST_RETRY_MS = 2000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** A monitor may lose what was written there: a file is taken away, a rule deleted. */
export const RECHECK_MS = 10 * 60_000;

export const endpointKey = ({ dnpName, shipped }: EndpointName): string =>
  JSON.stringify([dnpName, shipped.correlationId]);

interface Standing {
  writer: MonitorWriter;
  /** What has been written, by key; undefined: nothing since the start. */
  written: ReadonlyMap<string, string> | undefined;
  readOnly: ReadonlyMap<string, string>;
  at: number | undefined;
  failure: Failure | undefined;
}

interface Failure {
  message: string;
  /** Only of these, by key; undefined: of all that is not written. */
  refused: ReadonlyMap<string, string> | undefined;
  attempt: number;
  nextTs: number;
}

export function createEffects(deps: EffectsDeps): Effects {
  const standings: Standing[] = deps.writers.map((writer) => ({
    writer,
    written: undefined,
    readOnly: new Map(),
    at: undefined,
    failure: undefined,
  }));
  // Each monitor has rounds of its own: one that takes its time does not keep the others from what is new.
  const rounds = standings.map((standing) =>
    createRounds(deps.watched, async (watched) => {
      await bring(standing, await watched, deps);
      return Math.max(10, Math.min(RECHECK_MS, dueTs(standing) - deps.now()));
    })
  );
  return {
    kick() {
      let watched: ReturnType<EffectsDeps['watched']> | undefined;
      // Gathered once for all that begin now.
      rounds.forEach((one) => one.start(() => (watched ??= deps.watched())));
    },
    of: (endpoint) => [...ownEffect(endpoint, deps), ...standings.flatMap((standing) => effectOf(standing, endpoint))],
    monitors: () => standings.map(stateOf),
    has: (monitor) => standings.some(({ writer }) => writer.monitor === monitor),
    async close() {
      await Promise.all(rounds.map((one) => one.close()));
    },
  };
}

/**
 * One round at a time; what comes while one is under way starts another after it, which gathers anew.
 * @param round resolves to when it wants the next, in milliseconds
 */
function createRounds<T>(gather: () => Promise<T>, round: (gathered: Promise<T>) => Promise<number>) {
  let running: Promise<void> | undefined;
  let again = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const run = async (gathered: Promise<T>): Promise<void> => {
    // The store may fail for a moment: the next round finds it well again.
    const wait = await round(gathered).catch(() => FIRST_RETRY_MS);
    running = undefined;
    if (again && !closed) {
      again = false;
      start();
    } else if (!closed) {
      timer = setTimeout(() => start(), wait);
      timer.unref();
    }
  };
  const start = (from = gather): void => {
    if (closed) {
      return;
    }
    if (running !== undefined) {
      again = true;
      return;
    }
    clearTimeout(timer);
    running = run(from());
  };
  return {
    start,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** When it is written to again although nothing is new: each by itself, whatever the others do. */
const dueTs = ({ failure, at }: Standing): number => failure?.nextTs ?? (at === undefined ? 0 : at + RECHECK_MS);

async function bring(
  standing: Standing,
  all: readonly WatchedEndpoint[],
  { now, onChange }: EffectsDeps
): Promise<void> {
  const { writer, failure } = standing;
  const concerned = all.filter((endpoint) => writer.concern(endpoint).kind === 'watched');
  const wanted = new Map(concerned.map((endpoint) => [endpointKey(endpoint), printOf(endpoint)]));
  const isNews = standing.written === undefined || !sameEntries(standing.written, wanted);
  if (!isNews && now() < dueTs(standing)) {
    return;
  }
  try {
    const readOnly = await writer.write(concerned);
    Object.assign(standing, { written: wanted, readOnly, at: now(), failure: undefined });
    if (isNews || failure) {
      onChange(stateOf(standing));
    }
  } catch (error) {
    Object.assign(standing, { at: now(), ...afterFailure(error as Error, wanted, failure?.attempt ?? 0, now()) });
    if (failure?.message !== standing.failure?.message) {
      onChange(stateOf(standing));
    }
  }
}

function afterFailure(
  error: Error,
  wanted: ReadonlyMap<string, string>,
  attempts: number,
  now: number
): Partial<Standing> {
  const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempts);
  const failure = { message: error.message, attempt: attempts + 1, nextTs: now + wait };
  if (!(error instanceof PartlyWritten)) {
    return { failure: { ...failure, refused: undefined } };
  }
  const { refused, readOnly } = error;
  const written = new Map([...wanted].filter(([key]) => !refused.has(key)));
  return { failure: { ...failure, refused }, written, readOnly };
}

/** What an endpoint ships does not change while its package is not read anew, so it is written out once. */
const shippedPrints = new WeakMap<object, string>();

function printOf({ shipped, condition, threshold, on }: WatchedEndpoint): string {
  let print = shippedPrints.get(shipped);
  if (print === undefined) {
    print = JSON.stringify(shipped);
    shippedPrints.set(shipped, print);
  }
  return `${on} ${threshold} ${condition?.text} ${print}`;
}

function sameEntries(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

function timesOf({ at, failure }: Standing): Pick<Effect, 'at' | 'nextTryAt'> {
  return { ...(at !== undefined && { at: isoTime(at) }), ...(failure && { nextTryAt: isoTime(failure.nextTs) }) };
}

function stateOf(standing: Standing): MonitorState {
  const { writer, failure, written } = standing;
  const reason = failure?.message ?? (written === undefined ? WRITING : undefined);
  return {
    monitor: writer.monitor,
    state: reason === undefined ? 'applied' : 'pending',
    ...(reason !== undefined && { reason }),
    ...timesOf(standing),
  };
}

const WRITING = 'It is being written.';

function effectOf(standing: Standing, endpoint: WatchedEndpoint): Effect[] {
  const { writer, written, failure } = standing;
  const { monitor } = writer;
  const concern = writer.concern(endpoint);
  if (concern.kind === 'none') {
    return [];
  }
  if (concern.kind === 'read-only') {
    return [{ monitor, state: 'read-only', reason: concern.reason }];
  }
  const key = endpointKey(endpoint);
  if (written?.get(key) !== printOf(endpoint)) {
    const why = failure?.refused ? failure.refused.get(key) : failure?.message;
    return [{ monitor, state: 'pending', reason: why ?? WRITING, ...timesOf(standing) }];
  }
  const reason = standing.readOnly.get(key);
  if (reason !== undefined) {
    return [{ monitor, state: 'read-only', reason }];
  }
  return [
    {
      monitor,
      state: 'applied',
      ...(concern.note !== undefined && { reason: concern.note }),
      ...(standing.at !== undefined && { at: isoTime(standing.at) }),
    },
  ];
}

/** Of endpoints that no monitor checks, or not yet. */
function ownEffect({ dnpName, shipped }: WatchedEndpoint, { toldElsewhere }: EffectsDeps): Effect[] {
  if (shipped.kind === 'custom') {
    const reason = `The package reads it from /package-manifest/${dnpName} and decides by itself.`;
    return [{ monitor: 'package', state: 'applied', reason }];
  }
  const isOurs = shipped.kind === 'chain' && toldElsewhere?.(dnpName, shipped.correlationId) !== true;
  return isOurs ? [{ monitor: 'bridge', state: 'applied' }] : [];
}
