/** A firing alert of Alertmanager's API, in memory and as it is stored. */
import { isoTime, show } from '../../../contract/text.ts';
import type { Incoming } from '../../inbox/notifications/receive.ts';
import type { OpenAlertRow } from '../../platform/storage/schema.ts';
import type { Labels } from '../../../contract/matchers.ts';
import { packageOf } from '../webhooks/repeats.ts';
import { bytesOf, type PostedAlert, RESOLVE_TIMEOUT_MS } from './alert.ts';

type Compared = Pick<Incoming['payload'], 'correlationId' | 'category' | 'dnpName' | 'node' | 'priority' | 'labels'>;

/** A firing alert. Times are UTC milliseconds. */
export interface OpenAlert extends PostedAlert {
  owner: string;
  fingerprint: string;
  /** See {@link identityOfAlert}. */
  identity: string;
  /** Members of its notification that windows and inhibition rules compare. */
  compared: Compared;
  updatedAt: number;
  /** When it resolves without news, by the bridge's own clock. */
  deadline: number;
  /** `endsAt` as it is stored. */
  storedEnd: number;
}

export const keyOf = (owner: string, fingerprint: string): string => `${owner} ${fingerprint}`;
/** Senders that report an alert of the same labels, package and node report one alert: it has one thread. */
export const identityOfAlert = (fingerprint: string, incoming: Incoming): string =>
  JSON.stringify([fingerprint, packageOf(incoming), incoming.payload.node ?? '']);
const comparedOf = ({ correlationId, category, dnpName, node, priority, labels }: Compared): Compared => ({
  ...{ correlationId, category, dnpName, node, priority, labels },
});

/** Members of an alert that come from its notification. */
export const noticeOf = (fingerprint: string, incoming: Incoming): Pick<OpenAlert, 'identity' | 'compared'> => ({
  identity: identityOfAlert(fingerprint, incoming),
  compared: comparedOf(incoming.payload),
});

export const toRow = (alert: OpenAlert, incoming: string): OpenAlertRow => ({
  owner: alert.owner,
  fingerprint: alert.fingerprint,
  labels: JSON.stringify(alert.labels),
  annotations: JSON.stringify(alert.annotations),
  generator_url: alert.generatorURL,
  starts_ts: alert.startsAt,
  ends_ts: alert.endsAt,
  updated_ts: alert.updatedAt,
  incoming,
});

/** The resolve of an alert of which no news came. */
export function timedOut(alert: OpenAlert, firing: Incoming): Incoming {
  const { payload, once, ...rest } = firing;
  const body = `Timed out: no news since ${isoTime(alert.updatedAt)} from ${show(alert.generatorURL || 'its sender')}.\n\n${payload.body}`;
  return {
    ...rest,
    payload: { ...payload, status: 'resolved', body },
    once: once && { ...once, key: `${once.key}|timed out` },
  };
}

export interface Clocks {
  now: number;
  steady: number;
  /** It is read for the first time since the start. */
  isFirst: boolean;
}

/**
 * An alert as it was stored. After a start it has the whole time until its end again, since news that came before is in no row; later, what is
 * stored is news of another replica.
 * @param known it, as it is in memory
 */
export function fromRow(row: OpenAlertRow, known: OpenAlert | undefined, { now, steady, isFirst }: Clocks): OpenAlert {
  const inMs = isFirst ? Math.max(row.ends_ts - now, row.ends_ts - row.updated_ts) : row.ends_ts - now;
  if (known !== undefined && known.deadline > steady + inMs) {
    return { ...known, storedEnd: row.ends_ts };
  }
  const texts = {
    labels: known?.labels ?? (JSON.parse(row.labels) as Labels),
    annotations: known?.annotations ?? (JSON.parse(row.annotations) as Labels),
    generatorURL: row.generator_url,
  };
  return {
    owner: row.owner,
    fingerprint: row.fingerprint,
    ...(known
      ? { identity: known.identity, compared: known.compared }
      : noticeOf(row.fingerprint, JSON.parse(row.incoming) as Incoming)),
    ...texts,
    bytes: known?.bytes ?? bytesOf(texts),
    startsAt: row.starts_ts,
    endsAt: now + inMs,
    isTimeout: isFirst || row.ends_ts - row.updated_ts === RESOLVE_TIMEOUT_MS,
    updatedAt: row.updated_ts,
    deadline: steady + inMs,
    storedEnd: row.ends_ts,
  };
}
