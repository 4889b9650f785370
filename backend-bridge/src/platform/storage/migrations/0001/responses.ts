/** Responses to threads, and the report. Columns: platform/storage/schema.ts. */
import { integer, optional, table, text, unique } from '../../tables.ts';

export const RESPONSES = {
  responses: table(
    {
      thread_id: integer,
      ack_ts: optional(integer),
      ack_by: optional(text),
      ack_key: optional(text),
      ack_comment: optional(text),
      ack_priority: optional(integer),
      assignee: optional(text),
      assignee_name: optional(text),
      comments: integer,
    },
    'thread_id',
    {
      responses_acknowledged: ['thread_id', 'ack_ts is not null'],
      responses_assignee: ['assignee, thread_id', 'assignee is not null'],
    }
  ),
  timeline: table(
    {
      id: integer,
      thread_id: integer,
      ts: integer,
      kind: text,
      actor: text,
      actor_key: optional(text),
      content: optional(text),
      edited_ts: optional(integer),
    },
    'id',
    { timeline_thread: 'thread_id, id' }
  ),
  comment_words: table({ word: text, id: integer }, 'word, id', { comment_words_comment: 'id' }),
  snoozes: table(
    {
      thread_id: integer,
      reader: integer,
      until_ts: integer,
      priority: integer,
      set_ts: integer,
      set_by: text,
      woken_ts: optional(integer),
    },
    'reader, thread_id',
    {
      snoozes_thread: 'thread_id',
      snoozes_due: ['until_ts', 'woken_ts is null'],
      snoozes_woken: ['reader, woken_ts, thread_id', 'woken_ts is not null'],
    }
  ),
  people: table({ key: text, login: text, name: text, last_ts: integer }, 'key'),
  report_kinds: table(
    { id: integer, source: text, rule: text, dnp_name: text, category: text, last_id: integer, last_week: integer },
    'id',
    { report_kinds_key: unique('source, rule, dnp_name, category') }
  ),
  report_weeks: table(
    {
      week: integer,
      kind: integer,
      notifications: integer,
      fired: integer,
      flapping: integer,
      resolved: integer,
      not_acted_on: integer,
      acknowledged: integer,
      open_ms: integer,
      longest_ms: integer,
      acknowledge_ms: integer,
    },
    'week, kind'
  ),
  report_spells: table(
    { thread_id: integer, kind: integer, opened_ts: integer, closed_ts: optional(integer) },
    'thread_id',
    { report_spells_closed: ['closed_ts', 'closed_ts is not null'] }
  ),
};
