/**
 * Silences with the service account of the bridge (NODEBELL_GRAFANA_URL), for clients without a session in Grafana. Pages in Grafana send
 * the same requests with the permissions of the person, and record them here.
 */
import { z } from 'zod';
import type { Actor } from '../../../contract/audit.ts';
import { LIMITS } from '../../../contract/limits.ts';
import {
  type Alertmanager,
  countCovered,
  endSilence,
  GRAFANA,
  type Matcher,
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
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { recordSilence, type Silenced } from './writes.ts';

/** Silences of Grafana and of its Alertmanager data sources. */
export interface Silencing {
  /** Silences of all Alertmanagers, read at most every ten seconds. */
  list(): Promise<Silences>;
  /** Number of matching firing alerts. */
  covered(alertmanager: string, matchers: readonly Matcher[]): Promise<number>;
  /** @returns the id of the silence */
  save(id: number, silence: SilenceBody, by: Actor | null): Promise<string>;
  end(id: number, alertmanager: string, silence: string, by: Actor | null): Promise<void>;
  /** Records an action in Grafana with the person's own permissions. */
  record(id: number, done: SilencedBody, by: Actor | null): Promise<void>;
}

const CACHED_MS = 10_000;
const NO_ACCOUNT =
  'The bridge has no service account in Grafana: set NODEBELL_GRAFANA_URL and NODEBELL_GRAFANA_TOKEN to silence without a session in Grafana.';

export interface SilencingDeps {
  /** Undefined: no service account. */
  grafana: { url: string; token: string | undefined } | undefined;
  /** Whether the notification exists. */
  exists: (id: number) => Promise<boolean>;
  writes: Pick<WriteQueue, 'submit'>;
  /** UTC milliseconds. */
  now: () => number;
  client?: GrafanaClient;
}

/** Uses Grafana's service account (NODEBELL_GRAFANA_URL, NODEBELL_GRAFANA_TOKEN); lists are cached for ten seconds. */
export function createSilencing({ grafana, exists, writes, now, client }: SilencingDeps): Silencing {
  const grafanaClient = client ?? (grafana && createGrafanaClient(grafana.url, grafana.token));
  let cached: { at: number; silences: Promise<Silences> } | undefined;

  const send = sender(grafanaClient);
  const ask = <T>(act: () => Promise<T>): Promise<T> =>
    act().catch((error: unknown) => {
      throw asProblem(error);
    });
  const change = <T>(act: () => Promise<T>): Promise<T> =>
    ask(act).finally(() => {
      cached = undefined;
    });
  const record = async (silenced: Omit<Silenced, 'now'>): Promise<void> => {
    if ((await writes.submit(recordSilence, { ...silenced, now: now() })) === 'absent') {
      notificationNotFound();
    }
    cached = undefined;
  };
  const mustExist = async (id: number): Promise<void> => {
    if (!(await exists(id))) {
      notificationNotFound();
    }
  };

  return {
    list() {
      if (grafanaClient === undefined) {
        return Promise.resolve({ alertmanagers: [], silences: [], reason: NO_ACCOUNT });
      }
      if (cached === undefined || now() - cached.at >= CACHED_MS || now() < cached.at) {
        cached = { at: now(), silences: readAll(send) };
      }
      return cached.silences;
    },
    covered: (alertmanager, matchers) => ask(() => countCovered(send, alertmanager, matchers)),
    async save(id, { alertmanager, silence, ...wanted }, by) {
      await mustExist(id);
      const saved = await change(async () => {
        const active = silence === undefined ? [] : await readSilences(send, alertmanager);
        const known = active.find((one) => one.id === silence);
        if (silence !== undefined && known === undefined) {
          throw new HttpProblem('conflict', 'This silence is no longer active.');
        }
        return saveSilence(send, alertmanager, {
          ...wanted,
          id: silence,
          startsAt: known?.startsAt ?? new Date(now()).toISOString(),
          by: by?.name || 'Nodebell',
        });
      });
      await record({ id, done: { alertmanager, silence: saved, ...wanted }, through: 'bridge', by });
      return saved;
    },
    async end(id, alertmanager, silence, by) {
      await mustExist(id);
      await change(() => endSilence(send, alertmanager, silence));
      await record({ id, done: { alertmanager, silence, until: null }, through: 'bridge', by });
    },
    record: (id, done, by) => record({ id, done, through: 'person', by }),
  };
}

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

async function readAll(send: SendToGrafana): Promise<Silences> {
  const own: Alertmanager = { id: GRAFANA, name: 'Grafana' };
  const others = await send('GET', '/api/datasources').then(
    (found) => datasources.parse(found).filter(({ type }) => type === 'alertmanager'),
    () => []
  );
  const named = [own, ...others.map(({ uid, name }): Alertmanager => ({ id: uid, name }))];
  const silences: Silence[] = [];
  const alertmanagers: Alertmanager[] = [];
  for (const alertmanager of named.slice(0, LIMITS.alertmanagers.value)) {
    try {
      silences.push(...(await readSilences(send, alertmanager.id)));
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
