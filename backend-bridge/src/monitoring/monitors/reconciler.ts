/**
 * Applies thresholds and switches to the monitors and reports the result of each. Failed syncs are retried with backoff. The state is in
 * memory: after a restart everything is synced again. Of several replicas the leader syncs, and the others show its results.
 */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Effect, Monitor as MonitorName, MonitorState } from '../../../contract/endpoint.ts';
import { isoTime } from '../../../contract/text.ts';
import type { AlertOwnership } from './alertOwnership.ts';
import { endpointKey, type Monitor, type MonitoredEndpoint, type SyncResult } from './monitor.ts';

/** The result of the last sync of a monitor, as JSON. */
export interface MonitorReport {
  synced?: [key: string, print: string][];
  readOnly: [key: string, reason: string][];
  rejected: [key: string, reason: string][];
  at?: number;
  failure?: Failure;
}

export interface ReconcilerDeps {
  monitors: readonly Monitor[];
  endpoints: () => Promise<MonitoredEndpoint[]>;
  /** A monitor was synced, or failed with another reason than before. */
  onChange: (state: MonitorState) => void;
  /** Called after each sync, before `onChange`. */
  onSync?: () => void;
  log: { error(fields: object, message: string): void };
  /** Default: the bridge sends the alerts of all nodes. */
  isOwnedByRule?: AlertOwnership['isOwnedByRule'] | undefined;
  /** Why the bridge cannot poll the node of a package; undefined: it can. */
  obstacleOf?: (dnpName: string) => string | undefined;
  /** UTC milliseconds. */
  now: () => number;
}

const FIRST_RETRY_MS = 2000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** Repairs files that were removed and rules that were deleted. */
export const RESYNC_MS = 10 * 60_000;

/** The last sync of a monitor. */
interface Standing {
  monitor: Monitor;
  /** Synced endpoints by key; undefined: none since the start. */
  synced: ReadonlyMap<string, string> | undefined;
  result: Pick<SyncResult, 'readOnly' | 'rejected'>;
  at: number | undefined;
  failure: Failure | undefined;
}

interface Failure {
  message: string;
  attempt: number;
  nextTs: number;
}

const NO_RESULT: Standing['result'] = { readOnly: new Map(), rejected: new Map() };

const NEVER_SYNCED: Omit<Standing, 'monitor'> = {
  synced: undefined,
  result: NO_RESULT,
  at: undefined,
  failure: undefined,
};

export type Reconciler = ReturnType<typeof createReconciler>;

export function createReconciler(deps: ReconcilerDeps) {
  const standings: Standing[] = deps.monitors.map((monitor) => ({ monitor, ...NEVER_SYNCED }));
  let hasFailed = false;
  const round = async (standing: Standing, endpoints: Promise<MonitoredEndpoint[]>): Promise<number> => {
    try {
      await apply(standing, await endpoints, deps);
      hasFailed = false;
      return Math.max(10, Math.min(RESYNC_MS, dueTs(standing) - deps.now()));
    } catch (error) {
      // The endpoints could not be read from the database.
      if (!hasFailed) {
        deps.log.error({ err: error }, `could not sync the monitors; retrying every ${FIRST_RETRY_MS / 1000} s`);
      }
      hasFailed = true;
      return FIRST_RETRY_MS;
    }
  };
  // A loop per monitor: a slow one does not delay the others.
  const createLoops = () =>
    standings.map((standing) => createLoop(deps.endpoints, (endpoints) => round(standing, endpoints)));
  let loops: ReturnType<typeof createLoops> | undefined;
  return {
    /** Starts a sync of what has changed. Returns immediately. */
    trigger(): void {
      let endpoints: ReturnType<ReconcilerDeps['endpoints']> | undefined;
      loops ??= createLoops();
      // Read once for all loops.
      loops.forEach((one) => one.start(() => (endpoints ??= deps.endpoints())));
    },
    /** The effect of an endpoint's settings, per monitor. */
    effectsOf: (endpoint: MonitoredEndpoint): Effect[] => [
      ...ownEffect(endpoint, deps),
      ...standings.flatMap((standing) => effectOf(standing, endpoint)),
    ],
    states: (): MonitorState[] => standings.map(stateOf),
    has: (name: MonitorName): boolean => standings.some(({ monitor }) => monitor.name === name),
    /** Reports to the other replicas, by monitor. */
    reports: (): Map<string, MonitorReport> =>
      new Map(standings.map((standing) => [standing.monitor.name, reportOf(standing)])),
    /** Shows the results of the leader; one that is missing has synced nothing yet. Only while nothing is synced here. */
    adopt(reports: ReadonlyMap<string, MonitorReport>): void {
      standings.forEach((standing) =>
        Object.assign(standing, NEVER_SYNCED, adopted(reports.get(standing.monitor.name)))
      );
    },
    /** Waits for running syncs. A later `trigger` syncs everything again. */
    async stop(): Promise<void> {
      await Promise.all((loops ?? []).map((one) => one.close()));
      loops = undefined;
      standings.forEach((standing) => Object.assign(standing, NEVER_SYNCED));
    },
  };
}

function reportOf({ synced, result, at, failure }: Standing): MonitorReport {
  return {
    ...(synced !== undefined && { synced: [...synced] }),
    readOnly: [...result.readOnly],
    rejected: [...result.rejected],
    ...(at !== undefined && { at }),
    ...(failure !== undefined && { failure }),
  };
}

function adopted(report: MonitorReport | undefined): Partial<Standing> {
  if (report === undefined) {
    return {};
  }
  const { synced, readOnly, rejected, at, failure } = report;
  const result = { readOnly: new Map(readOnly), rejected: new Map(rejected) };
  return { synced: synced && new Map(synced), result, at, failure };
}

/**
 * One round at a time. A start during a round starts another one afterwards, which reads the endpoints again.
 * @param round resolves to the milliseconds until the next one
 */
function createLoop<T>(read: () => Promise<T>, round: (read: Promise<T>) => Promise<number>) {
  let running: Promise<void> | undefined;
  let again = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const run = async (reading: Promise<T>): Promise<void> => {
    const wait = await round(reading);
    running = undefined;
    if (again && !closed) {
      again = false;
      start();
    } else if (!closed) {
      timer = setTimeout(() => start(), wait);
      timer.unref();
    }
  };
  const start = (from = read): void => {
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

/** When a sync is due even if nothing changes. */
const dueTs = ({ failure, at }: Standing): number => failure?.nextTs ?? (at === undefined ? 0 : at + RESYNC_MS);

async function apply(
  standing: Standing,
  all: readonly MonitoredEndpoint[],
  { now, onChange, onSync }: ReconcilerDeps
): Promise<void> {
  const { monitor, failure } = standing;
  const endpoints = all.filter((endpoint) => monitor.support(endpoint).kind === 'supported');
  const wanted = new Map(endpoints.map((endpoint) => [endpointKey(endpoint), printOf(endpoint)]));
  const isChanged = !isDeepStrictEqual(standing.synced, wanted);
  const left = dueTs(standing) - now();
  // Longer than it can be: the clock was set back.
  if (!isChanged && left > 0 && left <= RESYNC_MS) {
    return;
  }
  let message: string | undefined;
  try {
    const result = await monitor.sync(endpoints);
    message = summary(result.rejected);
    const synced = new Map([...wanted].filter(([key]) => !result.rejected.has(key)));
    Object.assign(standing, { synced, result });
  } catch (error) {
    ({ message } = error as Error);
    standing.result = { ...standing.result, rejected: NO_RESULT.rejected };
    // Whether the changes are in effect is unknown.
    standing.synced &&= new Map([...standing.synced].filter(([key, print]) => wanted.get(key) === print));
  }
  Object.assign(standing, { at: now(), failure: message === undefined ? undefined : failed(message, failure, now()) });
  onSync?.();
  if (message === undefined ? isChanged || failure : message !== failure?.message) {
    onChange(stateOf(standing));
  }
}

function summary(rejected: SyncResult['rejected']): string | undefined {
  const [first] = rejected.values();
  return rejected.size > 1 ? `${first} And ${rejected.size - 1} more, see its endpoints.` : first;
}

function failed(message: string, before: Failure | undefined, now: number): Failure {
  const attempts = before?.attempt ?? 0;
  const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempts);
  return { message, attempt: attempts + 1, nextTs: now + wait };
}

/** Serialized once: the object is replaced when its package changes. */
const shippedPrints = new WeakMap<object, string>();

function printOf({ shipped, condition, threshold, on }: MonitoredEndpoint): string {
  let print = shippedPrints.get(shipped);
  if (print === undefined) {
    print = hash('sha256', JSON.stringify(shipped), 'base64url');
    shippedPrints.set(shipped, print);
  }
  return `${on} ${threshold} ${condition?.text} ${print}`;
}

function timesOf({ at, failure }: Standing): Pick<Effect, 'at' | 'nextTryAt'> {
  return { ...(at !== undefined && { at: isoTime(at) }), ...(failure && { nextTryAt: isoTime(failure.nextTs) }) };
}

function stateOf(standing: Standing): MonitorState {
  const { monitor, failure, synced } = standing;
  const reason = failure?.message ?? (synced === undefined ? SYNCING : undefined);
  return {
    monitor: monitor.name,
    state: reason === undefined ? 'applied' : 'pending',
    ...(reason !== undefined && { reason }),
    ...timesOf(standing),
  };
}

const SYNCING = 'It is being written.';

function effectOf(standing: Standing, endpoint: MonitoredEndpoint): Effect[] {
  const { synced, failure, result, at } = standing;
  const { name: monitor } = standing.monitor;
  const support = standing.monitor.support(endpoint);
  if (support.kind === 'none') {
    return [];
  }
  if (support.kind === 'read-only') {
    return [{ monitor, state: 'read-only', reason: support.reason }];
  }
  const key = endpointKey(endpoint);
  if (synced?.get(key) !== printOf(endpoint)) {
    const reason = result.rejected.size > 0 ? result.rejected.get(key) : failure?.message;
    return [{ monitor, state: 'pending', reason: reason ?? SYNCING, ...timesOf(standing) }];
  }
  const reason = result.readOnly.get(key);
  if (reason !== undefined) {
    return [{ monitor, state: 'read-only', reason }];
  }
  return [
    {
      monitor,
      state: 'applied',
      ...(support.note !== undefined && { reason: support.note }),
      ...(at !== undefined && { at: isoTime(at) }),
    },
  ];
}

/** Endpoints that the package or the bridge checks. */
function ownEffect({ dnpName, shipped }: MonitoredEndpoint, { isOwnedByRule, obstacleOf }: ReconcilerDeps): Effect[] {
  if (shipped.kind === 'custom') {
    const reason = `The package reads it from /package-manifest/${dnpName} and decides by itself.`;
    return [{ monitor: 'package', state: 'applied', reason }];
  }
  const isOurs = shipped.kind === 'chain' && isOwnedByRule?.(dnpName, shipped.correlationId) !== true;
  const reason = obstacleOf?.(dnpName);
  const state = reason === undefined ? { state: 'applied' as const } : { state: 'pending' as const, reason };
  return isOurs ? [{ monitor: 'bridge', ...state }] : [];
}
