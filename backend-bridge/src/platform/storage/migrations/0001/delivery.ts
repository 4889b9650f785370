/** Channels and push. Columns: platform/storage/schema.ts. */
import { integer, optional, table, text } from '../../tables.ts';

export const DELIVERY = {
  channel_files: table({ file: text, channels: text, routes: text }, 'file'),
  outbox: table(
    {
      id: integer,
      channel: text,
      notification_id: integer,
      thread_id: integer,
      sender: text,
      ts: integer,
      state: text,
      attempts: integer,
      due_ts: integer,
      done_ts: optional(integer),
      reason: optional(text),
      hold: optional(text),
      drop_resolved: { ...integer, default: 0 },
      seen_ts: optional(integer),
      via: optional(text),
    },
    'id',
    {
      outbox_waiting: ['channel, id', "state = 'waiting'"],
      outbox_thread: ['thread_id, channel, id', "state = 'waiting'"],
      outbox_undelivered: ['id', "state = 'undelivered'"],
      outbox_done: ['channel, done_ts, id', 'done_ts is not null'],
      outbox_notification: 'notification_id',
      outbox_held: ['channel, hold, due_ts, id', "state = 'held'"],
      outbox_held_thread: ['thread_id, channel, id', "state = 'held'"],
    }
  ),
  channel_threads: table(
    { channel: text, thread_id: integer, ref: text, priority: integer, ts: integer },
    'channel, thread_id',
    { channel_threads_thread: 'thread_id' }
  ),
  quiet_hours: table({ person: text, hours: text, passing: text, ts: integer }, 'person'),
  push_keys: table({ id: integer, public_key: text, private_key: text, created_ts: integer }, 'id'),
  push_devices: table(
    {
      id: integer,
      person: text,
      login: text,
      name: text,
      endpoint: text,
      fingerprint: { ...text, unique: true },
      p256dh: text,
      auth: text,
      created_ts: integer,
      visited_ts: integer,
    },
    'id',
    { push_devices_person: 'person' }
  ),
};
