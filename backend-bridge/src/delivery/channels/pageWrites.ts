/** Changes of channels and routes that are made on the page, and of the list of the undelivered. Runs in the writer thread. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Actor } from '../../../contract/audit.ts';
import type { Route } from '../../../contract/channel.ts';
import { namesIn } from '../../../contract/routeNames.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { audit } from '../../platform/audit/writes.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { Written } from '../../platform/storage/write.ts';
import { PAGE, type StoredChannel } from './kinds/channel.ts';
import { storeChannelFile } from './fileWrites.ts';
import { addedFor } from './enqueue.ts';
import { ROUTES_CHANGED } from '../schedules/onCallState.ts';

const UNDELIVERED = sql.lit<'undelivered'>('undelivered');

/** Identifies the routes, so that an admin does not overwrite changes of another. */
export const revisionOf = (routes: readonly Route[]): string =>
  createHash('sha256').update(JSON.stringify(routes)).digest('hex').slice(0, 16);

interface Page {
  channels: StoredChannel[];
  routes: Route[];
}

async function readPage(trx: Transacting): Promise<Page> {
  const row = await trx.selectFrom('channel_files').selectAll().where('file', '=', PAGE).executeTakeFirst();
  return {
    channels: JSON.parse(row?.channels ?? '[]') as StoredChannel[],
    routes: JSON.parse(row?.routes ?? '[]') as Route[],
  };
}

const writePage = (trx: Transacting, { channels, routes }: Page): Promise<void> =>
  storeChannelFile(trx, PAGE, { channels: JSON.stringify(channels), routes: JSON.stringify(routes) });

const audited = (channel: StoredChannel | undefined) => {
  const { sealed: _sealed, ...shown } = channel ?? {};
  return channel && shown;
};

/**
 * Adds a channel to those of the page, or replaces it.
 * @returns `taken`: there is one, and `isNew`; `gone`: there is none, and not `isNew`; `full`: there are too many
 */
export async function setPageChannel(
  trx: Transacting,
  { channel, isNew, by, now }: { channel: StoredChannel; isNew: boolean; by: Actor; now: number }
): Promise<Written<'done' | 'taken' | 'gone' | 'full'>> {
  const page = await readPage(trx);
  const before = page.channels.find(({ name }) => name === channel.name);
  if (isNew !== (before === undefined)) {
    return { result: isNew ? 'taken' : 'gone', events: [] };
  }
  if (isNew && page.channels.length >= LIMITS.channels.value) {
    return { result: 'full', events: [] };
  }
  const others = page.channels.filter((one) => one !== before);
  await writePage(trx, { ...page, channels: [...others, channel] });
  await audit(trx, {
    by,
    action: 'channel.configure',
    object: channel.name,
    before: audited(before),
    after: audited(channel),
    now,
  });
  return { result: 'done', events: [ROUTES_CHANGED] };
}

function withoutChannel({ escalation, ...route }: Route, name: string): Route {
  const isOther = (one: string): boolean => one !== name;
  const steps = (escalation ?? [])
    .map(({ channels, ...step }) => {
      const left = channels?.filter(isOther) ?? [];
      return { ...step, ...(left.length > 0 && { channels: left }) };
    })
    .filter(({ channels, onCall, people }) => channels ?? onCall ?? people);
  return { ...route, channels: route.channels.filter(isOther), ...(steps.length > 0 && { escalation: steps }) };
}

/** Removes a channel of the page, also from the page's routes; a route without channels is removed. @returns false if there is none */
export async function removePageChannel(
  trx: Transacting,
  { name, by, now }: { name: string; by: Actor; now: number }
): Promise<Written<boolean>> {
  const { channels, routes } = await readPage(trx);
  const before = channels.find((one) => one.name === name);
  if (before === undefined) {
    return { result: false, events: [] };
  }
  const left = routes.map((route) => withoutChannel(route, name)).filter((route) => namesIn(route).length > 0);
  await writePage(trx, { channels: channels.filter((one) => one !== before), routes: left });
  await trx.deleteFrom('channel_threads').where('channel', '=', name).execute();
  await audit(trx, { by, action: 'channel.remove', object: name, before: audited(before), now });
  if (JSON.stringify(left) !== JSON.stringify(routes)) {
    await audit(trx, { by, action: 'routes.change', object: 'page', before: routes, after: left, now });
  }
  return { result: true, events: [ROUTES_CHANGED] };
}

/** @returns false if the routes are others than those of `revision` */
export async function setPageRoutes(
  trx: Transacting,
  { routes, revision, by, now }: { routes: Route[]; revision: string | undefined; by: Actor; now: number }
): Promise<Written<boolean>> {
  const page = await readPage(trx);
  if (revision !== undefined && revision !== revisionOf(page.routes)) {
    return { result: false, events: [] };
  }
  await writePage(trx, { ...page, routes });
  await audit(trx, { by, action: 'routes.change', object: 'page', before: page.routes, after: routes, now });
  return { result: true, events: [ROUTES_CHANGED] };
}

interface Selection {
  /** Only these; undefined: all. */
  channels: string[] | undefined;
  by: Actor;
  /** UTC milliseconds. */
  now: number;
}

/** Sends all that is undelivered again. @param steady the bridge's own clock @returns how many */
export async function resendAllUndelivered(
  trx: Transacting,
  { channels = [], by, now, steady }: Selection & { channels: string[]; steady: number }
): Promise<Written<number>> {
  if (channels.length === 0) {
    return { result: 0, events: [] };
  }
  const changed = await trx
    .updateTable('outbox')
    .set({ state: 'waiting', attempts: 0, due_ts: 0, done_ts: null, ts: steady })
    .where('state', '=', UNDELIVERED)
    .where(inList('channel', channels))
    .executeTakeFirst();
  const count = Number(changed.numUpdatedRows);
  if (count > 0) {
    await audit(trx, { by, action: 'channel.resend', object: 'all', after: { count, channels }, now });
  }
  // Also if there were none: their senders look at once what is due.
  return { result: count, events: [addedFor({ channels, hasSteps: true })] };
}

/** Removes an entry from the list of the undelivered. @returns false if it is not one */
export async function discardUndelivered(
  trx: Transacting,
  { id, by, now }: { id: number; by: Actor; now: number }
): Promise<Written<boolean>> {
  const row = await trx
    .deleteFrom('outbox')
    .where('id', '=', id)
    .where('state', '=', UNDELIVERED)
    .returning(['channel', 'notification_id', 'reason'])
    .executeTakeFirst();
  if (row) {
    const before = { channel: row.channel, reason: row.reason };
    await audit(trx, { by, action: 'channel.discard', object: String(row.notification_id), before, now });
  }
  return { result: row !== undefined, events: [] };
}

/** @returns how many entries were removed */
export async function discardAllUndelivered(
  trx: Transacting,
  { channels, by, now }: Omit<Selection, 'by'> & { by: Actor | null }
): Promise<Written<number>> {
  const removed = await trx
    .deleteFrom('outbox')
    .where('state', '=', UNDELIVERED)
    .$if(channels !== undefined, (query) => query.where(inList('channel', channels!)))
    .executeTakeFirst();
  const count = Number(removed.numDeletedRows);
  // Null: with its channel, which is recorded.
  if (count > 0 && by !== null) {
    await audit(trx, { by, action: 'channel.discard', object: 'all', after: { count, channels }, now });
  }
  return { result: count, events: [] };
}
