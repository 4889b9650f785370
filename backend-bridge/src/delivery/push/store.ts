/** The keys and devices of web push. */
import { type SqlBool, sql } from 'kysely';
import { DEFAULT_PASSING, type Passing, type PersonHours, type QuietHours } from '../../../contract/hours.ts';
import type { DevicePlace } from '../channels/routing.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { PushDeviceRow, PushKeyRow } from '../../platform/storage/schema.ts';

export type PushStore = ReturnType<typeof createPushStore>;

const readHours = (hours: string | null, passing: string | null): PersonHours | undefined =>
  hours === null ? undefined : { quietHours: JSON.parse(hours) as QuietHours[], passing: passing as Passing };

/** Queries of devices, keys and quiet hours, on the reading connection. */
export function createPushStore(db: Database) {
  return {
    keys: (): Promise<PushKeyRow | undefined> => db.selectFrom('push_keys').selectAll().executeTakeFirst(),

    async places(): Promise<DevicePlace[]> {
      const rows = await db
        .selectFrom('push_devices as d')
        .leftJoin('quiet_hours as q', 'q.person', 'd.person')
        .select(['d.id', 'd.person', 'd.login', 'q.hours', 'q.passing'])
        .orderBy('d.id')
        .execute();
      return rows.map(({ hours, passing, ...place }) => ({ ...place, quiet: readHours(hours, passing) }));
    },

    async quietHours(person: string): Promise<PersonHours> {
      const row = await db.selectFrom('quiet_hours').selectAll().where('person', '=', person).executeTakeFirst();
      return (row && readHours(row.hours, row.passing)) ?? { quietHours: [], passing: DEFAULT_PASSING };
    },

    one: (id: number): Promise<PushDeviceRow | undefined> =>
      db.selectFrom('push_devices').selectAll().where('id', '=', id).executeTakeFirst(),

    of: (person: string): Promise<PushDeviceRow[]> =>
      db.selectFrom('push_devices').selectAll().where('person', '=', person).orderBy('id').execute(),

    /** Threads of these notifications of which something was delivered, and nothing newer. @param channels of devices */
    async delivered(
      channels: readonly string[],
      notifications: readonly number[]
    ): Promise<{ channel: string; threadId: number }[]> {
      return db
        .selectFrom('outbox as o')
        .select(['o.channel', 'o.thread_id as threadId'])
        .distinct()
        .where(inList('o.notification_id', notifications))
        .where(inList('o.channel', channels))
        .where('o.state', '=', 'sent')
        .where((all) => {
          const newer = all
            .selectFrom('notifications as n')
            .innerJoin('outbox as w', 'w.notification_id', 'n.id')
            .select('w.id')
            .whereRef('n.thread_id', '=', 'o.thread_id')
            .whereRef('n.id', '>', 'o.notification_id')
            .whereRef('w.channel', '=', 'o.channel')
            .where('w.state', '=', 'sent')
            .where(sql<SqlBool>`not (${inList('n.id', notifications)})`);
          return all.not(all.exists(newer));
        })
        .execute();
    },
  };
}
