/** Finds the notification that came of an alert, a rule or a panel. What a webhook said of them is kept and has no index. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { ORIGIN_REACH, type Origin, type OriginQuery } from '../../../contract/origin.ts';
import type { SourceAlert } from '../../../contract/notification.ts';
import { isoTime, safeLink } from '../../../contract/text.ts';
import type { Database } from '../../platform/storage/engine.ts';

type TextMap = Record<string, string>;

/** Stored facts of an alert beside the notification (intake/webhooks/fromAlert.ts). */
interface KeptAlert {
  labels?: TextMap;
  fingerprint?: string | null;
  ruleUID?: string | null;
  generatorURL?: string | null;
  panelURL?: string | null;
  silenceURL?: string | null;
  dashboardURL?: string | null;
  imageURL?: string | null;
  annotations?: TextMap;
  startsAt?: string | null;
  values?: Record<string, unknown> | null;
}

/** The columns of a row that identify its origin. */
export interface Traced {
  source: string;
  cta_url: string | null;
  /** JSON. */
  extra: string | null;
}

/** Rows of one query; other requests are served in between. */
const STEP = 2000;
/** Labels that the store compares besides the name; the rest is compared with what it finds. The longest say most. */
const COMPARED = 9;

/** Labels that Grafana gives an alert of its own in place of the rule's, when the rule could not be evaluated. */
const OF_FAILURE = new Set(['rulename', 'ref_id', 'datasource_uid']);

/**
 * Looks through the newest, newest first.
 * @param byId the notification as in the API
 * @param reach how many of the newest
 */
export async function findOrigin(
  db: Database,
  query: OriginQuery,
  byId: (id: number) => Promise<Origin['notification'] | undefined>,
  reach = ORIGIN_REACH
): Promise<Origin> {
  const newest = await atEnd(db, 'desc');
  const first = await atEnd(db, 'asc');
  const oldest = Math.max(first?.id ?? 0, (newest?.id ?? 0) - reach + 1);
  const searched = { complete: oldest === (first?.id ?? 0), since: await arrivalAfter(db, oldest) };
  for (let top = newest?.id ?? 0; top >= oldest && top > 0; top -= STEP) {
    const rows = await db
      .selectFrom('notifications')
      .select('id')
      .where('id', '<=', top)
      .where('id', '>', Math.max(top - STEP, oldest - 1))
      .where('hidden', '=', 0)
      .where('source', 'in', ['grafana', 'alertmanager'])
      .where((all) => all.or(likely(query)))
      .orderBy('id', 'desc')
      .execute();
    for (const { id } of rows) {
      if (await isOrigin(db, id, query)) {
        return { notification: (await byId(id)) ?? null, ...searched };
      }
    }
    await nextTurn();
  }
  return { notification: null, ...searched };
}

/** Read one by one, since what is kept of each may be long. */
async function isOrigin(db: Database, id: number, query: OriginQuery): Promise<boolean> {
  const row = await db
    .selectFrom('notifications')
    .select(['source', 'cta_url', 'extra'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined && cameOf(row, query);
}

/** The newest or the oldest: one lookup in the index, which a query for both would not be. */
async function atEnd(db: Database, order: 'asc' | 'desc'): Promise<{ id: number } | undefined> {
  const [row] = await db.selectFrom('notifications').select('id').orderBy('id', order).limit(1).execute();
  return row;
}

async function arrivalAfter(db: Database, id: number): Promise<string | null> {
  const [row] = await db
    .selectFrom('notifications')
    .select('ts')
    .where('id', '>=', id)
    .orderBy('id')
    .limit(1)
    .execute();
  return row ? isoTime(row.ts) : null;
}

/** Conditions that every row which is meant fulfils, one for each way to be meant; {@link cameOf} decides. */
function likely({ label, fingerprint, ruleUid = [], has, panel }: OriginQuery): RawBuilder<boolean>[] {
  const labels = keepsLabels(label);
  return [
    ...(labels.length === 0 ? [] : [all(labels)]),
    ...(fingerprint === undefined ? [] : [keepsValue(fingerprint)]),
    ...ruleUid.map((uid) => all([keeps(uid), ...keepsLabels(has)])),
    ...(panel === undefined ? [] : [holds('cta_url', dashboardOf(panel)), holds('extra', dashboardOf(panel))]),
  ];
}

const all = (conditions: RawBuilder<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` and `)})`;

/** Conditions for the values of labels. */
function keepsLabels(labels: readonly string[] = []): RawBuilder<boolean>[] {
  const { alertname, ...others } = plain(readLabels(labels));
  const longest = Object.values(others).sort((a, b) => b.length - a.length);
  return [...(alertname === undefined ? [] : [alertname]), ...longest.slice(0, COMPARED)].map(keepsValue);
}

const dashboardOf = (panel: string): string => `/d/${panel.slice(0, panel.indexOf('/'))}`;
/** Searches the value of any member. */
const keepsValue = (text: string) => holds('extra', `:${JSON.stringify(text)}`);
/** The text as escaped in JSON. */
const keeps = (text: string) => holds('extra', JSON.stringify(text).slice(1, -1));
const holds = (column: 'extra' | 'cta_url', text: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\')`;

/** Whether a notification came of the alert, of one of the rules, or of the panel. */
export function cameOf({ source, cta_url: link, extra }: Traced, query: OriginQuery): boolean {
  const { label, fingerprint, ruleUid = [], has, panel } = query;
  const kept = extra === null ? {} : ((JSON.parse(extra) as { alert?: KeptAlert }).alert ?? {});
  const ofRule = ruleUid.some((uid) => uid === kept.ruleUID || uid === ruleOf(kept.generatorURL));
  return (
    (label !== undefined && isAlert(readLabels(label), kept.labels ?? {}, source)) ||
    (fingerprint !== undefined && fingerprint === kept.fingerprint) ||
    (ofRule && hasLabels(plain(readLabels(has ?? [])), plain(kept.labels ?? {}))) ||
    (panel !== undefined && [link, kept.panelURL].some((url) => panelOf(url) === panel))
  );
}

/** The alert of a webhook; undefined: it came from elsewhere. */
export function sourceAlert({ source, extra }: Omit<Traced, 'cta_url'>): SourceAlert | undefined {
  if (extra === null || (source !== 'grafana' && source !== 'alertmanager')) {
    return undefined;
  }
  const { alert, externalURL } = JSON.parse(extra) as { alert?: KeptAlert; externalURL?: string | null };
  if (alert === undefined) {
    return undefined;
  }
  const { labels = {}, values, ruleUID, generatorURL } = alert;
  const numbers = Object.entries(values ?? {}).filter((one): one is [string, number] => typeof one[1] === 'number');
  const isGrafanas = source === 'grafana';
  return {
    labels,
    ...text('startsAt', startOf(alert)),
    ...(numbers.length > 0 && { values: Object.fromEntries(numbers) }),
    ...text('ruleUid', isGrafanas ? (ruleUID ?? ruleOf(generatorURL)) : undefined),
    ...linksOf(alert),
    ...link('alertmanagerUrl', isGrafanas ? undefined : externalURL),
  };
}

/** Zero times mean none (intake/webhooks/fromAlert.ts). */
function startOf({ startsAt }: KeptAlert): string | undefined {
  const ms = Date.parse(startsAt ?? '');
  return ms > 0 ? isoTime(ms) : undefined;
}

const linksOf = (alert: KeptAlert) => ({
  ...link('ruleUrl', alert.generatorURL),
  ...link('runbookUrl', alert.annotations?.['runbook_url']),
  ...link('dashboardUrl', alert.dashboardURL),
  ...link('panelUrl', alert.panelURL),
  ...link('imageUrl', alert.imageURL),
  ...link('silenceUrl', alert.silenceURL),
});

const link = <K extends string>(name: K, url: string | null | undefined) => text(name, safeLink(url ?? ''));

const text = <K extends string>(name: K, value: string | null | undefined) =>
  (value ? { [name]: value } : {}) as Partial<Record<K, string>>;

/** Alertmanager may have been given labels on the way, by Prometheus (`external_labels`); Grafana's own alerts have none such. */
function isAlert(wanted: TextMap, stored: TextMap, source: string): boolean {
  const [requested, has] = [plain(wanted), plain(stored)];
  const count = Object.keys(requested).length;
  return count > 0 && hasLabels(requested, has) && (source !== 'grafana' || count === Object.keys(has).length);
}

const hasLabels = (wanted: TextMap, stored: TextMap): boolean =>
  Object.entries(wanted).every(([name, value]) => value === stored[name]);

function readLabels(labels: readonly string[]): TextMap {
  return Object.fromEntries(
    labels.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)])
  );
}

/** Without internal labels, which webhooks leave out, and as if the rule could have been evaluated. */
function plain(labels: TextMap): TextMap {
  const { rulename } = labels;
  const failed = rulename !== undefined && /^Datasource(NoData|Error)$/.test(labels.alertname ?? '');
  const own = Object.entries(labels).filter(([name]) => !name.startsWith('__') && !(failed && OF_FAILURE.has(name)));
  return { ...Object.fromEntries(own), ...(failed && { alertname: rulename }) };
}

/** `…/alerting/grafana/<uid>/view` */
const ruleOf = (url: string | null | undefined): string | undefined =>
  /\/alerting\/grafana\/([^/?#]+)\/view/.exec(url ?? '')?.[1];

/** `…/d/<uid>/<name>?viewPanel=4`, also `viewPanel=panel-4`, as newer dashboards have it. */
function panelOf(url: string | null | undefined): string | undefined {
  const uid = /\/d\/([\w-]+)/.exec(url ?? '')?.[1];
  const panel = /[?&]viewPanel=(?:panel-)?(\d+)/.exec(url ?? '')?.[1];
  return uid && panel && `${uid}/${panel}`;
}
