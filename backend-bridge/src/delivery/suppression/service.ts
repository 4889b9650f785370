/** Maintenance windows and inhibition rules in memory, for every arrival; the leader sends what is no longer suppressed. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { type Actor, nameOfActor } from '../../../contract/audit.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Labels } from '../../../contract/matchers.ts';
import { show } from '../../../contract/text.ts';
import type { InhibitRule, Maintenance, MaintenanceBody, Suppressions } from '../../../contract/suppression.ts';
import type { Routes } from '../../inbox/notifications/receiving.ts';
import type { Incoming, Suppression } from '../../inbox/notifications/receive.ts';
import { HttpProblem, invalid } from '../../platform/http/problem.ts';
import type { EventFeed } from '../../platform/events/feed.ts';
import { repeat } from '../../platform/runtime/repeat.ts';
import { Reread } from '../../platform/runtime/reread.ts';
import { mapInTurns } from '../../platform/runtime/steps.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { labelsOf, messageOf } from '../channels/match.ts';
import { inhibitingAmong, openSources } from './arrivals.ts';
import { cleanInhibitors, hasOldInhibitors } from './inhibitors.ts';
import { indexSources, inhibitOpen, withholdWaiting } from './evaluate.ts';
import { newestSource, targetsSince } from './inhibited.ts';
import { compileCovers, CompiledRule, type Covers, type Span, spanOf, windowClock, windowRef } from './rules.ts';
import { inOrder, shown } from './shown.ts';
import { countSuppressed, endedThreads, payloadsOf, readRules, readWindows, silencedThreads } from './store.ts';
import { keepWindow, reconsider, removeWindow, type StoredWindow } from './writes.ts';

/** Arrivals that are stored shortly after a change of the rules may have been compared with the previous ones. Milliseconds. */
const INDEX_AGAIN_MS = 30_000;
const CHECK_MS = 1000;

/** Active silences of the bridge's own Alertmanager. */
export interface ActiveSilences {
  covering(labels: Labels): { id: string; comment: string } | undefined;
  activeIds(): string[];
  /** Reads them again. */
  load(): Promise<void>;
}

/** Why an alert is sent to no channel, besides silences. */
export interface Reasons {
  /** `correlationId` of the open threads that inhibit it. */
  inhibitedBy: string[];
  /** Names of maintenance windows. */
  mutedBy: string[];
}

export interface SuppressionDeps {
  db: Database;
  writes: Pick<WriteQueue, 'submit'>;
  feed: Pick<EventFeed, 'onEvents'>;
  routes: Pick<Routes, 'of'>;
  silences: () => ActiveSilences;
  /** UTC milliseconds. */
  now: () => number;
  /** The bridge's own clock. */
  steady: () => number;
  log: Logger;
}

/** Most sources of one rule that are named for a target: many may inhibit many. */
const NAMED_SOURCES = 10;

export class SuppressionService {
  readonly #deps: SuppressionDeps;
  #windows: { window: StoredWindow; ref: string; covers: Covers; spanAt: (now: number) => Span }[] = [];
  #rules: { rule: InhibitRule & { file: string }; compiled: CompiledRule }[] = [];
  readonly #stored: Reread;
  /** Silences and windows that were active in the last check. */
  #active = '';
  /** Rules whose open sources are stored; on the replica that leads. */
  #indexed = '';
  #indexAgainAt = Infinity;
  /** The newest source when open targets were compared with sources; on the replica that leads. */
  #newest = 0;

  constructor(deps: SuppressionDeps) {
    this.#deps = deps;
    this.#stored = new Reread('read silences, maintenance windows and inhibition rules', () => this.#read(), deps.log);
    deps.feed.onEvents((events, isComplete) => {
      if (!isComplete || events.some(({ type }) => type === 'suppressions')) {
        this.#stored.soon();
      }
    });
  }

  /** Reads windows, rules and silences. */
  load(): Promise<void> {
    return this.#stored.now();
  }

  close(): void {
    this.#stored.stop();
  }

  async #read(): Promise<void> {
    const { db, silences } = this.#deps;
    const [windows, rules] = await Promise.all([readWindows(db), readRules(db), silences().load()]);
    this.#windows = windows.map((window) => {
      const ref = windowRef(window);
      return { window, ref, covers: compileCovers(window.matchers), spanAt: windowClock(window) };
    });
    this.#rules = rules.map((rule) => ({ rule, compiled: new CompiledRule(rule) }));
  }

  /** Why an arrival is not sent, and the sides of rules that it matches. */
  readonly of = ({ payload }: Pick<Incoming, 'payload'>): Suppression | undefined => {
    const silence = payload.labels && this.#deps.silences().covering(payload.labels);
    if (silence === undefined && this.#windows.length + this.#rules.length === 0) {
      return undefined;
    }
    const labels = labelsOf(payload);
    const [window] = silence ? [] : this.#activeWindows(labels);
    const sides = this.#rules.map(({ compiled }) => compiled.sides(labels));
    const inhibits = sides.flatMap(({ source }) => source ?? []);
    const inhibitedBy = sides.flatMap(({ target }) => target ?? []);
    const suppressed = silence
      ? { by: 'silence' as const, id: silence.id, reason: silence.comment }
      : window && { by: 'maintenance' as const, id: window.ref, reason: window.window.name };
    return suppressed || inhibits.length + inhibitedBy.length > 0 ? { suppressed, inhibits, inhibitedBy } : undefined;
  };

  #activeWindows(labels: Labels) {
    const now = this.#deps.now();
    return this.#windows.filter(({ covers, spanAt }) => covers(labels) && spanAt(now).state === 'active');
  }

  /** Open threads that inhibit alerts now, and their maintenance windows. */
  async reasons(payloads: readonly Partial<Incoming['payload']>[]): Promise<Reasons[]> {
    const matched = await mapInTurns(payloads, (payload) => {
      const labels = labelsOf(payload);
      const targets = this.#rules.flatMap(({ compiled }) => compiled.sides(labels).target ?? []);
      return { correlationId: payload.correlationId, targets, windows: this.#activeWindows(labels) };
    });
    const sources = await openSources(
      this.#deps.db,
      matched.flatMap(({ targets }) => targets)
    );
    return matched.map(({ correlationId, targets, windows }) => {
      const inhibiting = targets.flatMap((side) => inhibitingAmong(sources, side).slice(0, NAMED_SOURCES));
      const ids = new Set(inhibiting.map((one) => one.correlation_id));
      ids.delete(correlationId ?? '');
      return { inhibitedBy: [...ids], mutedBy: windows.map(({ window }) => window.name) };
    });
  }

  /** All windows and rules. */
  async list(): Promise<Suppressions> {
    const counts = await countSuppressed(this.#deps.db);
    const countOf = (id: string): number => counts.find(({ ref }) => ref === id)?.count ?? 0;
    const now = this.#deps.now();
    return {
      windows: inOrder(this.#windows.map(({ window, ref, spanAt }) => shown(window, spanAt(now), countOf(ref)))),
      rules: this.#rules.map(({ rule, compiled }) => ({ ...rule, threads: countOf(compiled.id) })),
    };
  }

  /** Threads that silences suppress, by id of the silence. */
  silenced() {
    return silencedThreads(this.#deps.db);
  }

  async add(body: MaintenanceBody, by: Actor | null): Promise<Maintenance> {
    const now = this.#deps.now();
    const unexpired = this.#windows.filter(({ spanAt }) => spanAt(now).state !== 'expired').length;
    if (unexpired >= LIMITS.windows.value) {
      const detail = `There are ${unexpired} maintenance windows that have not expired; allowed are ${LIMITS.windows.value}.`;
      throw new HttpProblem('conflict', detail);
    }
    return this.#keep(randomUUID(), body, undefined, by);
  }

  async change(id: string, body: MaintenanceBody, by: Actor | null): Promise<Maintenance> {
    return this.#keep(id, body, this.#own(id), by);
  }

  async remove(id: string, by: Actor | null): Promise<void> {
    this.#own(id);
    const { writes, now } = this.#deps;
    if (!(await writes.submit(removeWindow, { id, by, now: now() }))) {
      throw notFound(id);
    }
    await this.load();
  }

  /** Files that provision windows or rules. */
  files(): string[] {
    const all = [...this.#windows.map(({ window }) => window.file), ...this.#rules.map(({ rule }) => rule.file)];
    return [...new Set(all.filter((file) => file !== ''))];
  }

  /** The file that provisions the window of this name. */
  owner(name: string): string | undefined {
    return this.#windows.find(({ window }) => window.file !== '' && window.name === name)?.window.file;
  }

  /** Sends what is no longer suppressed, until the function that it returns is called. */
  lead(): () => void {
    return repeat('check suppressed threads', CHECK_MS, () => this.tick(), this.#deps.log);
  }

  /** Compares suppressed threads with windows, silences and rules. */
  async tick(): Promise<void> {
    const { db, writes, routes, silences, now, steady } = this.#deps;
    const rules = this.#rules.map(({ compiled }) => compiled.id).join(' ');
    if (rules !== this.#indexed || steady() >= this.#indexAgainAt) {
      await indexSources(this.#deps, this.of);
      this.#indexAgainAt = rules === this.#indexed ? Infinity : steady() + INDEX_AGAIN_MS;
      this.#indexed = rules;
      this.#newest = 0;
    }
    const newest = await newestSource(db);
    if (newest !== this.#newest) {
      const compiled = this.#rules.map((one) => one.compiled);
      await inhibitOpen(this.#deps, this.of, await targetsSince(db, this.#newest, compiled));
      this.#newest = newest;
    }
    const windows = this.#windows.filter(({ spanAt }) => spanAt(now()).state === 'active');
    const activeIds = [...silences().activeIds(), ...windows.map(({ ref }) => ref)];
    const active = activeIds.sort().join(' ');
    if (active !== this.#active) {
      await withholdWaiting(this.#deps, this.of);
      this.#active = active;
    }
    const counts = await countSuppressed(db);
    if (counts.length > 0) {
      const inEffect = new Set([...activeIds, ...this.#rules.map(({ compiled }) => compiled.id)]);
      const ended = counts.filter(({ ref }) => !inEffect.has(ref));
      const threads = await endedThreads(db, ended, LIMITS.sliceRows.value);
      const payloads = await payloadsOf(db, threads);
      const reconsidered = threads.map((thread) => {
        const payload = payloads.get(thread);
        const [suppression, destinations] = payload ? [this.of({ payload }), routes.of({ payload })] : [];
        return { thread, suppression, destinations };
      });
      if (reconsidered.length > 0) {
        await writes.submit(reconsider, { threads: reconsidered, now: now(), steady: steady() });
      }
    }
    if (await hasOldInhibitors(db, now())) {
      await writes.submit(cleanInhibitors, { limit: LIMITS.sliceRows.value, now: now() });
    }
  }

  /** @throws HttpProblem 404; 409 for one of a file */
  #own(id: string): StoredWindow {
    const found = this.#windows.find(({ window }) => window.id === id)?.window;
    if (found === undefined) {
      throw notFound(id);
    }
    if (found.file !== '') {
      throw new HttpProblem('conflict', `This window is provisioned by ${found.file}: change it there.`);
    }
    return found;
  }

  async #keep(
    id: string,
    body: MaintenanceBody,
    before: StoredWindow | undefined,
    by: Actor | null
  ): Promise<Maintenance> {
    const { writes, now } = this.#deps;
    const problem = messageOf(() => compileCovers(body.matchers));
    if (problem !== undefined) {
      throw invalid([{ pointer: '/matchers', found: show(body.matchers), allowed: 'valid matchers', detail: problem }]);
    }
    const window: StoredWindow = { ...body, id, file: '', by: nameOfActor(by) ?? '', updatedAt: now() };
    const span = spanOf(window, now());
    if (span.state === 'expired' && before === undefined) {
      const allowed = 'a time in the future';
      throw invalid([{ pointer: '/endsAt', found: show(body.endsAt), allowed, detail: 'The window has ended.' }]);
    }
    await writes.submit(keepWindow, { window, before, by });
    await this.load();
    return shown(window, span, 0);
  }
}

const notFound = (id: string): HttpProblem =>
  new HttpProblem('not-found', `There is no maintenance window ${show(id)}.`);
