/**
 * Resolves alerts that their Alertmanager no longer reports or whose endpoint Gatus reports as healthy: the resolve was lost, or the rule
 * or instance is gone. Only alerts that were found there before, so that one that the bridge cannot ask resolves nothing.
 */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import type { FiringAlerts } from '../../../contract/silence.ts';
import { MINUTE_MS } from '../../../contract/time.ts';
import type { Gone } from '../../inbox/autoResolve/writes.ts';
import { repeat } from '../../platform/runtime/repeat.ts';
import type { Core } from '../../platform/core/area.ts';
import { jsonText } from '../../platform/storage/bulk.ts';
import { keepFound } from './writes.ts';

const CHECK_MS = MINUTE_MS;
/** Alertmanagers send a resolve up to their `group_interval` later (default: 5 min), and repeat it for a while. Milliseconds. */
const MISSING_MS = 10 * MINUTE_MS;

export interface Reported extends Pick<FiringAlerts, 'source' | 'id'> {
  /** Whether the alert of a thread fires, or why it has ended. Undefined: unknown. */
  stateOf: (thread: OpenThread) => 'firing' | { ended: string } | undefined;
}

/** Where alerts of these sources of notifications fire. */
export interface AlertState {
  /** For the log. */
  name: string;
  sources: readonly FiringAlerts['source'][];
  /** Alerts of those that could be read. */
  firing: (open: readonly OpenThread[]) => Promise<Reported[]>;
}

/** Alertmanagers list what fires: what is not listed has ended. */
export function alertmanagerState(firing: () => Promise<FiringAlerts[]>): AlertState {
  return {
    name: 'their Alertmanagers',
    sources: ['grafana', 'alertmanager'],
    async firing() {
      return (await firing()).map(({ source, id, name, keys }) => ({
        source,
        id,
        stateOf: ({ correlation_id: key }) =>
          keys.has(key) ? 'firing' : { ended: `${name} no longer reports this alert.` },
      }));
    },
  };
}

export interface VanishedDeps extends Pick<Core, 'db' | 'writes' | 'steady' | 'log'> {
  /** Asked while a thread of it is open. */
  state: AlertState;
  resolve: (gone: readonly Gone[]) => Promise<void>;
}

export interface OpenThread {
  thread_id: number;
  id: number;
  source: string;
  correlation_id: string;
  dnp_name: string;
  node: string;
  /** Where it was found before. */
  alertmanager: string | null;
  /** In Gatus; null if the notification does not name it. */
  endpoint: string | null;
  group: string | null;
}

export class Vanished {
  readonly #deps: VanishedDeps;
  /** Since when threads are missing, by the bridge's own clock. */
  #missing = new Map<number, number>();

  constructor(deps: VanishedDeps) {
    this.#deps = deps;
  }

  /** Checks, until the function that it returns is called. */
  lead(): () => void {
    this.#missing.clear();
    const { state, log } = this.#deps;
    return repeat(`compare open threads with ${state.name}`, CHECK_MS, () => this.check(), log);
  }

  async check(): Promise<void> {
    const { db, writes, steady, state, resolve } = this.#deps;
    const before = this.#missing;
    this.#missing = new Map();
    const open = await readOpen(db, state.sources);
    const closed = await readClosed(db);
    if (closed.length > 0) {
      await writes.submit(keepFound, { found: [], closed });
    }
    const reports = open.length > 0 ? await state.firing(open) : [];
    const firingAt = new Map(
      open.map((thread) => [
        thread,
        reports.find((one) => one.source === thread.source && one.stateOf(thread) === 'firing'),
      ])
    );
    const found = [...firingAt].flatMap(([thread, at]) =>
      at && at.id !== thread.alertmanager ? [{ thread_id: thread.thread_id, alertmanager: at.id }] : []
    );
    if (found.length > 0) {
      await writes.submit(keepFound, { found, closed: [] });
    }
    const now = steady();
    const gone = open.flatMap((thread) => {
      const at = reports.find((one) => one.source === thread.source && one.id === thread.alertmanager);
      const alert = at?.stateOf(thread);
      if (alert === undefined || alert === 'firing' || firingAt.get(thread)) {
        return [];
      }
      const since = before.get(thread.thread_id) ?? now;
      this.#missing.set(thread.thread_id, since);
      return now - since >= MISSING_MS ? [{ id: thread.id, reason: `Resolved automatically: ${alert.ended}` }] : [];
    });
    if (gone.length > 0) {
      await resolve(gone);
    }
  }
}

/** Open threads of these sources. Of a notification only what identifies its alert is read. */
export function readOpen(db: Core['db'], sources: AlertState['sources']): Promise<OpenThread[]> {
  const ofGatus = (member: string) =>
    sql<string | null>`case when n.source = 'gatus' then ${jsonText('n.extra', 'gatus', member)} end`;
  return (
    db
      .selectFrom('threads as t')
      .innerJoin('notifications as n', 'n.id', 't.head_id')
      .leftJoin('found_alerts as f', 'f.thread_id', 't.id')
      .select(['n.thread_id', 'n.id', 'n.source', 'n.correlation_id', 't.dnp_name', 't.node', 'f.alertmanager'])
      .select([ofGatus('endpoint').as('endpoint'), ofGatus('group').as('group')])
      // As a literal: SQLite uses a partial index for no parameter.
      .where('t.state', '=', sql.lit('open'))
      .where('t.head_id', 'is not', null)
      .where('n.source', 'in', sources)
      .orderBy('t.last_ts', 'desc')
      .limit(LIMITS.openAlerts.value)
      .execute()
  );
}

/** Threads that were found firing and are no longer open, or are gone. */
export async function readClosed(db: Core['db']): Promise<number[]> {
  const rows = await db
    .selectFrom('found_alerts as f')
    .leftJoin('threads as t', 't.id', 'f.thread_id')
    .select('f.thread_id')
    .where(sql<boolean>`coalesce(t.state, '') <> 'open'`)
    .limit(LIMITS.openAlerts.value)
    .execute();
  return rows.map(({ thread_id }) => thread_id);
}
