/** All reads whose responses can be large, or take long. Each runs in a reading thread. */
import { extname } from 'node:path';
import { readAudit, readAuditStep } from './platform/audit/reads.ts';
import { readForDappnode } from './packages/dappnode/reads.ts';
import {
  readCategories,
  readDetail,
  readFacets,
  readList,
  readListStep,
  readOrigin,
  readUnseen,
  readWholeText,
} from './inbox/notifications/reads.ts';
import { readMatching } from './inbox/notifications/selections.ts';
import { readReport, readReportWeek } from './inbox/report/reads.ts';
import type { ReadTable } from './platform/storage/read.ts';

export const READS: ReadTable = {
  // One file name for source and build.
  thread: new URL(`./readerThread${extname(import.meta.url)}`, import.meta.url),
  kinds: {
    readAudit,
    readAuditStep,
    readCategories,
    readDetail,
    readFacets,
    readForDappnode,
    readList,
    readListStep,
    readMatching,
    readOrigin,
    readReport,
    readReportWeek,
    readUnseen,
    readWholeText,
  },
};
