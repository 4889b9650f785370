/**
 * Resolves alerts that their Alertmanager or Gatus no longer reports: the resolve was lost, or the rule or instance is gone. Only alerts
 * that were found there before, so that one that the bridge cannot ask resolves nothing.
 */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import type { FiringAlerts } from '../../../contract/silence.ts';
import { MINUTE_MS } from '../../../contract/time.ts';
import type { Gone } from '../../inbox/autoResolve/writes.ts';
import { repeat } from '../../platform/runtime/repeat.ts';
import type { Core } from '../../platform/core/area.ts';
import { keepFound } from './writes.ts';

const CHECK_MS = MINUTE_MS;
/** Alertmanagers send a resolve up to their `group_interval` later (default: 5 min), and repeat it for a while. Milliseconds. */
const MISSING_MS = 10 * MINUTE_MS;

export interface Reported extends FiringAlerts {
  /** Why others than `keys` are not reported, by `correlationId`. */
  reasons?: ReadonlyMap<string, string>;
}

/** Where alerts of these sources of notifications fire. */
export interface AlertState {
  sources: readonly FiringAlerts['source'][];
  /** Alerts that are reported, of those that could be read. */
  firing: (open: readonly OpenThread[]) => Promise<Reported[]>;
}

export interface VanishedDeps extends Pick<Core, 'db' | 'writes' | 'steady' | 'log'> {
  /** Only those are asked of which a thread is open. */
  states: readonly AlertState[];
  resolve: (gone: readonly Gone[]) => Promise<void>;
}

export interface OpenThread {
  thread_id: number;
  id: number;
  source: string;
  correlation_id: string;
  /** As in NotificationRow; null unless it is of Gatus. */
  extra: string | null;
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
    return repeat(
      'compare open threads with their Alertmanagers and Gatus',
      CHECK_MS,
      () => this.check(),
      this.#deps.log
    );
  }

  async check(): Promise<void> {
    const { db, writes, steady, resolve } = this.#deps;
    const threads = await readThreads(db, this.#deps.states);
    if (threads.length === 0) {
      return;
    }
    const open = threads.filter(({ state }) => state === 'open');
    const closed = threads.filter(({ state }) => state !== 'open').map(({ thread_id }) => thread_id);
    const { reports, errors } = await this.#ask(open);
    const found = open.flatMap(({ thread_id, alertmanager, source, correlation_id }) => {
      const at = reports.find((one) => one.source === source && one.keys.has(correlation_id));
      return at && at.id !== alertmanager ? [{ thread_id, alertmanager: at.id }] : [];
    });
    if (found.length + closed.length > 0) {
      await writes.submit(keepFound, { found, closed });
    }
    const now = steady();
    const before = this.#missing;
    this.#missing = new Map();
    const gone = open.flatMap(({ thread_id, id, alertmanager, source, correlation_id }) => {
      const at = reports.find((one) => one.source === source && one.id === alertmanager);
      if (at === undefined || at.keys.has(correlation_id)) {
        return [];
      }
      const since = before.get(thread_id) ?? now;
      this.#missing.set(thread_id, since);
      const reason = at.reasons?.get(correlation_id) ?? `${at.name} no longer reports this alert.`;
      return now - since >= MISSING_MS ? [{ id, reason: `Resolved automatically: ${reason}` }] : [];
    });
    await resolve(gone);
    if (errors.length > 0) {
      throw errors[0];
    }
  }

  async #ask(open: readonly OpenThread[]): Promise<{ reports: Reported[]; errors: unknown[] }> {
    const asked = this.#deps.states.flatMap(({ sources, firing }) => {
      const own = open.filter(({ source }) => sources.some((one) => one === source));
      return own.length > 0 ? [firing(own)] : [];
    });
    const settled = await Promise.allSettled(asked);
    return {
      reports: settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
      errors: settled.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : [])),
    };
  }
}

/** Open threads of these states and those that were found there, with their newest notification. */
async function readThreads(db: Core['db'], states: readonly AlertState[]): Promise<OpenThread[]> {
  const sources = states.flatMap((one) => one.sources);
  const rows = (of: 'open' | 'found') =>
    db
      .selectFrom('threads as t')
      .innerJoin('notifications as n', 'n.id', 't.head_id')
      .leftJoin('found_alerts as f', 'f.thread_id', 't.id')
      .select(['n.thread_id', 'n.id', 'n.source', 'n.correlation_id', 'f.alertmanager', 't.state'])
      .select(sql<string | null>`case when n.source = 'gatus' then n.extra end`.as('extra'))
      .$if(of === 'open', (query) => query.where('t.state', '=', 'open').where('n.source', 'in', sources))
      .$if(of === 'found', (query) => query.where('t.state', '<>', 'open').where('f.thread_id', 'is not', null))
      .limit(LIMITS.openAlerts.value)
      .execute();
  return [...(await rows('open')), ...(await rows('found'))];
}
