/** Firing alerts and silences of Alertmanager's API. Runs in the writer thread. */
import type { Actor } from '../../../contract/audit.ts';
import { isoTime } from '../../../contract/text.ts';
import { SUPPRESSIONS_CHANGED } from '../../delivery/suppression/writes.ts';
import type { Incoming, Once } from '../../inbox/notifications/receive.ts';
import { audit } from '../../platform/audit/writes.ts';
import { inList, inPairs, insertRows } from '../../platform/storage/bulk.ts';
import type { Database, Transacting } from '../../platform/storage/engine.ts';
import type { OpenAlertRow, SilenceRow } from '../../platform/storage/schema.ts';
import type { Written } from '../../platform/storage/write.ts';
import { identityOfAlert } from './openAlert.ts';
import { EXPIRED_KEPT_MS, type StoredSilence } from './silence.ts';

/** Series that grows with each change, by which other replicas notice it. */
export const CHANGES = 'alertmanager';

const noteChange = (trx: Transacting): Promise<unknown> =>
  trx
    .updateTable('series')
    .set((row) => ({ last: row('last', '+', 1) }))
    .where('name', '=', CHANGES)
    .execute();

export interface KeepAlerts {
  put: OpenAlertRow[];
  /** Keys of periods that have ended. */
  forgotten: Once[];
  gone: [owner: string, fingerprint: string][];
  /** The sender, and the alerts whose other senders are wanted. */
  shared: { owner: string; fingerprints: string[] };
}

/** An alert of another sender. */
export type OtherAlert = Pick<OpenAlertRow, 'owner' | 'fingerprint'> & { identity: string };

/** Stores firing alerts, and removes resolved ones. @returns which alerts other senders report as firing */
export async function keepAlerts(
  trx: Transacting,
  { put, gone, forgotten, shared }: KeepAlerts
): Promise<Written<OtherAlert[]>> {
  await insertRows(
    trx,
    'open_alerts',
    put,
    `on conflict (owner, fingerprint) do update set labels = excluded.labels, annotations = excluded.annotations,
      generator_url = excluded.generator_url, starts_ts = excluded.starts_ts, ends_ts = excluded.ends_ts,
      updated_ts = excluded.updated_ts, incoming = excluded.incoming`
  );
  if (forgotten.length > 0) {
    const keys = forgotten.map(({ scope, key }): [string, string] => [scope, key]);
    await trx
      .deleteFrom('receipts')
      .where(inPairs('scope', 'key', keys))
      .execute();
  }
  if (gone.length > 0) {
    await trx
      .deleteFrom('open_alerts')
      .where(inPairs('owner', 'fingerprint', gone))
      .execute();
  }
  await noteChange(trx);
  return { result: await othersOf(trx, shared), events: [] };
}

async function othersOf(trx: Transacting, { owner, fingerprints }: KeepAlerts['shared']): Promise<OtherAlert[]> {
  if (fingerprints.length === 0) {
    return [];
  }
  const rows = await trx
    .selectFrom('open_alerts')
    .select(['owner', 'fingerprint', 'incoming'])
    .where('owner', '<>', owner)
    .where(inList('fingerprint', fingerprints))
    .execute();
  return rows.map(({ incoming, ...row }) => ({
    ...row,
    identity: identityOfAlert(row.fingerprint, JSON.parse(incoming) as Incoming),
  }));
}

export interface KeepSilence {
  saved: StoredSilence[];
  /** Who did it; undefined: it is recorded elsewhere. */
  by?: Actor | null | undefined;
  now: number;
}

/** Stores silences with their audit entry, and removes those that expired long ago. */
export async function keepSilences(trx: Transacting, { saved, by, now }: KeepSilence): Promise<Written<void>> {
  await insertRows(
    trx,
    'silences',
    saved.map(toRow),
    `on conflict (id) do update set matchers = excluded.matchers, starts_ts = excluded.starts_ts, ends_ts = excluded.ends_ts,
      updated_ts = excluded.updated_ts, created_by = excluded.created_by, content = excluded.content`
  );
  await trx
    .deleteFrom('silences')
    .where('ends_ts', '<', now - EXPIRED_KEPT_MS)
    .execute();
  if (by !== undefined) {
    for (const { id, matchers, startsAt, endsAt, createdBy, comment } of saved) {
      const after = { matchers, startsAt: isoTime(startsAt), endsAt: isoTime(endsAt), createdBy, comment };
      await audit(trx, { by, action: endsAt <= now ? 'silence.expire' : 'silence.set', object: id, after, now });
    }
  }
  await noteChange(trx);
  return { result: undefined, events: [SUPPRESSIONS_CHANGED] };
}

const toRow = ({ id, matchers, startsAt, endsAt, updatedAt, createdBy, comment }: StoredSilence): SilenceRow => ({
  id,
  matchers: JSON.stringify(matchers),
  starts_ts: startsAt,
  ends_ts: endsAt,
  updated_ts: updatedAt,
  created_by: createdBy,
  content: comment,
});

/** All silences. */
export async function readSilenceRows(db: Database): Promise<StoredSilence[]> {
  const rows = await db.selectFrom('silences').selectAll().execute();
  return rows.map((row) => ({
    id: row.id,
    matchers: JSON.parse(row.matchers) as StoredSilence['matchers'],
    startsAt: row.starts_ts,
    endsAt: row.ends_ts,
    updatedAt: row.updated_ts,
    createdBy: row.created_by,
    comment: row.content,
  }));
}
