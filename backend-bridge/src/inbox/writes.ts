/** Writes of the inbox. Each runs in the writer thread, inside a transaction. */
import { resolveDue, resolveGone } from './autoResolve/writes.ts';
import { setCategory } from './categories/writes.ts';
import { clean } from './notifications/cleaning.ts';
import { purge, remove, restore } from './notifications/deletions.ts';
import { receive, receiveRows } from './notifications/receiveRows.ts';
import { allowReopening, reopen, resolve, resolveByHand } from './notifications/resolving.ts';
import { mark } from './notifications/writes.ts';
import { recordPerson, visit } from './readers/writes.ts';
import { countForReport } from './report/writes.ts';
import { acknowledge } from './respond/acknowledging.ts';
import { setBackSnoozes, snooze, wakeDue } from './respond/snoozing.ts';
import { addComment, assign, changeComment } from './respond/writes.ts';
import { announceRemoved, importArchived, keepMeasure, removeOld, setRetention } from './retention/writes.ts';
import { type WriteKind, writesOf } from '../platform/storage/write.ts';

export const INBOX_WRITES = {
  receive: { write: receive, batch: receiveRows, grows: true, list: 'incoming' },
  ...writesOf({ addComment, countForReport, importArchived }, { grows: true }),
  ...writesOf({
    mark,
    remove,
    restore,
    resolveByHand,
    resolve,
    resolveDue,
    resolveGone,
    allowReopening,
    reopen,
    acknowledge,
    changeComment,
    assign,
    snooze,
    setBackSnoozes,
    wakeDue,
    recordPerson,
    purge,
    clean,
    setCategory,
    visit,
    removeOld,
    announceRemoved,
    keepMeasure,
    setRetention,
  }),
} satisfies Record<string, WriteKind>;
