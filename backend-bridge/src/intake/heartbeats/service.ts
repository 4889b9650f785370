/**
 * A dead man's switch: a sender that is silent for longer than its interval is reported once, again an interval after its thread was closed
 * or deleted, and when it is back. Only on the replica that leads. Time is that of the bridge's own clock, which stands still while no bridge runs.
 */
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { HeartbeatState, ProvisionedHeartbeat } from '../../../contract/heartbeat.ts';
import { type NotificationPayload, OWN_PACKAGE } from '../../../contract/notification.ts';
import type { Token } from '../../../contract/token.ts';
import { durationSeconds, show } from '../../../contract/text.ts';
import { durationText } from '../../delivery/channels/kinds/text.ts';
import { isFiring } from '../../inbox/notifications/ownAlerts.ts';
import type { Receive } from '../../inbox/notifications/receive.ts';
import { repeat } from '../../platform/runtime/repeat.ts';
import { createSerial } from '../../platform/runtime/serial.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { HEARD, keepHeard } from './writes.ts';

export interface HeartbeatDeps {
  db: Database;
  writes: Pick<WriteQueue, 'submit'>;
  /** All tokens, as known here. */
  tokens: () => Token[];
  receive: Receive;
  /** As that of `Leadership`. */
  term: () => number | undefined;
  /** Delay after which a use of a token at another replica is known here. Milliseconds. */
  lagMs: number;
  /** The bridge's own clock. */
  steady: () => number;
  log: Logger;
}

interface Monitored extends ProvisionedHeartbeat {
  file: string;
  sender: string;
  /** In which its state was read: that of an earlier term has been changed by another replica since then. */
  term: number | undefined;
  /** Last sign of life, by the bridge's own clock. */
  heardTs: number;
  keptTs: number;
  /** Uses at the last check; a change is a sign of life. */
  uses: ReadonlySet<string>;
  silentSince: number | undefined;
  /** Since when its thread is closed or deleted, although it is silent; by the bridge's own clock. */
  closedTs?: number | undefined;
}

const CHECK_MS = 1000;
/** Interval of storing signs of life: those since are lost by a restart. Milliseconds. */
const KEEP_MS = 60_000;
const correlationOf = (name: string): string => `heartbeat-${name}`;

/** In another term, what was known stays so unless another leader has heard the sender meanwhile. @param lastTs as stored */
const stillKnown = (before: Monitored | undefined, term: number | undefined, lastTs: number): Monitored | undefined =>
  before && (before.term === term || lastTs <= before.heardTs) ? before : undefined;

/** Heartbeats of provisioning files. The leader compares last uses of tokens, by the bridge's own clock (docs/decisions/0023-channels.md). */
export class Heartbeats {
  readonly #deps: HeartbeatDeps;
  readonly #all = new Map<string, Monitored>();
  readonly #inTurn = createSerial();

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  /** Adds what is stored, in case a file has an error now. */
  load(): Promise<void> {
    return this.#inTurn(async () => {
      for (const { name, file, content } of await this.#deps.db.selectFrom('heartbeats').selectAll().execute()) {
        if (!this.#all.has(name)) {
          await this.#watch(file, JSON.parse(content) as ProvisionedHeartbeat);
        }
      }
    });
  }

  /** Replaces those of one file. @param kept names of those that stay */
  provision(file: string, wanted: readonly ProvisionedHeartbeat[], kept: readonly string[] = []): Promise<void> {
    return this.#inTurn(async () => {
      const names = new Set([...wanted.map(({ name }) => name), ...kept]);
      const gone = [...this.#all.values()].filter((one) => one.file === file && !names.has(one.name));
      await this.#forget(gone);
      for (const one of wanted) {
        await this.#watch(file, one);
      }
    });
  }

  /** The file that provisions it. */
  owner(name: string): string | undefined {
    return this.#all.get(name)?.file;
  }

  files(): string[] {
    return [...new Set([...this.#all.values()].map(({ file }) => file))];
  }

  /** Heartbeats of one file, in its order. */
  ofFile(name: string): ProvisionedHeartbeat[] {
    return [...this.#all.values()].flatMap(({ file, name: heartbeat, sender, interval, priority }) =>
      file === name ? [{ name: heartbeat, sender, interval, ...(priority && { priority }) }] : []
    );
  }

  /** Checks, until the function that it returns is called. */
  start(): () => Promise<void> {
    const stop = repeat('check heartbeats', CHECK_MS, () => this.check(), this.#deps.log);
    return async () => {
      stop();
      await this.#inTurn(() => undefined);
    };
  }

  /** Reports who is silent, or back. */
  check(): Promise<void> {
    return this.#inTurn(() => this.#check());
  }

  /** State of a sender's heartbeat; undefined: it has none, or this replica does not lead. */
  of(sender: string): HeartbeatState | undefined {
    const one = [...this.#all.values()].find((some) => some.sender === sender);
    return one && { name: one.name, interval: one.interval, silent: one.silentSince !== undefined };
  }

  register(registry: Registry): void {
    const all = this.#all;
    new Gauge({
      name: 'nodebell_heartbeat_silent',
      help: '1 while a sender with a heartbeat is silent.',
      labelNames: ['heartbeat'],
      registers: [registry],
      collect() {
        this.reset();
        all.forEach(({ name, silentSince }) => this.set({ heartbeat: name }, silentSince === undefined ? 0 : 1));
      },
    });
  }

  #tokensOf(sender: string): Token[] {
    return this.#deps.tokens().filter(({ name, revokedAt }) => name === sender && revokedAt === null);
  }

  /** The last use of each of its tokens. One that is made, replaced or revoked adds none. */
  #usesOf(sender: string): ReadonlySet<string> {
    return new Set(
      this.#tokensOf(sender).flatMap(({ id, lastUsedAt, previous }) =>
        [lastUsedAt, previous?.lastUsedAt].flatMap((at) => (at == null ? [] : `${id} ${at}`))
      )
    );
  }

  async #forget(gone: readonly Monitored[]): Promise<void> {
    for (const one of gone) {
      this.#all.delete(one.name);
      if (one.silentSince !== undefined) {
        const body = 'It is no longer provisioned.';
        await this.#notify(one, { title: `${one.name} is no longer monitored`, body, status: 'resolved' });
      }
    }
    if (gone.length > 0) {
      const { writes, steady } = this.#deps;
      await writes.submit(keepHeard, { heard: [], gone: gone.map(({ name }) => name), now: steady() });
    }
  }

  async #watch(file: string, one: ProvisionedHeartbeat): Promise<void> {
    const { db, steady } = this.#deps;
    const { name, sender = name } = one;
    const [now, term] = [steady(), this.#deps.term()];
    const before = this.#all.get(name);
    const stored = await db
      .selectFrom('series')
      .select('last')
      .where('name', '=', HEARD + name)
      .executeTakeFirst();
    const known = stillKnown(before, term, stored?.last ?? 0);
    // The clock of a bridge that was killed is stored up to a minute late.
    const heardTs = Math.min(Math.max(stored?.last ?? 0, known?.heardTs ?? 0) || now, now);
    const silentSince = (await isFiring(db, correlationOf(name))) ? heardTs : undefined;
    const uses = known?.sender === sender ? known.uses : this.#usesOf(sender);
    this.#all.set(name, { ...one, file, sender, term, heardTs, keptTs: known?.keptTs ?? 0, uses, silentSince });
  }

  async #check(): Promise<void> {
    const { writes, steady } = this.#deps;
    const term = this.#deps.term();
    if (term === undefined) {
      return;
    }
    for (const one of this.#all.values()) {
      if (one.term !== term) {
        await this.#watch(one.file, one);
      }
    }
    const now = steady();
    const heard: { name: string; ts: number }[] = [];
    for (const one of this.#all.values()) {
      const uses = this.#usesOf(one.sender);
      if ([...uses].some((use) => !one.uses.has(use))) {
        one.heardTs = now;
      }
      one.uses = uses;
      if (Math.abs(one.heardTs - one.keptTs) >= KEEP_MS) {
        heard.push({ name: one.name, ts: one.heardTs });
      }
      await this.#report(one, now);
    }
    if (heard.length > 0) {
      await writes.submit(keepHeard, { heard, gone: [], now });
      heard.forEach(({ name, ts }) => {
        const one = this.#all.get(name);
        if (one) {
          one.keptTs = ts;
        }
      });
    }
  }

  async #report(one: Monitored, now: number): Promise<void> {
    const { name, sender, interval, heardTs, silentSince } = one;
    const intervalMs = durationSeconds(interval) * 1000;
    const isSilent = now - heardTs > intervalMs + this.#deps.lagMs;
    const isReported = silentSince !== undefined;
    const isClosed = isSilent && isReported && !(await isFiring(this.#deps.db, correlationOf(name)));
    one.closedTs = isClosed ? (one.closedTs ?? now) : undefined;
    if (isSilent && (!isReported || now - (one.closedTs ?? now) > intervalMs)) {
      const exists = this.#tokensOf(sender).length > 0;
      const title = `${name} has been silent for ${durationText(intervalMs)}`;
      const body = exists
        ? `Neither a notification nor a heartbeat has come from the sender ${show(sender)}. It has stopped, its network is down, or its token is rejected.`
        : `There is no sender ${show(sender)} with a valid token.`;
      await this.#notify(one, { title, body, status: 'triggered' });
      one.silentSince = heardTs;
      one.closedTs = undefined;
    } else if (!isSilent && isReported) {
      const title = `${name} is back`;
      const body = `It was silent for ${durationText(Math.max(0, heardTs - silentSince))}.`;
      await this.#notify(one, { title, body, status: 'resolved' });
      one.silentSince = undefined;
    }
  }

  #notify(
    { name, priority = 'high' }: ProvisionedHeartbeat,
    payload: Pick<NotificationPayload, 'title' | 'body' | 'status'>
  ): Promise<unknown> {
    return this.#deps.receive([
      {
        payload: { ...payload, priority, category: 'system', dnpName: OWN_PACKAGE, correlationId: correlationOf(name) },
        source: 'bridge',
      },
    ]);
  }
}
