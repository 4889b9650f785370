/** Every change that can be made to the store, by name. Each runs in the writer thread, inside one transaction. */
import { createToken, keepUsedTokens, removeRevokedTokens, revokeToken } from '../access/writes.ts';
import { setCategory } from '../categories/writes.ts';
import { keepSynced } from '../chains/writes.ts';
import { deleteMatching, deleteThese, deleteThreads, purge, restore } from '../notifications/deletions.ts';
import { repairThreads } from '../notifications/members.ts';
import { markMatching, markThese, markThreads, resolveByHand } from '../notifications/writes.ts';
import { visit } from '../readers/writes.ts';
import { changePackages } from '../packages/writes.ts';
import { provision } from '../provisioning/writes.ts';
import { receiveRows } from '../notifications/receiveRows.ts';
import { changeSettings, keepShippedOff, publishSettings } from '../thresholds/writes.ts';
import type { Transacting } from './bulk.ts';
import { clean } from './cleaning.ts';
import type { JournalEvent } from './events.ts';
import { touch } from './series.ts';
import { indexText } from './textIndex.ts';

/** What a change answers: its result, and the events that tell of it. */
export interface Written<R> {
  result: R;
  events: Omit<JournalEvent, 'id'>[];
}

/** Makes an ordinary change, one call at a time, from a function. */
function each<A, R>(write: (trx: Transacting, args: A) => Promise<Written<R>>) {
  return async (trx: Transacting, calls: A[]) => {
    const results: R[] = [];
    const events: Omit<JournalEvent, 'id'>[] = [];
    for (const args of calls) {
      const written = await write(trx, args);
      results.push(written.result);
      events.push(...written.events);
    }
    return { results, events };
  };
}

export const WRITES = {
  /** Calls that wait together are stored together. */
  receive: receiveRows,
  markThese: each(markThese),
  markThreads: each(markThreads),
  markMatching: each(markMatching),
  deleteThese: each(deleteThese),
  deleteThreads: each(deleteThreads),
  deleteMatching: each(deleteMatching),
  restore: each(restore),
  resolveByHand: each(resolveByHand),
  purge: each(purge),
  clean: each(clean),
  repairThreads: each(repairThreads),
  touch: each(touch),
  indexText: each(indexText),
  setCategory: each(setCategory),
  createToken: each(createToken),
  revokeToken: each(revokeToken),
  keepUsedTokens: each(keepUsedTokens),
  removeRevokedTokens: each(removeRevokedTokens),
  provision: each(provision),
  changePackages: each(changePackages),
  changeSettings: each(changeSettings),
  keepShippedOff: each(keepShippedOff),
  publishSettings: each(publishSettings),
  keepSynced: each(keepSynced),
  visit: each(visit),
} as const;

export type WriteName = keyof typeof WRITES;
export type WriteArgs<N extends WriteName> = Parameters<(typeof WRITES)[N]>[1][number];
export type WriteResult<N extends WriteName> = Awaited<ReturnType<(typeof WRITES)[N]>>['results'][number];
