/** Changes of the keys and devices of web push. Runs in the writer thread. */
import { sql } from 'kysely';
import type { Actor } from '../../../contract/audit.ts';
import { DEFAULT_PASSING, type PersonHours } from '../../../contract/hours.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { audit } from '../../platform/audit/writes.ts';
import { deviceChannel } from '../channels/kinds/channel.ts';
import { ROUTES_CHANGED } from '../schedules/onCallState.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { PushDeviceRow, PushKeyRow } from '../../platform/storage/schema.ts';
import { takeNumbers } from '../../platform/storage/series.ts';
import type { Written } from '../../platform/storage/write.ts';

/** Stores the first keys. Of two replicas that make them at once, those of one stay. @returns the keys in effect */
export async function keepPushKeys(trx: Transacting, keys: Omit<PushKeyRow, 'id'>): Promise<Written<PushKeyRow>> {
  const known = await trx.selectFrom('push_keys').selectAll().executeTakeFirst();
  const row = known ?? { id: 1, ...keys };
  if (!known) {
    await trx.insertInto('push_keys').values(row).execute();
  }
  return { result: row, events: [] };
}

export interface ReplaceKeys {
  keys: Omit<PushKeyRow, 'id'>;
  by: Actor;
  /** Names of the channels of type webpush. */
  channels: readonly string[];
}

/** Replaces the keys. Subscriptions are bound to them, so all devices are removed. */
export async function replacePushKeys(trx: Transacting, { keys, by, channels }: ReplaceKeys): Promise<Written<void>> {
  const devices = await trx.selectFrom('push_devices').select('id').execute();
  await trx.deleteFrom('push_keys').execute();
  await trx
    .insertInto('push_keys')
    .values({ id: 1, ...keys })
    .execute();
  await removeRows(
    trx,
    devices.map(({ id }) => id),
    channels
  );
  const before = { devices: devices.length };
  await audit(trx, { by, action: 'push.replace-key', object: 'web push', before, now: keys.created_ts });
  return { result: undefined, events: [ROUTES_CHANGED] };
}

export interface AddDevice {
  device: Omit<PushDeviceRow, 'id'>;
  /** Public key with which it has subscribed. */
  key: string;
  channels: readonly string[];
}

/** `key-replaced`: it has subscribed with other keys. */
export type Added = { id: number } | { rejected: 'full' | 'key-replaced' };

/** A browser that is known is updated, and is the device of whoever uses it now. */
export async function addDevice(trx: Transacting, { device, key, channels }: AddDevice): Promise<Written<Added>> {
  const keys = await trx.selectFrom('push_keys').select('public_key').executeTakeFirst();
  if (keys?.public_key !== key) {
    return { result: { rejected: 'key-replaced' }, events: [] };
  }
  const known = await trx
    .selectFrom('push_devices')
    .select(['id', 'person', 'login'])
    .where('fingerprint', '=', device.fingerprint)
    .executeTakeFirst();
  if (known?.person === device.person) {
    const { p256dh, auth, login, visited_ts } = device;
    await trx.updateTable('push_devices').set({ p256dh, auth, login, visited_ts }).where('id', '=', known.id).execute();
    // Routes reach people by their login.
    return { result: { id: known.id }, events: known.login === login ? [] : [ROUTES_CHANGED] };
  }
  if (known) {
    await removeRows(trx, [known.id], channels);
  }
  const own = sql<number>`sum(case when person = ${device.person} then 1 else 0 end)`;
  const count = await trx
    .selectFrom('push_devices')
    .select((all) => [all.fn.countAll<number>().as('all'), own.as('own')])
    .executeTakeFirstOrThrow();
  if (count.all >= LIMITS.pushDevices.value || Number(count.own ?? 0) >= LIMITS.pushDevicesOfPerson.value) {
    return { result: { rejected: 'full' }, events: known ? [ROUTES_CHANGED] : [] };
  }
  const id = await takeNumbers(trx, 'device', 1);
  await trx
    .insertInto('push_devices')
    .values({ id, ...device })
    .execute();
  return { result: { id }, events: [ROUTES_CHANGED] };
}

/** @returns false if the person has no such device */
export async function renameDevice(
  trx: Transacting,
  { id, person, name }: { id: number; person: string; name: string }
): Promise<Written<boolean>> {
  const row = await trx
    .updateTable('push_devices')
    .set({ name })
    .where('id', '=', id)
    .where('person', '=', person)
    .returning('id')
    .executeTakeFirst();
  return { result: row !== undefined, events: [] };
}

/** @param person whose device it must be; null: of anybody, since its subscription has expired */
export async function removeDevice(
  trx: Transacting,
  { id, person, channels }: { id: number; person: string | null; channels: readonly string[] }
): Promise<Written<void>> {
  const row = await trx
    .selectFrom('push_devices')
    .select('id')
    .where('id', '=', id)
    .$if(person !== null, (query) => query.where('person', '=', person!))
    .executeTakeFirst();
  if (row) {
    await removeRows(trx, [id], channels);
  }
  return { result: undefined, events: row ? [ROUTES_CHANGED] : [] };
}

/** Removes devices on which nobody has opened a page of Grafana since `before` by the bridge's own clock; other UIs report no visits. */
export async function expireDevices(
  trx: Transacting,
  { before, channels }: { before: number; channels: readonly string[] }
): Promise<Written<void>> {
  const rows = await trx
    .selectFrom('push_devices')
    .select('id')
    .where('visited_ts', '<', before)
    .where('person', 'like', 'org:%')
    .execute();
  await removeRows(
    trx,
    rows.map(({ id }) => id),
    channels
  );
  return { result: undefined, events: rows.length > 0 ? [ROUTES_CHANGED] : [] };
}

/** With what waits for them, and their deliveries. */
async function removeRows(trx: Transacting, ids: readonly number[], channels: readonly string[]): Promise<void> {
  if (ids.length === 0) {
    return;
  }
  const names = channels.flatMap((name) => ids.map((id) => deviceChannel(name, id)));
  await trx.deleteFrom('push_devices').where(inList('id', ids)).execute();
  for (const table of ['outbox', 'channel_threads'] as const) {
    await trx.deleteFrom(table).where(inList('channel', names)).execute();
  }
}

/** Quiet hours of the devices of a person. @returns false if too many persons have quiet hours */
export async function setQuietHours(
  trx: Transacting,
  { person, quietHours, passing = DEFAULT_PASSING, now }: PersonHours & { person: string; now: number }
): Promise<Written<boolean>> {
  const { count } = await trx
    .selectFrom('quiet_hours')
    .select((all) => all.fn.countAll<number>().as('count'))
    .where('person', '!=', person)
    .executeTakeFirstOrThrow();
  if (quietHours.length > 0 && count >= LIMITS.quietPersons.value) {
    return { result: false, events: [] };
  }
  await trx.deleteFrom('quiet_hours').where('person', '=', person).execute();
  if (quietHours.length > 0) {
    const hours = JSON.stringify(quietHours);
    await trx.insertInto('quiet_hours').values({ person, hours, passing, ts: now }).execute();
  }
  return { result: true, events: [ROUTES_CHANGED] };
}
