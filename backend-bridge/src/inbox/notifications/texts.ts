/**
 * Texts of stored notifications, cut where they are read: what is stored is whole, and may be megabytes. The limits are
 * those of `contract/limits.ts`; GET /notifications/{id}/{text} serves a whole text.
 */
import { type RawBuilder, sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import type { Notification, NotificationPayload } from '../../../contract/notification.ts';
import { cutBytes } from '../../../contract/text.ts';
import { least } from '../../platform/storage/bulk.ts';
import type { NotificationRow } from '../../platform/storage/schema.ts';

/** A row as it is read for a response: texts cut to at most as many characters as their limit has bytes. */
export interface ServedRow extends Omit<NotificationRow, 'extra' | 'turned' | 'label_set'> {
  /** JSON object; null: none. */
  labels: string | null;
  /** Size of the whole texts in UTF-8. */
  title_bytes: number;
  body_bytes: number;
  errors_bytes: number | null;
}

const PLAIN = [
  'n.id',
  'n.thread_id',
  'n.ts',
  'n.category',
  'n.dnp_name',
  'n.priority',
  'n.status',
  'n.status_given',
  'n.correlation_id',
  'n.is_banner',
  'n.banner',
  'n.seen',
  'n.muted',
  'n.hidden',
  'n.source',
  'n.node',
  'n.sent_ts',
] as const;

/** `octet_length` of a stored text reads its header only. */
const bytesOf = (column: string): RawBuilder<number> => sql<number>`octet_length(${sql.ref(column)})`;
const cut = (column: string, bytes: number): RawBuilder<string> =>
  sql<string>`case when ${bytesOf(column)} > ${bytes} then substr(${sql.ref(column)}, 1, ${bytes}) else ${sql.ref(column)} end`;
/** Omits values that cannot be truncated, such as URLs. */
const whole = (column: string, bytes: number): RawBuilder<string | null> =>
  sql<string | null>`case when ${bytesOf(column)} > ${bytes} then null else ${sql.ref(column)} end`;

/** At most so many bytes of UTF-8 of each text. */
export type TextLimits = Readonly<Record<'title' | 'body' | 'errors', number>>;
const RESPONSE: TextLimits = {
  title: LIMITS.titleBytes.value,
  body: LIMITS.bodyTextBytes.value,
  errors: LIMITS.errorsBytes.value,
};
const EVENT_BYTES = LIMITS.eventTextBytes.value;
/** Events carry what a row and a message show. */
export const EVENT: TextLimits = { title: EVENT_BYTES, body: EVENT_BYTES, errors: EVENT_BYTES };

/** Columns that {@link ServedRow} names, of the alias `n`. */
export function servedColumns(limits: TextLimits = RESPONSE) {
  return [
    ...PLAIN,
    cut('n.title', limits.title).as('title'),
    bytesOf('n.title').as('title_bytes'),
    cut('n.body', limits.body).as('body'),
    bytesOf('n.body').as('body_bytes'),
    cut('n.errors', limits.errors).as('errors'),
    bytesOf('n.errors').as('errors_bytes'),
    cut('n.cta_title', LIMITS.linkTitleBytes.value).as('cta_title'),
    whole('n.cta_url', LIMITS.linkBytes.value).as('cta_url'),
    whole('n.icon', LIMITS.iconAddressBytes.value).as('icon'),
    labelsOfRow(),
  ] as const;
}

/** Labels of `n`, as JSON. */
export const labelsOfRow = () =>
  sql<string | null>`(select l.labels from label_sets l where l.id = n.label_set)`.as('labels');

/** Maximum number of bytes of texts that {@link servedColumns} reads of a row. */
export function servedBytes(): RawBuilder<number> {
  const upTo = (column: string, bytes: number): RawBuilder<number> =>
    least(sql`coalesce(${bytesOf(column)}, 0)`, sql.lit(bytes));
  const texts = [
    upTo('n.title', LIMITS.titleBytes.value),
    upTo('n.body', LIMITS.bodyTextBytes.value),
    upTo('n.errors', LIMITS.errorsBytes.value),
    ...['n.category', 'n.dnp_name', 'n.correlation_id'].map(bytesOf),
    sql<number>`coalesce((select octet_length(l.labels) from label_sets l where l.id = n.label_set), 0)`,
  ];
  return sql<number>`${sql.join(texts, sql` + `)}`;
}

/** A name that a list may hold; those that are too long, which older versions stored, are put together under ''. */
export function listedName(column: string): RawBuilder<string> {
  return sql<string>`case when ${bytesOf(column)} > ${sql.lit(LIMITS.nameBytes.value)} then '' else ${sql.ref(column)} end`;
}

type Texts = Pick<
  Notification,
  'title' | 'titleTruncated' | 'body' | 'bodyTruncated' | 'bodyBytes' | 'errors' | 'errorsTruncated'
>;

/** The texts of a row as they are served. */
export function textsOf(
  row: Pick<ServedRow, 'title' | 'body' | 'errors' | `${'title' | 'body' | 'errors'}_bytes`>,
  limits: TextLimits = RESPONSE
): Texts {
  const { title, body, errors } = row;
  const isLong = {
    title: row.title_bytes > limits.title,
    body: row.body_bytes > limits.body,
    errors: (row.errors_bytes ?? 0) > limits.errors,
  };
  return {
    title: isLong.title ? `${cutBytes(title, limits.title - ELLIPSIS_BYTES)}…` : title,
    ...(isLong.title && { titleTruncated: true }),
    body: isLong.body ? cutBytes(body, limits.body) : body,
    ...(isLong.body && { bodyTruncated: true, bodyBytes: row.body_bytes }),
    ...(errors !== null && { errors: isLong.errors ? cutBytes(errors, limits.errors) : errors }),
    ...(isLong.errors && { errorsTruncated: true }),
  };
}

const ELLIPSIS_BYTES = 3;

/** Texts of a notification that has just been sent. */
export function textsOfPayload({ title, body, errors }: NotificationPayload): Texts {
  return textsOf({
    title,
    body,
    errors: errors ?? null,
    title_bytes: Buffer.byteLength(title),
    body_bytes: Buffer.byteLength(body),
    errors_bytes: errors === undefined ? null : Buffer.byteLength(errors),
  });
}

/** A UTF-16 code unit takes at most six bytes of JSON, and all that is no text less than this. */
const JSON_BYTES_OF_UNIT = 6;
const JSON_BYTES_OF_REST = 1000;

/** Returns as many of the first notifications as fit into a response, and always the first. */
export function firstWithin(notifications: readonly Notification[], bytes: number): Notification[] {
  const most = notifications.reduce((sum, one) => sum + unitsOf(one) * JSON_BYTES_OF_UNIT + JSON_BYTES_OF_REST, 0);
  if (most <= bytes) {
    return [...notifications];
  }
  let left = bytes;
  const end = notifications.findIndex((one, index) => {
    left -= Buffer.byteLength(JSON.stringify(one)) + 1;
    return left < 0 && index > 0;
  });
  return notifications.slice(0, end < 0 ? undefined : end);
}

function unitsOf({
  title,
  body,
  errors = '',
  category,
  dnpName,
  correlationId,
  icon = '',
  callToAction,
  labels = {},
}: Notification) {
  const links = [icon, callToAction?.title, callToAction?.url];
  const texts = [title, body, errors, category, dnpName, correlationId, ...links, ...Object.entries(labels).flat()];
  return texts.reduce<number>((sum, text = '') => sum + text.length, 0);
}
