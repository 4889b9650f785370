/**
 * Firing alerts of Alertmanager's API. Prometheus sends each of them again every minute: that changes memory only. An alert resolves when it
 * is sent as resolved, or when its end passes without news.
 */
import type { Logger } from 'pino';
import { LIMITS } from '../../../contract/limits.ts';
import type { Incoming, Once, Receive } from '../../inbox/notifications/receive.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { createSerial } from '../../platform/runtime/serial.ts';
import { mapInTurns } from '../../platform/runtime/steps.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { OpenAlertRow } from '../../platform/storage/schema.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { identityOf } from '../webhooks/repeats.ts';
import { fingerprintOf, type PostedAlert, readPosted } from './alert.ts';
import { type Change, type Changes, inSlices, noChanges } from './changes.ts';
import { incomingOf, type Origin } from './incoming.ts';
import { keyOf, noticeOf, type OpenAlert, timedOut, toRow } from './openAlert.ts';
import { openAlertRowsOf, readOpenAlerts } from './store.ts';
import { CHANGES, keepAlerts, type OtherAlert } from './writes.ts';

export interface OpenAlertsDeps {
  db: Database;
  writes: Pick<WriteQueue, 'submit'>;
  receive: Receive;
  /** Reads the silences. */
  onRead: () => Promise<void>;
  /** The bridge has its database for itself. */
  isAlone: boolean;
  /** The system's clock, UTC milliseconds. */
  now: () => number;
  /** The bridge's own clock. */
  steady: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** An alert at its place in the request. */
interface Posted {
  alert: PostedAlert;
  fingerprint: string;
  index: number;
}

export class OpenAlerts {
  readonly #deps: OpenAlertsDeps;
  /** By owner and fingerprint. */
  #open = new Map<string, OpenAlert>();
  /** Resolved unless their senders send them again. */
  #tooLarge = new Map<string, OpenAlert>();
  /** Size of their texts during a request, with those that it adds. */
  #bytes = 0;
  /** Value of the series {@link CHANGES} when the alerts were read. */
  #seen = -1;
  /** So that a resolve does not overtake its alert. */
  readonly #inTurn = createSerial();

  constructor(deps: OpenAlertsDeps) {
    this.#deps = deps;
  }

  /** Firing alerts of all senders, one for each set of labels: the latest news of it, and the earliest start. */
  list(): OpenAlert[] {
    return [...Map.groupBy(this.#open.values(), ({ fingerprint }) => fingerprint).values()].map((same) => ({
      ...same.reduce((latest, one) => (latest.updatedAt < one.updatedAt ? one : latest)),
      startsAt: Math.min(...same.map(({ startsAt }) => startsAt)),
    }));
  }

  /**
   * Reads what is stored, again if another replica has changed it. An alert has the time until its end once more after a start, since
   * news that came meanwhile is not stored.
   */
  sync(): Promise<void> {
    return this.#inTurn(() => this.#sync());
  }

  async #sync(): Promise<void> {
    const { db, isAlone, onRead } = this.#deps;
    if (isAlone && this.#seen !== -1) {
      return;
    }
    const { last } = await db.selectFrom('series').select('last').where('name', '=', CHANGES).executeTakeFirstOrThrow();
    if (last === this.#seen) {
      return;
    }
    await onRead();
    const { now, steady, log } = this.#deps;
    const clocks = { now: now(), steady: steady(), isFirst: this.#seen === -1 };
    const { open, tooLarge } = await readOpenAlerts(db, this.#open, clocks);
    [this.#open, this.#tooLarge, this.#seen] = [open, tooLarge, last];
    if (tooLarge.size > 0) {
      log.warn({ alerts: tooLarge.size }, `stored alerts above ${LIMITS.openAlertBytes.value} bytes are resolved`);
    }
  }

  /**
   * Receives alerts of one request, in turn with other requests.
   * @returns why some of them are invalid; the others were received
   * @throws as `receive`: then some may not have been; those that were are repeats when they are sent again
   */
  post(raw: readonly unknown[], origin: Origin): Promise<string[]> {
    return this.#inTurn(async () => {
      await this.#sync();
      const now = this.#deps.now();
      const errors: string[] = [];
      const owner = identityOf(origin.sender, 'open');
      const changes = noChanges(owner);
      this.#bytes = [...this.#open.values()].reduce((sum, { bytes }) => sum + bytes, 0);
      const posted = new Map<string, Posted>();
      const read = (one: unknown, index: number): void => {
        const alert = readPosted(one, now);
        if (typeof alert === 'string') {
          errors.push(`alert ${index}: ${alert}`);
        } else {
          // The last of several with the same labels.
          const fingerprint = fingerprintOf(alert.labels);
          posted.set(fingerprint, { alert, fingerprint, index });
        }
      };
      await mapInTurns(raw, read);
      const take = ({ alert, fingerprint, index }: Posted): void => {
        try {
          this.#take(alert, fingerprint, origin, now, changes);
        } catch (error) {
          if (!(error instanceof HttpProblem)) {
            throw error;
          }
          errors.push(`alert ${index}: ${error.message}`);
        }
      };
      await mapInTurns([...posted.values()], take);
      this.#share(changes);
      errors.push(...this.#limit(changes));
      for (const slice of inSlices(changes)) {
        await this.#apply(slice);
      }
      return errors;
    });
  }

  /** Resolves alerts whose end has passed, and those that are too large. */
  tick(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#sync();
      const now = this.#deps.steady();
      const due = [...this.#open.values()].filter(({ deadline }) => deadline <= now);
      for (const alert of [...due, ...this.#tooLarge.values()].slice(0, LIMITS.sliceItems.value)) {
        const [row] = await this.#rowsOf([alert]);
        if (row) {
          const incoming = timedOut(alert, JSON.parse(row.incoming) as Incoming);
          const resolved = [{ alert, incoming, isShared: false }];
          const changes = { ...noChanges(alert.owner), resolved };
          this.#share(changes);
          await this.#apply(changes);
        }
      }
    });
  }

  /** @throws HttpProblem as `incomingOf` */
  #take(posted: PostedAlert, fingerprint: string, origin: Origin, now: number, changes: Changes): void {
    const { owner } = changes;
    const { log } = this.#deps;
    const known = this.#open.get(keyOf(owner, fingerprint));
    const isFiring = posted.endsAt > now;
    if (known === undefined) {
      if (isFiring) {
        const times = { updatedAt: now, deadline: this.#deps.steady() + posted.endsAt - now, storedEnd: posted.endsAt };
        const read = { ...posted, ...times, owner, fingerprint };
        const incoming = incomingOf(read, 'firing', origin, log);
        const alert = { ...read, ...noticeOf(fingerprint, incoming) };
        const ends = [incomingOf(alert, 'resolved', origin, log), timedOut(alert, incoming)];
        changes.firing.push({ alert, incoming, isShared: false, ends: ends.flatMap(({ once }) => once ?? []) });
      }
    } else if (isFiring) {
      this.#refresh(known, posted, now);
      if (!this.#deps.isAlone && known.storedEnd - now < (posted.endsAt - now) / 2) {
        changes.extended.push(known);
      }
    } else {
      const startsAt = Math.min(known.startsAt, posted.startsAt);
      const incoming = incomingOf({ ...known, ...posted, startsAt }, 'resolved', origin, log);
      changes.resolved.push({ alert: known, incoming, isShared: false });
    }
  }

  /** An alert of several senders fires when the first of them reports it, and resolves when the last no longer does. */
  #share({ owner, firing, resolved }: Changes): void {
    const others = new Set([...this.#open.values()].flatMap((one) => (one.owner === owner ? [] : one.identity)));
    [...firing, ...resolved].forEach((one) => (one.isShared = others.has(one.alert.identity)));
  }

  /** Leaves out new alerts beyond the limits. @returns why, as text */
  #limit({ firing }: Changes): string[] {
    const { openAlerts, openAlertsBytes } = LIMITS;
    const room = openAlerts.value - this.#open.size;
    const end = firing.findIndex(
      ({ alert }, index) => (this.#bytes += alert.bytes) > openAlertsBytes.value || index >= room
    );
    const rejected = end === -1 ? [] : firing.splice(end);
    return rejected.length === 0
      ? []
      : [
          `at most ${openAlerts.value} alerts, with labels and annotations of ${openAlertsBytes.value} bytes, may fire; ` +
            `${rejected.length} were rejected`,
        ];
  }

  /**
   * Merges news of a firing alert, as Alertmanager does: the earliest start, and a given end before that of the timeout. Annotations that
   * exceed the limit of all alerts are not replaced.
   */
  #refresh(known: OpenAlert, posted: PostedAlert, now: number): void {
    const keepsEnd = known.endsAt > posted.endsAt && !known.isTimeout;
    const bytes = this.#bytes - known.bytes + posted.bytes;
    if (posted.bytes <= known.bytes || bytes <= LIMITS.openAlertsBytes.value) {
      this.#bytes = bytes;
      known.bytes = posted.bytes;
      known.annotations = posted.annotations;
      known.generatorURL = posted.generatorURL;
    }
    known.startsAt = Math.min(known.startsAt, posted.startsAt);
    known.updatedAt = now;
    if (!keepsEnd) {
      known.endsAt = posted.endsAt;
      known.isTimeout = posted.isTimeout;
      known.deadline = this.#deps.steady() + posted.endsAt - now;
    }
  }

  async #apply(changes: Changes): Promise<void> {
    const { firing, resolved, extended } = changes;
    await this.#announce(changes);
    if (firing.length + resolved.length + extended.length > 0) {
      const stored = new Map((await this.#rowsOf(extended)).map((row) => [keyOf(row.owner, row.fingerprint), row]));
      const put = [
        ...firing.map(({ alert, incoming }) => toRow(alert, JSON.stringify(incoming))),
        ...extended.flatMap((alert) => {
          const row = stored.get(keyOf(alert.owner, alert.fingerprint));
          return row ? [toRow(alert, row.incoming)] : [];
        }),
      ];
      const gone = resolved.map(({ alert }): [string, string] => [alert.owner, alert.fingerprint]);
      const forgotten = await this.#forgotten(firing, resolved);
      const { isAlone, writes } = this.#deps;
      const fingerprints = isAlone ? [] : [...firing, ...resolved].map(({ alert }) => alert.fingerprint);
      const others = await writes.submit(keepAlerts, {
        ...{ put, gone, forgotten },
        shared: { owner: changes.owner, fingerprints },
      });
      if (!isAlone) {
        await this.#correct(changes, others);
      }
    }
    [...resolved, ...firing].forEach(({ alert }) => this.#tooLarge.delete(keyOf(alert.owner, alert.fingerprint)));
    resolved.forEach(({ alert }) => this.#open.delete(keyOf(alert.owner, alert.fingerprint)));
    firing.forEach(({ alert }) => this.#open.set(keyOf(alert.owner, alert.fingerprint), alert));
    extended.forEach((alert) => {
      alert.storedEnd = alert.endsAt;
    });
  }

  async #announce({ firing, resolved }: Pick<Changes, 'firing' | 'resolved'>): Promise<void> {
    const announced = [...resolved, ...firing].filter(({ isShared }) => !isShared);
    if (announced.length > 0) {
      await this.#deps.receive(announced.map(({ incoming }) => incoming));
    }
  }

  /** Other replicas may have changed meanwhile who reports the alerts. @param others who does, as it is stored now */
  async #correct({ firing, resolved }: Changes, others: readonly OtherAlert[]): Promise<void> {
    const fires = new Map(others.map((one) => [one.identity, one]));
    const unshared = <C extends Change>(changes: readonly C[]): C[] =>
      changes.flatMap((one) => (one.isShared && !fires.has(one.alert.identity) ? { ...one, isShared: false } : []));
    await this.#announce({ firing: unshared(firing), resolved: unshared(resolved) });
    const still = resolved.flatMap(({ alert, isShared }) => (isShared ? [] : (fires.get(alert.identity) ?? [])));
    const rows = await this.#rowsOf(still);
    if (rows.length > 0) {
      // Without its key: it may have been announced before the resolve.
      await this.#deps.receive(
        rows.map(({ incoming }) => ({ ...(JSON.parse(incoming) as Incoming), once: undefined }))
      );
    }
  }

  /** Keys to forget, since an alert may fire again with the same start: of the firing period after its end, and of the end when it fires. */
  async #forgotten(firing: Changes['firing'], resolved: Changes['resolved']): Promise<Once[]> {
    const rows = await this.#rowsOf(resolved.map(({ alert }) => alert));
    return [
      ...rows.flatMap((row) => (JSON.parse(row.incoming) as Incoming).once ?? []),
      ...firing.flatMap(({ ends }) => ends),
    ];
  }

  #rowsOf(alerts: readonly Pick<OpenAlert, 'owner' | 'fingerprint'>[]): Promise<OpenAlertRow[]> {
    return openAlertRowsOf(this.#deps.db, alerts);
  }
}
