/**
 * Resolves alerts that their Alertmanager no longer reports: the resolve was lost, or the rule or instance is gone. Only alerts that were
 * found there before, so that an Alertmanager that the bridge cannot ask resolves nothing.
 */
import { LIMITS } from '../../../contract/limits.ts';
import { type FiringAlerts, isOfAlertmanager } from '../../../contract/silence.ts';
import { MINUTE_MS } from '../../../contract/time.ts';
import type { Gone } from '../../inbox/autoResolve/writes.ts';
import { repeat } from '../../platform/runtime/repeat.ts';
import type { Core } from '../../platform/core/area.ts';
import { keepFound } from './writes.ts';

const CHECK_MS = MINUTE_MS;
/** Alertmanagers send a resolve up to their `group_interval` later (default: 5 min), and repeat it for a while. Milliseconds. */
const MISSING_MS = 10 * MINUTE_MS;

export interface VanishedDeps extends Pick<Core, 'db' | 'writes' | 'steady' | 'log'> {
  /** Firing alerts of the Alertmanagers that could be read. */
  firing: () => Promise<FiringAlerts[]>;
  resolve: (gone: readonly Gone[]) => Promise<void>;
}

interface OpenThread {
  thread_id: number;
  id: number;
  source: string;
  correlation_id: string;
  /** Where it was found before. */
  alertmanager: string | null;
  state: string;
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
    return repeat('compare open threads with their Alertmanagers', CHECK_MS, () => this.check(), this.#deps.log);
  }

  async check(): Promise<void> {
    const { db, writes, steady, firing, resolve } = this.#deps;
    const threads = await readThreads(db);
    if (threads.length === 0) {
      return;
    }
    const open = threads.filter(({ state }) => state === 'open');
    const closed = threads.filter(({ state }) => state !== 'open').map(({ thread_id }) => thread_id);
    const alertmanagers = await firing();
    const found = open.flatMap(({ thread_id, alertmanager, source, correlation_id }) => {
      const at = alertmanagers.find((one) => isOfAlertmanager(source, one.id) && one.keys.has(correlation_id));
      return at && at.id !== alertmanager ? [{ thread_id, alertmanager: at.id }] : [];
    });
    if (found.length + closed.length > 0) {
      await writes.submit(keepFound, { found, closed });
    }
    const now = steady();
    const before = this.#missing;
    this.#missing = new Map();
    const gone = open.flatMap(({ thread_id, id, alertmanager, correlation_id }) => {
      const at = alertmanagers.find((one) => one.id === alertmanager);
      if (at === undefined || at.keys.has(correlation_id)) {
        return [];
      }
      const since = before.get(thread_id) ?? now;
      this.#missing.set(thread_id, since);
      return now - since >= MISSING_MS
        ? [{ id, reason: `Resolved automatically: ${at.name} no longer reports this alert.` }]
        : [];
    });
    await resolve(gone);
  }
}

/** Open threads of Alertmanagers and those that were found there, with their newest notification. */
async function readThreads(db: Core['db']): Promise<OpenThread[]> {
  const rows = (of: 'open' | 'found') =>
    db
      .selectFrom('threads as t')
      .innerJoin('notifications as n', 'n.id', 't.head_id')
      .leftJoin('found_alerts as f', 'f.thread_id', 't.id')
      .select(['n.thread_id', 'n.id', 'n.source', 'n.correlation_id', 'f.alertmanager', 't.state'])
      .$if(of === 'open', (query) =>
        query.where('t.state', '=', 'open').where('n.source', 'in', ['grafana', 'alertmanager'])
      )
      .$if(of === 'found', (query) => query.where('t.state', '<>', 'open').where('f.thread_id', 'is not', null))
      .limit(LIMITS.openAlerts.value)
      .execute();
  return [...(await rows('open')), ...(await rows('found'))];
}
