/** Notifications, threads, counts and readers. Columns: platform/storage/schema.ts. */
import { integer, optional, small, table, text, unique } from '../../tables.ts';

/** The common view: neither muted nor with errors. The rare ones have partial indexes of their own. */
const SHOWN = 'muted = 0 and hidden = 0';
/** Threads in lists: with a shown member. */
const LISTED = 'head_id is not null';

const NOTIFICATION = {
  id: integer,
  thread_id: integer,
  ts: integer,
  title: text,
  body: text,
  category: text,
  dnp_name: text,
  priority: small,
  status: text,
  status_given: small,
  correlation_id: text,
  is_banner: small,
  banner: small,
  seen: small,
  muted: small,
  hidden: small,
  turned: small,
  source: text,
  cta_title: optional(text),
  cta_url: optional(text),
  icon: optional(text),
  errors: optional(text),
  extra: optional(text),
  node: { ...text, default: '' },
  sent_ts: optional(integer),
};

export const INBOX = {
  notifications: table(NOTIFICATION, 'id', {
    notifications_thread: 'thread_id, id',
    // The newest shown one of a thread, and when its state changed.
    notifications_head: ['thread_id, id', SHOWN],
    notifications_turned: ['thread_id, ts', 'turned = 1'],
    // Includes what facets count: the days that a range cuts into are counted from this index.
    notifications_ts: 'ts, id, hidden, muted, seen, category, dnp_name, priority, status, banner',
    notifications_category: ['category, ts, id', SHOWN],
    notifications_package: ['dnp_name, ts, id', SHOWN],
    notifications_rank: ['priority, ts, id', `${SHOWN} and priority > 0`],
    notifications_resolved: ['ts, id', `${SHOWN} and status = 'resolved'`],
    notifications_seen: ['seen, ts, id', SHOWN],
    notifications_banner: ['ts, id', 'banner = 1'],
    // Include the columns of all filters, so that rows that do not match are skipped without reading them.
    notifications_muted: ['ts, id, hidden, seen, category, dnp_name, priority, status', 'muted = 1'],
    notifications_hidden: ['ts, id, muted, seen, category, dnp_name, priority, status', 'hidden = 1'],
    // Contains only what has a node, so that an inbox without nodes pays nothing for it; likewise those of bursts.
    notifications_node: ['node, ts, id', `node <> '' and ${SHOWN}`],
  }),
  threads: table(
    {
      id: integer,
      dnp_name: text,
      correlation_id: text,
      state: text,
      opened_ts: optional(integer),
      closed_ts: optional(integer),
      last_ts: integer,
      closed_by_hand: small,
      banner: small,
      head_id: optional(integer),
      head_ts: optional(integer),
      category: text,
      priority: small,
      count: integer,
      unseen: integer,
      burst: optional(integer),
      node: { ...text, default: '' },
      answered: { ...integer, default: 0 },
    },
    'id',
    {
      threads_package: ['dnp_name, head_ts, head_id', LISTED],
      threads_rank: ['priority, head_ts, head_id', `${LISTED} and priority > 0`],
      threads_resolved: ['head_ts, head_id', `${LISTED} and state = 'resolved'`],
      threads_banner: ['head_ts, head_id', `${LISTED} and banner = 1`],
      // The newest thread of a burst, of those that are open, and of those with unseen members. The first includes what rows count.
      threads_burst: ['burst, head_ts, head_id, state, last_ts, unseen, priority', `burst is not null and ${LISTED}`],
      threads_burst_open: ['burst, head_ts, head_id, last_ts', `burst is not null and ${LISTED} and state = 'open'`],
      threads_burst_unseen: ['burst, head_ts, head_id', `burst is not null and ${LISTED} and unseen > 0`],
      // With the burst: a list with one row for each walks past its threads without reading them.
      threads_head: ['head_ts, head_id, category, dnp_name, priority, state, banner, unseen, burst', LISTED],
      // Includes what separates open, unread and read, so that a page of one of them is found without reading rows of the others.
      threads_category: ['category, head_ts, head_id, unseen, state, last_ts, burst', LISTED],
      threads_open: [
        'last_ts, category, priority, dnp_name, unseen, banner, head_ts, head_id, burst',
        `${LISTED} and state = 'open'`,
      ],
      threads_unseen: ['head_ts, head_id, burst', `${LISTED} and unseen > 0`],
      threads_seen: ['head_ts, head_id, burst', `${LISTED} and unseen = 0`],
      threads_key: unique('correlation_id, dnp_name, node'),
      threads_node: ['node, head_ts, head_id', `node <> '' and ${LISTED}`],
    }
  ),
  counts: table(
    {
      scope: small,
      span: small,
      slot: integer,
      hidden: small,
      muted: small,
      seen: small,
      category: text,
      dnp_name: text,
      priority: small,
      state: text,
      banner: small,
      n: integer,
    },
    'scope, span, slot, hidden, muted, seen, category, dnp_name, priority, state, banner'
  ),
  receipts: table(
    { scope: text, key: text, hash: optional(text), notification_id: integer, ts: integer },
    'scope, key',
    { receipts_age: 'scope, ts' }
  ),
  categories: table({ category: text, enabled: small, ts: integer, file: optional(text) }, 'category'),
  trash: table({ ...NOTIFICATION, deletion: text, expires_ts: integer, burst: optional(integer) }, 'id', {
    trash_deletion: 'deletion',
    trash_thread: 'thread_id, id',
  }),
  // One row for a deletion, however many rows and transactions it took.
  deletions: table({ deletion: text, expires_ts: integer, restoring: small }, 'deletion'),
  sources: table({ key: text, recent: text, burst: optional(integer), ts: integer }, 'key'),
  bursts: table({ id: integer, name: text, dnp_name: text, category: text, ts: integer }, 'id'),
  readers: table(
    {
      id: { ...integer, numbered: true },
      key: { ...text, unique: true },
      first_ts: integer,
      last_ts: integer,
      watermark: { ...integer, default: 0 },
    },
    'id'
  ),
  // By thread first: a row of the list needs the unread members of its thread. A deleted notification stays until it is purged, so that
  // a deletion costs the same for any number of readers.
  unread: table({ reader: integer, thread_id: integer, id: integer }, 'reader, thread_id, id', { unread_id: 'id' }),
  // Recent shown notifications, once for all readers: unread are those above the reader's watermark, and those in `unread`.
  arrivals: table({ id: integer, thread_id: integer }, 'id', { arrivals_thread: 'thread_id' }),
  arrival_marks: table({ ts: integer, last_id: integer }, 'ts'),
  retention: table({ file: text, policy: text, ts: integer, set_by: optional(text) }, 'file'),
};
