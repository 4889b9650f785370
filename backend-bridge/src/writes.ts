/** All writes of the store. Each runs in the writer thread, inside a transaction. */
import { extname } from 'node:path';
import './arrivals.ts';
import { cleanActions } from './delivery/actions/writes.ts';
import { DELIVERY_WRITES } from './delivery/writes.ts';
import { registerCleaners } from './inbox/notifications/cleaning.ts';
import { cleanReport } from './inbox/report/writes.ts';
import { markArrivals } from './inbox/retention/marks.ts';
import { INBOX_WRITES } from './inbox/writes.ts';
import { keepAlerts, keepSilences } from './intake/alertmanager/writes.ts';
import { keepHeard } from './intake/heartbeats/writes.ts';
import { MONITORING_WRITES } from './monitoring/writes.ts';
import { changePackages } from './packages/registry/writes.ts';
import { type WriteTable, writesOf } from './platform/storage/write.ts';
import { PLATFORM_WRITES } from './platform/writes.ts';
import { provision } from './provisioning/writes.ts';

registerCleaners([cleanReport, markArrivals, cleanActions]);

export const WRITES: WriteTable = {
  // One file name for source and build.
  thread: new URL(`./writerThread${extname(import.meta.url)}`, import.meta.url),
  kinds: {
    ...PLATFORM_WRITES,
    ...INBOX_WRITES,
    ...DELIVERY_WRITES,
    ...MONITORING_WRITES,
    ...writesOf({ keepHeard, keepSilences }),
    ...writesOf({ changePackages, keepAlerts, provision }, { grows: true }),
  },
};
