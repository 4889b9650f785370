/** All writes of the store. Each runs in the writer thread, inside a transaction. */
import { extname } from 'node:path';
import './arrivals.ts';
import { cleanAudit, recordChange } from './platform/audit/writes.ts';
import {
  createToken,
  keepUsedTokens,
  removeRevokedTokens,
  revokeToken,
  rotateToken,
} from './platform/access/writes.ts';
import { setCategory } from './inbox/categories/writes.ts';
import {
  cleanOutbox,
  dropOutbox,
  noteFlood,
  noteRetry,
  noteSent,
  noteUndelivered,
  resendUndelivered,
  wakeOutbox,
} from './delivery/channels/writes.ts';
import { noteForwarded } from './delivery/channels/forwardWrites.ts';
import { keepHeard } from './intake/heartbeats/writes.ts';
import { bringForward, escalate, holdQuiet, noteDigest, release } from './delivery/channels/heldWrites.ts';
import {
  discardAllUndelivered,
  discardUndelivered,
  removePageChannel,
  resendAllUndelivered,
  setPageChannel,
  setPageRoutes,
} from './delivery/channels/pageWrites.ts';
import { keepSynced } from './monitoring/chains/writes.ts';
import { clean, registerCleaners } from './inbox/notifications/cleaning.ts';
import { purge, remove, restore } from './inbox/notifications/deletions.ts';
import { repairThreads } from './inbox/notifications/members.ts';
import { receive, receiveRows } from './inbox/notifications/receiveRows.ts';
import { allowReopening, reopen, resolve, resolveByHand } from './inbox/notifications/resolving.ts';
import { mark } from './inbox/notifications/writes.ts';
import { changePackages } from './packages/registry/writes.ts';
import { provision } from './provisioning/writes.ts';
import {
  addDevice,
  expireDevices,
  keepPushKeys,
  removeDevice,
  renameDevice,
  replacePushKeys,
  setQuietHours,
} from './delivery/push/writes.ts';
import { recordPerson, visit } from './inbox/readers/writes.ts';
import { recordLeader, shareState } from './platform/replicas/writes.ts';
import { cleanReport, countForReport } from './inbox/report/writes.ts';
import { markArrivals } from './inbox/retention/marks.ts';
import { announceRemoved, importArchived, keepMeasure, removeOld, setRetention } from './inbox/retention/writes.ts';
import { acknowledge } from './inbox/respond/acknowledging.ts';
import { setBackSnoozes, snooze, wakeDue } from './inbox/respond/snoozing.ts';
import { addComment, assign, changeComment } from './inbox/respond/writes.ts';
import { recordSilence } from './monitoring/silences/writes.ts';
import { keepBridgeId } from './platform/storage/bridgeId.ts';
import { touch } from './platform/storage/series.ts';
import { indexText } from './platform/storage/textIndex.ts';
import type { WriteTable } from './platform/storage/write.ts';
import { changeSettings, keepShippedOff, reportSettings } from './monitoring/thresholds/writes.ts';

registerCleaners([cleanReport, markArrivals]);

export const WRITES: WriteTable = {
  // One file name for source and build.
  thread: new URL(`./writerThread${extname(import.meta.url)}`, import.meta.url),
  kinds: {
    receive: { write: receive, batch: receiveRows, grows: true, list: 'incoming' },
    indexText: { write: indexText, grows: true },
    changePackages: { write: changePackages, grows: true },
    provision: { write: provision, grows: true },
    mark: { write: mark },
    remove: { write: remove },
    restore: { write: restore },
    resolveByHand: { write: resolveByHand },
    resolve: { write: resolve },
    allowReopening: { write: allowReopening },
    reopen: { write: reopen },
    acknowledge: { write: acknowledge },
    addComment: { write: addComment, grows: true },
    changeComment: { write: changeComment },
    assign: { write: assign },
    recordSilence: { write: recordSilence },
    snooze: { write: snooze },
    setBackSnoozes: { write: setBackSnoozes },
    wakeDue: { write: wakeDue },
    recordPerson: { write: recordPerson },
    countForReport: { write: countForReport, grows: true },
    purge: { write: purge },
    clean: { write: clean },
    repairThreads: { write: repairThreads },
    noteForwarded: { write: noteForwarded },
    keepHeard: { write: keepHeard },
    keepPushKeys: { write: keepPushKeys },
    replacePushKeys: { write: replacePushKeys },
    addDevice: { write: addDevice, grows: true },
    renameDevice: { write: renameDevice },
    removeDevice: { write: removeDevice },
    expireDevices: { write: expireDevices },
    keepBridgeId: { write: keepBridgeId },
    touch: { write: touch, probe: true },
    setCategory: { write: setCategory },
    createToken: { write: createToken },
    rotateToken: { write: rotateToken },
    revokeToken: { write: revokeToken },
    keepUsedTokens: { write: keepUsedTokens },
    removeRevokedTokens: { write: removeRevokedTokens },
    changeSettings: { write: changeSettings },
    keepShippedOff: { write: keepShippedOff },
    reportSettings: { write: reportSettings },
    keepSynced: { write: keepSynced },
    visit: { write: visit },
    shareState: { write: shareState },
    recordLeader: { write: recordLeader },
    removeOld: { write: removeOld },
    announceRemoved: { write: announceRemoved },
    keepMeasure: { write: keepMeasure },
    setRetention: { write: setRetention },
    importArchived: { write: importArchived, grows: true },
    recordChange: { write: recordChange },
    cleanAudit: { write: cleanAudit },
    noteSent: { write: noteSent },
    noteFlood: { write: noteFlood },
    noteRetry: { write: noteRetry },
    noteUndelivered: { write: noteUndelivered },
    dropOutbox: { write: dropOutbox },
    wakeOutbox: { write: wakeOutbox },
    bringForward: { write: bringForward },
    escalate: { write: escalate },
    holdQuiet: { write: holdQuiet },
    noteDigest: { write: noteDigest },
    release: { write: release },
    setQuietHours: { write: setQuietHours },
    resendUndelivered: { write: resendUndelivered },
    cleanOutbox: { write: cleanOutbox },
    setPageChannel: { write: setPageChannel, grows: true },
    removePageChannel: { write: removePageChannel },
    setPageRoutes: { write: setPageRoutes, grows: true },
    resendAllUndelivered: { write: resendAllUndelivered },
    discardUndelivered: { write: discardUndelivered },
    discardAllUndelivered: { write: discardAllUndelivered },
  },
};
