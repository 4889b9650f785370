/** Responses with notifications: see {@link Read}. */
import type { Notification, WholeText } from '../../../contract/notification.ts';
import type { OriginQuery } from '../../../contract/origin.ts';
import type { FacetsFilter } from '../../../contract/query.ts';
import type { ReaderId } from '../readers/unread.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { csvLine } from '../../platform/http/csv.ts';
import type { ExportFormat } from '../../platform/http/export.ts';
import { type Answer, json, type Read, text } from '../../platform/storage/read.ts';
import type { ListFilter } from './bursts.ts';
import type { PageKey } from './select.ts';
import { NotificationStore } from './store.ts';

/** Arrivals are indexed by the writer, before a search is passed on: `NotificationStore.searchable`. */
export const storeIn = (db: Database, now: number): NotificationStore =>
  new NotificationStore(db, () => now, { ready: () => Promise.resolve() });

interface OfReader {
  reader: ReaderId;
}

export interface ListArgs extends OfReader {
  filter: ListFilter;
  limit: number;
  after: PageKey | undefined;
}

/** A page of notifications. `next`: where the next one begins. */
export const readList: Read<ListArgs, Answer & { next: PageKey | undefined }> = async (db, args, now) => {
  const { filter, limit, after, reader } = args;
  const { notifications, next } = await storeIn(db, now).list(filter, limit, after, reader);
  return { ...json(notifications), next };
};

/** Notifications of a page, for an export. */
export const readListStep: Read<ListArgs & { as: ExportFormat }, Answer & { next: PageKey | undefined }> = async (
  db,
  { filter, limit, after, reader, as },
  now
) => {
  const { notifications, next } = await storeIn(db, now).list(filter, limit, after, reader);
  const lineOf = as === 'csv' ? csvOf : (one: Notification) => `${JSON.stringify(one)}\n`;
  return { ...text(notifications.map(lineOf).join('')), next };
};

export const LIST_COLUMNS = [
  'id',
  'timestamp',
  'priority',
  'status',
  'title',
  'body',
  'category',
  'dnpName',
  'node',
  'source',
  'correlationId',
  'seen',
] as const satisfies readonly (keyof Notification)[];

const csvOf = (one: Notification): string => csvLine(LIST_COLUMNS.map((column) => String(one[column] ?? '')));

/** None if there is no such notification. */
export const readDetail: Read<OfReader & { id: number; me: string | undefined }> = async (
  db,
  { id, reader, me },
  now
) => json(await storeIn(db, now).detail(id, reader, me));

/** The text itself; none if absent. */
export const readWholeText: Read<{ id: number; text: WholeText }> = async (db, args, now) => {
  const found = await storeIn(db, now).wholeText(args.id, args.text);
  return found === undefined ? {} : text(found);
};

export const readFacets: Read<OfReader & { filter: FacetsFilter }> = async (db, { filter, reader }, now) =>
  json(await storeIn(db, now).facets(filter, reader));

export const readOrigin: Read<OfReader & { query: OriginQuery }> = async (db, { query, reader }, now) =>
  json(await storeIn(db, now).origin(query, reader));

export const readUnseen: Read<OfReader> = async (db, { reader }, now) => json(await storeIn(db, now).unseen(reader));

export const readCategories: Read<OfReader> = async (db, { reader }, now) =>
  json(await storeIn(db, now).categories(reader));
