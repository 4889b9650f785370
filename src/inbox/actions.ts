/** Actions on notifications and threads. Buttons, selection bar, keys, their help and the Undo message are made from this table. */
import type { IconName } from '@grafana/ui';
import type { Notification } from '@nodebell/contract/notification.ts';
import { deleteThese, markThese, resolveThese, restoreDeleted } from '../api/notifications';
import type { BridgeFilter, These } from '../api/query';
import { acknowledgeThreads, assignThreads, snoozeThreads } from '../api/respond';
import { may } from '../api/permissions';
import { t } from '../i18n/t';
import { hasOpen } from '../components/bursts';
import { resolvedLabel } from '../components/threads';
import { markRows, putBack, removeRows, type Rows, takeBack } from './rows';

/** Notifications or threads that an action changes. */
export interface Targets {
  /** Rows that the list shows; `all`: all of them. */
  rows: readonly Notification[] | 'all';
  ids: readonly number[];
  /** All that match: for the row of a burst, and a selection of everything. */
  filters: readonly BridgeFilter[];
  count: number;
  /** Ids stand for their threads, where an action distinguishes these. */
  wholeThreads: boolean;
}

/** The thread of one notification. */
export const threadOf = (row: Notification): Targets => ({
  ...{ rows: [row], ids: [row.id], filters: [], count: 1, wholeThreads: true },
});

/** An undoable change. `count` is undefined if all targets were changed. */
interface Sent {
  count: number | undefined;
  undo: () => Promise<unknown>;
}

interface Values {
  count: number;
  /** Time left for the undo. */
  seconds: number;
}

interface Action<Args> {
  label: () => string;
  /** Tooltip in the detail. */
  hint?: () => string;
  icon: IconName;
  key?: string;
  permission: 'inbox:seen' | 'inbox:write';
  /** Also for notifications outside the inbox, which have errors. */
  outside?: true;
  /** Not offered for selected rows, or not for all that match. */
  notFor?: 'many' | 'all';
  /** Rows that it can change; undefined: all. */
  appliesTo?: (row: Notification) => boolean;
  failure: () => string;
  /** @returns undefined if it cannot be undone */
  send: (these: These, args: Args, wholeThreads: boolean) => Promise<Sent | undefined>;
  /** Optimistic change of the list. */
  patch?: {
    change: (rows: Rows, keys: ReadonlySet<string> | 'all') => Rows;
    revert: (rows: Rows, before: Rows, after: Rows, keys: ReadonlySet<string> | 'all') => Rows;
  };
  /** Message that offers to undo it. */
  done?: { label: () => string; text: (values: Values) => string };
}

const action = <Args = undefined>(one: Action<Args>): Action<Args> => one;

/** @param ids undefined result if null: too many to list */
const undoOf = (ids: number[] | null, undo: (ids: number[]) => Promise<unknown>): Sent | undefined =>
  ids === null ? undefined : { count: ids.length, undo: () => undo(ids) };

const marking = (seen: boolean) => ({
  permission: 'inbox:seen' as const,
  failure: () => t('inbox.failure.mark', 'Could not change the read state'),
  async send(these: These, _args: undefined, wholeThreads: boolean) {
    await markThese(these, seen, wholeThreads);
    return undefined;
  },
  patch: { change: (rows: Rows, keys: ReadonlySet<string> | 'all') => markRows(rows, keys, seen), revert: takeBack },
});

/** In the order of buttons and of the help on keys. */
export const ACTIONS = {
  read: action({ ...marking(true), label: () => t('inbox.action.read', 'Mark read'), icon: 'eye', key: 'e' }),
  unread: action({
    ...marking(false),
    label: () => t('inbox.action.unread', 'Mark unread'),
    icon: 'envelope',
    key: 'u',
    // In a thread it would mark the newest member only.
    notFor: 'all',
  }),
  acknowledge: action<{ comment: string } | undefined>({
    label: () => t('inbox.respond.acknowledge', 'Acknowledge'),
    hint: () =>
      t(
        'inbox.respond.acknowledge-text',
        'No further notifications until the priority rises, or until it fires again after it resolved.'
      ),
    icon: 'check',
    key: 'a',
    permission: 'inbox:write',
    failure: () => t('inbox.failure.acknowledge', 'Could not acknowledge'),
    async send(these, comment) {
      const { ids } = await acknowledgeThreads(these, { acknowledged: true, ...comment });
      return undoOf(ids, (changed) => acknowledgeThreads({ ids: changed }, { acknowledged: false }));
    },
    done: {
      label: () => t('inbox.undo.acknowledged', 'Acknowledged'),
      text: ({ count, seconds }) =>
        t('inbox.undo.acknowledged-title', '', {
          count,
          seconds,
          defaultValue_one: '{{count, number}} thread acknowledged. Undo within {{seconds}} s.',
          defaultValue_other: '{{count, number}} threads acknowledged. Undo within {{seconds}} s.',
        }),
    },
  }),
  unacknowledge: action({
    label: () => t('inbox.respond.unacknowledge', 'Remove acknowledgement'),
    icon: 'times',
    permission: 'inbox:write',
    notFor: 'many',
    failure: () => t('inbox.failure.acknowledge', 'Could not acknowledge'),
    async send(these) {
      await acknowledgeThreads(these, { acknowledged: false });
      return undefined;
    },
  }),
  /** `until`: ISO 8601; null ends the snooze. */
  snooze: action<{ until: string | null; whose: 'me' | 'all' }>({
    label: () => t('inbox.snooze.snooze', 'Snooze'),
    icon: 'clock-nine',
    permission: 'inbox:seen',
    failure: () => t('inbox.failure.snooze', 'Could not snooze'),
    async send(these, { until, whose }) {
      const { ids } = await snoozeThreads(these, until, whose);
      return until === null ? undefined : undoOf(ids, (changed) => snoozeThreads({ ids: changed }, null, whose));
    },
    done: {
      label: () => t('inbox.undo.snoozed', 'Snoozed'),
      text: ({ count, seconds }) =>
        t('inbox.undo.snoozed-title', '', {
          count,
          seconds,
          defaultValue_one: '{{count, number}} thread snoozed. Undo within {{seconds}} s.',
          defaultValue_other: '{{count, number}} threads snoozed. Undo within {{seconds}} s.',
        }),
    },
  }),
  /** `null`: nobody. */
  assign: action<string | null>({
    label: () => t('inbox.respond.assign', 'Assign'),
    icon: 'user',
    permission: 'inbox:write',
    failure: () => t('inbox.failure.assign', 'Could not assign'),
    async send(these, assignee) {
      const { ids, before } = await assignThreads(these, assignee);
      return undoOf(ids, () => Promise.all((before ?? []).map((one) => assignThreads({ ids: one.ids }, one.assignee))));
    },
    done: {
      label: () => t('inbox.undo.assigned', 'Assigned'),
      text: ({ count, seconds }) =>
        t('inbox.undo.assigned-title', '', {
          count,
          seconds,
          defaultValue_one: 'Assignee of {{count, number}} thread changed. Undo within {{seconds}} s.',
          defaultValue_other: 'Assignee of {{count, number}} threads changed. Undo within {{seconds}} s.',
        }),
    },
  }),
  resolve: action({
    label: () => t('inbox.detail.close', 'Resolve'),
    hint: () => t('inbox.detail.close-text', 'Mark as resolved. A new alert reopens the thread.'),
    icon: 'check-circle',
    permission: 'inbox:write',
    appliesTo: hasOpen,
    failure: () => t('inbox.failure.close', 'Could not resolve the thread'),
    async send(these) {
      const { resolved, undo } = await resolveThese(these);
      return { count: resolved, undo: () => restoreDeleted(undo) };
    },
    done: {
      label: resolvedLabel,
      text: ({ count, seconds }) =>
        t('inbox.undo.resolved', '', {
          count,
          seconds,
          defaultValue_one: '{{count, number}} thread resolved. Undo within {{seconds}} s.',
          defaultValue_other: '{{count, number}} threads resolved. Undo within {{seconds}} s.',
        }),
    },
  }),
  delete: action({
    label: () => t('inbox.action.delete', 'Delete'),
    icon: 'trash-alt',
    key: '#',
    permission: 'inbox:write',
    outside: true,
    failure: () => t('inbox.failure.delete', 'Could not delete'),
    async send(these, _args, wholeThreads) {
      const { undo } = await deleteThese(these, wholeThreads);
      return { count: undefined, undo: () => restoreDeleted(undo) };
    },
    patch: {
      change: (rows, keys) => (keys === 'all' ? rows : removeRows(rows, keys)),
      revert: (rows, before, _after, keys) => (keys === 'all' ? rows : putBack(rows, before, keys)),
    },
    done: {
      label: () => t('inbox.undo.label', 'Deleted'),
      text: ({ count, seconds }) =>
        t('inbox.undo.title', '', {
          count,
          seconds,
          defaultValue_one: '{{count, number}} notification deleted. Undo within {{seconds}} s.',
          defaultValue_other: '{{count, number}} notifications deleted. Undo within {{seconds}} s.',
        }),
    },
  }),
};

export type ActionId = keyof typeof ACTIONS;
export const ACTION_IDS = Object.keys(ACTIONS) as ActionId[];

/** @param outside of notifications outside the inbox */
export const isPermitted = (id: ActionId, outside: boolean): boolean =>
  may(ACTIONS[id].permission) && (!outside || ACTIONS[id].outside === true);

type ArgsOf<Id extends ActionId> = (typeof ACTIONS)[Id] extends Action<infer Args> ? Args : never;

/** Actions without arguments, which all those with keys are. */
export type PlainId = { [Id in ActionId]: undefined extends ArgsOf<Id> ? Id : never }[ActionId];

/** Runs an action. A message says if it fails. */
export type Run<Result = void> = <Id extends ActionId>(
  id: Id,
  targets: Targets,
  ...args: undefined extends ArgsOf<Id> ? [ArgsOf<Id>?] : [ArgsOf<Id>]
) => Result;
