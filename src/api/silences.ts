/** Silences at the source of alerts: in Grafana with the permissions of the user; outside of Grafana with the service account of the bridge. */
import { config, getDataSourceSrv, hasPermission } from '@grafana/runtime';
import { z } from 'zod';
import { RESPOND } from '@nodebell/contract/api/respond.ts';
import { LIMITS } from '@nodebell/contract/limits.ts';
import type { Matcher } from '@nodebell/contract/matchers.ts';
import {
  type Alertmanager,
  changeEnd,
  countCovered,
  endSilence,
  GRAFANA,
  NODEBELL,
  readSilences,
  saveSilence,
  type SilencedBody,
  type SendToGrafana,
  type Silence,
  type Silences,
} from '@nodebell/contract/silence.ts';
import { may } from './permissions';
import { t } from '../i18n/t';
import { call } from './client';
import { BridgeError, toBridgeError } from './errors';
import { requestGrafana } from './grafana';
import { showFailure } from './queryClient';

/** `person`: Grafana decides what the user may. `bridge`: there is no Grafana around this page. */
export type Through = 'person' | 'bridge';

/** The bridge's own Alertmanager is always reached through the bridge. */
const of = (through: Through, alertmanager: string): Through => (alertmanager === NODEBELL ? 'bridge' : through);

export interface ReadSilences extends Silences {
  through: Through;
}

const send: SendToGrafana = async (method, path, body) => {
  try {
    return (await requestGrafana(path, method, body)).data;
  } catch (thrown) {
    throw toSilenceError(thrown);
  }
};

/** Grafana's own message: it names the permission, or the error in a matcher. */
function toSilenceError(thrown: unknown): BridgeError {
  const { status, data } = (thrown ?? {}) as { status?: number; data?: { message?: string } };
  const message = data?.message;
  const text =
    status === undefined || status === 0
      ? t('bridge.grafana.silent', 'Grafana is not responding.')
      : t('bridge.grafana.refused', 'Grafana rejected the request: {{message}}', {
          message: message ?? String(status),
        });
  return new BridgeError('refused', text, status);
}

/** Silences of Grafana and of the Alertmanagers among its data sources. @param all also pending and expired ones */
export async function listSilences(all: boolean, signal?: AbortSignal): Promise<ReadSilences> {
  const query = all ? { all } : {};
  const ofGrafana = (one: Alertmanager) => readOne(one, () => readSilences(send, one.id, all));
  const own = await ofGrafana({ id: GRAFANA, name: 'Grafana' });
  if (own.error?.status === 404) {
    return { ...(await call(RESPOND.listSilences, { query, signal })), through: 'bridge' };
  }
  const ofBridge = () => call(RESPOND.listSilences, { query: { alertmanager: NODEBELL, ...query }, signal });
  const lists = await Promise.all([
    readOne({ id: NODEBELL, name: 'Nodebell' }, async () => (await ofBridge()).silences),
    Promise.resolve(own),
    ...alertmanagers().map(ofGrafana),
  ]);
  return {
    alertmanagers: lists.map(({ alertmanager, error }) => ({
      ...alertmanager,
      ...(error && { reason: error.message }),
    })),
    silences: lists.flatMap(({ silences }) => silences),
    through: 'person',
  };
}

async function readOne(
  alertmanager: Alertmanager,
  read: () => Promise<Silence[]>
): Promise<{ alertmanager: Alertmanager; silences: Silence[]; error?: BridgeError }> {
  try {
    return { alertmanager, silences: await read() };
  } catch (error) {
    return { alertmanager, silences: [], error: asError(error) };
  }
}

const asError = (error: unknown): BridgeError =>
  error instanceof z.ZodError
    ? new BridgeError('unexpected', t('inbox.silence.unexpected', 'Unexpected response from the Alertmanager.'))
    : toBridgeError(error);

function alertmanagers(): Alertmanager[] {
  // The replacement is still unstable, and missing in Grafana 12.
  // oxlint-disable-next-line typescript/no-deprecated
  const found = getDataSourceSrv().getList({ all: true, type: 'alertmanager' });
  return found.slice(0, LIMITS.alertmanagers.value).map(({ uid, name }) => ({ id: uid, name }));
}

/** @param id of a notification of the thread */
export async function coveredBy(
  through: Through,
  id: number,
  alertmanager: string,
  matchers: readonly Matcher[]
): Promise<number> {
  if (of(through, alertmanager) === 'person') {
    return countCovered(send, alertmanager, matchers);
  }
  const body = { alertmanager, matchers: [...matchers] };
  return (await call(RESPOND.previewSilence, { params: { id }, body })).alerts;
}

export interface Wanted {
  alertmanager: string;
  matchers: readonly Matcher[];
  /** ISO 8601, UTC. */
  until: string;
  comment: string;
  /** Changes this one. */
  silence?: Silence | undefined;
}

/** Creates or changes a silence, and records it in the bridge. */
export async function silence(through: Through, id: number, { silence: known, ...wanted }: Wanted): Promise<void> {
  if (of(through, wanted.alertmanager) === 'bridge') {
    const body = { ...wanted, matchers: [...wanted.matchers], ...(known && { silence: known.id }) };
    await call(RESPOND.saveSilence, { params: { id }, body });
    return;
  }
  const saved = await saveSilence(send, wanted.alertmanager, {
    ...wanted,
    matchers: [...wanted.matchers],
    id: known?.id,
    startsAt: known?.startsAt ?? new Date().toISOString(),
    by: config.bootData.user.login,
  });
  await record(id, { ...wanted, matchers: [...wanted.matchers], silence: saved });
}

/** Extends, ends or renews a silence. @param until ISO 8601; null: it ends now */
export async function changeSilenceEnd(through: Through, silence: Silence, until: string | null): Promise<void> {
  const { id, alertmanager } = silence;
  if (of(through, alertmanager) === 'bridge') {
    await call(RESPOND.changeSilence, { params: { silence: id }, body: { alertmanager, until } });
  } else {
    await changeEnd(send, silence, until, new Date().toISOString());
  }
}

export async function unsilence(through: Through, id: number, { id: silence, alertmanager }: Silence): Promise<void> {
  if (of(through, alertmanager) === 'bridge') {
    await call(RESPOND.endSilence, { params: { id, silence }, query: { alertmanager } });
    return;
  }
  await endSilence(send, alertmanager, silence);
  await record(id, { alertmanager, silence, until: null });
}

/** Who may silence in Grafana need not be allowed to write to the inbox. A failure is shown: Grafana has done it already. */
async function record(id: number, body: SilencedBody): Promise<void> {
  if (may('inbox:write')) {
    await call(RESPOND.recordSilence, { params: { id }, body }).catch((thrown) =>
      showFailure(
        t('inbox.silence.unrecorded', 'Done in Grafana, but not recorded in the inbox'),
        new BridgeError('refused', toBridgeError(thrown).message)
      )
    );
  }
}

/** Whether Grafana permits the user to silence; the folder of a rule may restrict that. */
export function maySilence(through: Through, alertmanager: string): boolean {
  if (of(through, alertmanager) === 'bridge') {
    return may('inbox:write');
  }
  return alertmanager === GRAFANA
    ? hasPermission('alert.instances:create') || hasPermission('alert.silences:create')
    : hasPermission('alert.instances.external:write');
}
