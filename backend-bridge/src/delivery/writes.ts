/** Writes of delivery. Each runs in the writer thread, inside a transaction. */
import { revokeActions } from './actions/epochs.ts';
import { takeAction } from './actions/writes.ts';
import { escalate } from './channels/escalationWrites.ts';
import { noteOnCall } from './schedules/onCallState.ts';
import { noteForwarded } from './channels/forwardWrites.ts';
import { bringForward, dropDeleted, holdQuiet, noteDigest, release } from './channels/heldWrites.ts';
import {
  discardAllUndelivered,
  discardUndelivered,
  removePageChannel,
  resendAllUndelivered,
  setPageChannel,
  setPageRoutes,
} from './channels/pageWrites.ts';
import { addOverride, removeOverride } from './schedules/overrideWrites.ts';
import { noteResponse } from './channels/threadResponses.ts';
import {
  cleanOutbox,
  dropOutbox,
  noteFlood,
  noteRetry,
  noteSent,
  noteUndelivered,
  resendUndelivered,
  wakeOutbox,
} from './channels/writes.ts';
import {
  addDevice,
  expireDevices,
  keepPushKeys,
  removeDevice,
  renameDevice,
  replacePushKeys,
  setQuietHours,
} from './push/writes.ts';
import { cleanInhibitors, keepInhibitors } from './suppression/inhibitors.ts';
import { inhibit, keepWindow, reconsider, removeWindow, withhold } from './suppression/writes.ts';
import { writesOf } from '../platform/storage/write.ts';

export const DELIVERY_WRITES = {
  ...writesOf({ addDevice, setPageChannel, setPageRoutes, keepWindow, addOverride, takeAction }, { grows: true }),
  ...writesOf({
    revokeActions,
    noteForwarded,
    noteOnCall,
    keepPushKeys,
    replacePushKeys,
    renameDevice,
    removeDevice,
    expireDevices,
    noteSent,
    noteFlood,
    noteRetry,
    noteResponse,
    noteUndelivered,
    dropOutbox,
    wakeOutbox,
    bringForward,
    escalate,
    holdQuiet,
    noteDigest,
    dropDeleted,
    release,
    setQuietHours,
    resendUndelivered,
    cleanOutbox,
    removePageChannel,
    resendAllUndelivered,
    discardUndelivered,
    discardAllUndelivered,
    cleanInhibitors,
    reconsider,
    keepInhibitors,
    inhibit,
    withhold,
    removeWindow,
    removeOverride,
  }),
};
