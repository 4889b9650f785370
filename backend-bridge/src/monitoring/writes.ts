/** Writes of monitoring. Each runs in the writer thread, inside a transaction. */
import { keepSynced } from './chains/writes.ts';
import { recordSilence } from './silences/writes.ts';
import { changeSettings, reportSettings, setShippedOff } from './thresholds/writes.ts';
import { keepFound } from './vanished/writes.ts';
import { writesOf } from '../platform/storage/write.ts';

export const MONITORING_WRITES = {
  ...writesOf({ recordSilence, changeSettings, setShippedOff, reportSettings, keepSynced, keepFound }),
};
