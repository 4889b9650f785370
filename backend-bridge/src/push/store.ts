/** The keys and devices of web push. */
import { sql } from 'kysely';
import { inList } from '../storage/bulk.ts';
import type { Database } from '../storage/engine.ts';
import type { PushDeviceRow, PushKeyRow } from '../storage/schema.ts';

/** Where notifications can go. */
export type DevicePlace = Pick<PushDeviceRow, 'id' | 'person' | 'login'>;

export type PushStore = ReturnType<typeof createPushStore>;

export function createPushStore(db: Database) {
  return {
    keys: (): Promise<PushKeyRow | undefined> => db.selectFrom('push_keys').selectAll().executeTakeFirst(),

    places: (): Promise<DevicePlace[]> =>
      db.selectFrom('push_devices').select(['id', 'person', 'login']).orderBy('id').execute(),

    one: (id: number): Promise<PushDeviceRow | undefined> =>
      db.selectFrom('push_devices').selectAll().where('id', '=', id).executeTakeFirst(),

    of: (person: string): Promise<PushDeviceRow[]> =>
      db.selectFrom('push_devices').selectAll().where('person', '=', person).orderBy('id').execute(),

    /** Threads of these notifications of which something was delivered. @param channels of devices */
    async delivered(
      channels: readonly string[],
      notifications: readonly number[]
    ): Promise<{ channel: string; threadId: number }[]> {
      return db
        .selectFrom('outbox')
        .select(['channel', 'thread_id as threadId'])
        .distinct()
        .where(inList(sql.ref('notification_id'), notifications))
        .where(inList(sql.ref('channel'), channels))
        .where('state', '=', 'sent')
        .execute();
    },
  };
}
