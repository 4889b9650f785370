/**
 * Silences with the service account of the bridge (NODEBELL_GRAFANA_URL), for clients without a session in Grafana. Pages in Grafana send
 * the same requests with the permissions of the person, and record them here.
 */
import { z } from 'zod';
import type { Actor } from '../../../contract/audit.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Matcher } from '../../../contract/matchers.ts';
import {
  type Alertmanager,
  countCovered,
  changeEnd,
  endSilence,
  type FiringAlerts,
  GRAFANA,
  NODEBELL,
  readFiring,
  readSilences,
  saveSilence,
  type SendToGrafana,
  type Silence,
  type SilenceBody,
  type SilencedBody,
  type Silences,
} from '../../../contract/silence.ts';
import { HttpProblem, notificationNotFound } from '../../platform/http/problem.ts';
import { createGrafanaClient, type GrafanaClient, messageOf, succeeded } from '../monitors/grafana/client.ts';
import type { RecordChange } from '../../platform/audit/record.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { recordSilence, type Silenced } from './writes.ts';

const CACHED_MS = 10_000;
const NO_ACCOUNT =
  'The bridge has no service account in Grafana: set NODEBELL_GRAFANA_URL and NODEBELL_GRAFANA_TOKEN to silence without a session in Grafana.';

export interface SilencingDeps {
  /** Undefined: no service account. */
  grafana: { url: string; token: string | undefined } | undefined;
  /** Sends requests to the bridge's own Alertmanager. */
  own: SendToGrafana;
  /** Threads that each of its silences suppresses, by id. */
  silenced: () => Promise<ReadonlyMap<string, Silence['alerts']>>;
  /** Whether the notification exists. */
  exists: (id: number) => Promise<boolean>;
  writes: Pick<WriteQueue, 'submit'>;
  record: RecordChange;
  /** UTC milliseconds. */
  now: () => number;
  client?: GrafanaClient;
}

/** Silences of the bridge, of Grafana and of its Alertmanager data sources; those of Grafana with its service account. */
export class Silencing {
  readonly #deps: SilencingDeps;
  readonly #hasGrafana: boolean;
  readonly #send: SendToGrafana;
  #cached: { at: number; silences: Promise<Silences> } | undefined;

  constructor(deps: SilencingDeps) {
    const { grafana, own } = deps;
    const client = deps.client ?? (grafana && createGrafanaClient(grafana.url, grafana.token));
    const toGrafana = sender(client);
    this.#deps = deps;
    this.#hasGrafana = client !== undefined;
    this.#send = (method, path, body) =>
      (path.startsWith(`/api/alertmanager/${NODEBELL}/`) ? own : toGrafana)(method, path, body);
  }

  /** Silences of one or all Alertmanagers. The active ones of Grafana are read at most every ten seconds. @param all also pending and expired ones */
  async list(alertmanager?: string, all = false): Promise<Silences> {
    const isWanted = (id: string): boolean => (alertmanager ?? id) === id;
    const mine = isWanted(NODEBELL) ? await this.#ofBridge(all) : [];
    const others = alertmanager === NODEBELL ? { alertmanagers: [], silences: [] } : await this.#ofGrafana(all);
    return {
      ...others,
      alertmanagers: [{ id: NODEBELL, name: 'Nodebell' }, ...others.alertmanagers],
      silences: [...mine, ...others.silences.filter((one) => isWanted(one.alertmanager))],
    };
  }

  /** Number of matching firing alerts. */
  covered(alertmanager: string, matchers: readonly Matcher[]): Promise<number> {
    return ask(() => countCovered(this.#send, alertmanager, matchers));
  }

  /** @returns the id of the silence */
  async save(id: number, { alertmanager, silence, ...wanted }: SilenceBody, by: Actor | null): Promise<string> {
    await this.#mustExist(id);
    const saved = await this.#change(async () => {
      const active = silence === undefined ? [] : await readSilences(this.#send, alertmanager);
      const known = active.find((one) => one.id === silence);
      if (silence !== undefined && known === undefined) {
        throw new HttpProblem('conflict', 'This silence is no longer active.');
      }
      return saveSilence(this.#send, alertmanager, {
        ...wanted,
        id: silence,
        startsAt: known?.startsAt ?? new Date(this.#deps.now()).toISOString(),
        by: by?.name || 'Nodebell',
      });
    });
    await this.#record({ id, done: { alertmanager, silence: saved, ...wanted }, through: 'bridge', by });
    return saved;
  }

  /**
   * Extends, ends or renews a silence.
   * @param until ISO 8601; null: it ends now
   * @returns its id
   */
  async change(alertmanager: string, silence: string, until: string | null, by: Actor | null): Promise<string> {
    const { now, record } = this.#deps;
    const saved = await this.#change(async () => {
      const known = (await readSilences(this.#send, alertmanager, true)).find((one) => one.id === silence);
      if (known === undefined) {
        throw new HttpProblem('not-found', 'There is no such silence.');
      }
      return changeEnd(this.#send, known, until, new Date(now()).toISOString());
    });
    await record({
      by,
      action: until === null ? 'silence.expire' : 'silence.set',
      object: saved,
      after: { alertmanager, ...(until !== null && { endsAt: until }) },
    });
    return saved;
  }

  async end(id: number, alertmanager: string, silence: string, by: Actor | null): Promise<void> {
    await this.#mustExist(id);
    await this.#change(() => endSilence(this.#send, alertmanager, silence));
    await this.#record({ id, done: { alertmanager, silence, until: null }, through: 'bridge', by });
  }

  /** Records an action in Grafana with the person's own permissions. */
  record(id: number, done: SilencedBody, by: Actor | null): Promise<void> {
    return this.#record({ id, done, through: 'person', by });
  }

  /** Firing alerts of Grafana and its Alertmanagers, as far as they can be read. */
  async firing(): Promise<FiringAlerts[]> {
    if (!this.#hasGrafana) {
      return [];
    }
    const read = (await listAlertmanagers(this.#send)).map((one) => readFiring(this.#send, one));
    return (await Promise.allSettled(read)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  /** They cover labels of all senders, not only alerts of the Alertmanager's API. */
  async #ofBridge(all: boolean): Promise<Silence[]> {
    const silenced = await this.#deps.silenced();
    const silences = await readSilences(this.#send, NODEBELL, all);
    return silences.map((one) => {
      const known = new Set(one.alerts.map(({ correlationId }) => correlationId));
      const others = (silenced.get(one.id) ?? []).filter(({ correlationId }) => !known.has(correlationId));
      return { ...one, alerts: [...one.alerts, ...others] };
    });
  }

  #ofGrafana(all: boolean): Promise<Silences> | Silences {
    if (!this.#hasGrafana) {
      return { alertmanagers: [], silences: [], reason: NO_ACCOUNT };
    }
    if (all) {
      return readAll(this.#send, all);
    }
    const now = this.#deps.now();
    if (this.#cached === undefined || now - this.#cached.at >= CACHED_MS || now < this.#cached.at) {
      this.#cached = { at: now, silences: readAll(this.#send) };
    }
    return this.#cached.silences;
  }

  #change<T>(act: () => Promise<T>): Promise<T> {
    return ask(act).finally(() => {
      this.#cached = undefined;
    });
  }

  async #record(silenced: Omit<Silenced, 'now'>): Promise<void> {
    const { writes, now } = this.#deps;
    if ((await writes.submit(recordSilence, { ...silenced, now: now() })) === 'absent') {
      notificationNotFound();
    }
    this.#cached = undefined;
  }

  async #mustExist(id: number): Promise<void> {
    if (!(await this.#deps.exists(id))) {
      notificationNotFound();
    }
  }
}

const ask = <T>(act: () => Promise<T>): Promise<T> =>
  act().catch((error: unknown) => {
    throw asProblem(error);
  });

/** @throws HttpProblem with the message of Grafana, or why there is no client */
function sender(client: GrafanaClient | undefined): SendToGrafana {
  return async (method, path, body) => {
    if (client === undefined) {
      throw new HttpProblem('conflict', NO_ACCOUNT);
    }
    const response = await client.request(method, path, { body });
    if (response.status === 400 || response.status === 404) {
      const detail =
        messageOf(response) || `Grafana responds to ${method} ${path.replace(/\?.*/, '')} with ${response.status}.`;
      throw new HttpProblem(response.status === 400 ? 'invalid' : 'not-found', detail);
    }
    return succeeded(`${method} ${path.replace(/\?.*/, '')}`, response);
  };
}

const datasources = z.array(z.object({ uid: z.string(), name: z.string(), type: z.string() }));

/** Grafana's own Alertmanager, and those among its data sources. */
async function listAlertmanagers(send: SendToGrafana): Promise<Alertmanager[]> {
  const own: Alertmanager = { id: GRAFANA, name: 'Grafana' };
  const others = await send('GET', '/api/datasources').then(
    (found) => datasources.parse(found).filter(({ type }) => type === 'alertmanager'),
    () => []
  );
  return [own, ...others.map(({ uid, name }): Alertmanager => ({ id: uid, name }))].slice(
    0,
    LIMITS.alertmanagers.value
  );
}

async function readAll(send: SendToGrafana, all = false): Promise<Silences> {
  const named = await listAlertmanagers(send);
  const silences: Silence[] = [];
  const alertmanagers: Alertmanager[] = [];
  for (const alertmanager of named) {
    try {
      silences.push(...(await readSilences(send, alertmanager.id, all)));
      alertmanagers.push(alertmanager);
    } catch (error) {
      alertmanagers.push({ ...alertmanager, reason: asProblem(error).message });
    }
  }
  return { alertmanagers, silences };
}

/** Message of Grafana or the Alertmanager; a rejected token is named with its remedy. */
function asProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) {
    return error;
  }
  const detail =
    error instanceof z.ZodError ? 'The response of Grafana is not that of an Alertmanager.' : (error as Error).message;
  return new HttpProblem('bad-gateway', detail, { cause: error });
}
