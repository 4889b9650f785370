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
import type { Database } from '../../platform/storage/engine.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { HEARD, keepHeard } from './writes.ts';

export interface HeartbeatDeps {
  db: Database;
  writes: Pick<WriteQueue, 'submit'>;
  /** All tokens, as known here. */
  tokens: () => Token[];
  receive: Receive;
  leads: () => boolean;
  /** Delay after which a use of a token at another replica is known here. Milliseconds. */
  lagMs: number;
  /** The bridge's own clock. */
  steady: () => number;
  log: Logger;
}

/** Heartbeats of provisioning files. */
export interface Heartbeats {
  /** Replaces those of one file. */
  provision(file: string, heartbeats: readonly ProvisionedHeartbeat[]): Promise<void>;
  /** The file that provisions it. */
  owner(name: string): string | undefined;
  files(): string[];
  /** Heartbeats of one file, in its order. */
  ofFile(file: string): ProvisionedHeartbeat[];
  /** Checks, until the function that it returns is called. */
  start(): () => Promise<void>;
  /** State of a sender's heartbeat; undefined: it has none, or this replica does not lead. */
  of(sender: string): HeartbeatState | undefined;
  register(registry: Registry): void;
}

interface Monitored extends ProvisionedHeartbeat {
  file: string;
  sender: string;
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

/** The leader compares last uses of tokens, by the bridge's own clock (docs/decisions/0023-channels.md). */
export function createHeartbeats(deps: HeartbeatDeps): Heartbeats {
  const { db, writes, tokens, receive, leads, lagMs, steady, log } = deps;
  const all = new Map<string, Monitored>();
  let turn: Promise<unknown> = Promise.resolve();
  /** One after another. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = turn.then(work);
    turn = next.catch(() => undefined);
    return next;
  };

  const tokensOf = (sender: string): Token[] =>
    tokens().filter(({ name, revokedAt }) => name === sender && revokedAt === null);
  /** The last use of each of its tokens. One that is made, replaced or revoked adds none. */
  const usesOf = (sender: string): ReadonlySet<string> =>
    new Set(
      tokensOf(sender).flatMap(({ id, lastUsedAt, previous }) =>
        [lastUsedAt, previous?.lastUsedAt].flatMap((at) => (at == null ? [] : `${id} ${at}`))
      )
    );

  const stored = async (name: string): Promise<number | undefined> =>
    (
      await db
        .selectFrom('series')
        .select('last')
        .where('name', '=', HEARD + name)
        .executeTakeFirst()
    )?.last;
  const notify = (
    { name, priority = 'high' }: ProvisionedHeartbeat,
    payload: Pick<NotificationPayload, 'title' | 'body' | 'status'>
  ): Promise<unknown> =>
    receive([
      {
        payload: { ...payload, priority, category: 'system', dnpName: OWN_PACKAGE, correlationId: correlationOf(name) },
        source: 'bridge',
      },
    ]);

  async function watch(file: string, one: ProvisionedHeartbeat): Promise<void> {
    const { name, sender = name } = one;
    const now = steady();
    const known = all.get(name);
    // The clock of a bridge that was killed is stored up to a minute late.
    const heardTs = Math.min(Math.max((await stored(name)) ?? 0, known?.heardTs ?? 0) || now, now);
    const silentSince = (await isFiring(db, correlationOf(name))) ? heardTs : undefined;
    const uses = known?.uses ?? usesOf(sender);
    all.set(name, { ...one, file, sender, heardTs, keptTs: known?.keptTs ?? 0, uses, silentSince });
  }

  async function check(): Promise<void> {
    if (!leads()) {
      return;
    }
    const now = steady();
    const heard: { name: string; ts: number }[] = [];
    for (const one of all.values()) {
      const uses = usesOf(one.sender);
      if ([...uses].some((use) => !one.uses.has(use))) {
        one.heardTs = now;
      }
      one.uses = uses;
      if (Math.abs(one.heardTs - one.keptTs) >= KEEP_MS) {
        heard.push({ name: one.name, ts: one.heardTs });
      }
      await report(one, now);
    }
    if (heard.length > 0) {
      await writes.submit(keepHeard, { heard, gone: [], now });
      heard.forEach(({ name, ts }) => {
        const one = all.get(name);
        if (one) {
          one.keptTs = ts;
        }
      });
    }
  }

  async function report(one: Monitored, now: number): Promise<void> {
    const { name, sender, interval, heardTs, silentSince } = one;
    const intervalMs = durationSeconds(interval) * 1000;
    const isSilent = now - heardTs > intervalMs + lagMs;
    const isReported = silentSince !== undefined;
    const isClosed = isSilent && isReported && !(await isFiring(db, correlationOf(name)));
    one.closedTs = isClosed ? (one.closedTs ?? now) : undefined;
    if (isSilent && (!isReported || now - (one.closedTs ?? now) > intervalMs)) {
      const exists = tokensOf(sender).length > 0;
      const title = `${name} has been silent for ${durationText(intervalMs)}`;
      const body = exists
        ? `Neither a notification nor a heartbeat has come from the sender ${show(sender)}. It has stopped, its network is down, or its token is rejected.`
        : `There is no sender ${show(sender)} with a valid token.`;
      await notify(one, { title, body, status: 'triggered' });
      one.silentSince = heardTs;
      one.closedTs = undefined;
    } else if (!isSilent && isReported) {
      const title = `${name} is back`;
      const body = `It was silent for ${durationText(Math.max(0, heardTs - silentSince))}.`;
      await notify(one, { title, body, status: 'resolved' });
      one.silentSince = undefined;
    }
  }

  return {
    provision: (file, wanted) =>
      inTurn(async () => {
        const names = new Set(wanted.map(({ name }) => name));
        const gone = [...all.values()].filter((one) => one.file === file && !names.has(one.name));
        for (const one of gone) {
          all.delete(one.name);
          if (one.silentSince !== undefined) {
            const body = 'It is no longer provisioned.';
            await notify(one, { title: `${one.name} is no longer monitored`, body, status: 'resolved' });
          }
        }
        if (gone.length > 0) {
          await writes.submit(keepHeard, { heard: [], gone: gone.map(({ name }) => name), now: steady() });
        }
        for (const one of wanted) {
          await watch(file, one);
        }
      }),
    owner: (name) => all.get(name)?.file,
    files: () => [...new Set([...all.values()].map(({ file }) => file))],
    ofFile: (name) =>
      [...all.values()].flatMap(({ file, name: heartbeat, sender, interval, priority }) =>
        file === name ? [{ name: heartbeat, sender, interval, ...(priority && { priority }) }] : []
      ),
    start() {
      const stop = repeat('check heartbeats', CHECK_MS, () => inTurn(check), log);
      return async () => {
        stop();
        await turn;
      };
    },
    of(sender) {
      const one = [...all.values()].find((some) => some.sender === sender);
      return one && { name: one.name, interval: one.interval, silent: one.silentSince !== undefined };
    },
    register(registry) {
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
    },
  };
}
