/** The store in a folder of its own, with a clock that the test controls. Without HTTP, for speed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { setCategory } from '../../backend-bridge/src/inbox/categories/writes.ts';
import { createInbox, type Inbox } from '../../backend-bridge/src/inbox/notifications/inbox.ts';
import { createSelections, type Selections } from '../../backend-bridge/src/inbox/notifications/selections.ts';
import { NotificationStore } from '../../backend-bridge/src/inbox/notifications/store.ts';
import { createResponding, type Responding } from '../../backend-bridge/src/inbox/respond/service.ts';
import type { Database } from '../../backend-bridge/src/platform/storage/engine.ts';
import { testAddress } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import { readsInProcess } from '../../backend-bridge/src/platform/storage/read.ts';
import { openDatabase } from '../../backend-bridge/src/platform/database.ts';
import type { Reader } from '../../backend-bridge/src/inbox/readers/writes.ts';
import { createTextIndexer, type TextIndexer } from '../../backend-bridge/src/platform/storage/textIndex.ts';
import { WriteQueue } from '../../backend-bridge/src/platform/storage/writeQueue.ts';
import { Clock, START } from './support.ts';
import { visit } from '../../backend-bridge/src/inbox/readers/writes.ts';
import { WRITES } from '../../backend-bridge/src/writes.ts';

export const clock = new Clock();
let dataDir: string;
export let writes: WriteQueue;
export let db: Database;
let textIndex: TextIndexer;
export let selections: Selections;
export let store: NotificationStore;
export let inbox: Inbox;
export let responding: Responding;

/** Opens and closes it for the tests of a file. Not at the import: files of a worker share their modules. */
export function useModelStore(): void {
  beforeAll(async () => {
    clock.now = START;
    dataDir = await mkdtemp(path.join(tmpdir(), 'nodebell-model-'));
    writes = await WriteQueue.open({ path: await testAddress(dataDir), writes: WRITES });
    db = openDatabase(await testAddress(dataDir), { readonly: true });
    textIndex = createTextIndexer(db, writes);
    store = new NotificationStore(db, clock.read, textIndex);
    selections = createSelections({ db, reads: readsInProcess(db, clock.read), store });
    inbox = createInbox({ writes, store, selections, now: clock.read });
    responding = createResponding({ db, writes, selections, now: clock.read });
  });
  afterAll(async () => {
    textIndex.close();
    await writes.close();
    await db.destroy();
    await rm(dataDir, { recursive: true, force: true });
  });
}

/** Switches a category as an admin. */
export const switchCategory = (category: string, enabled: boolean) =>
  writes.submit(setCategory, { category, enabled, by: null, now: clock.now });

/** The read state of this user, created if necessary. */
export async function readerOf(key: string): Promise<Reader> {
  const { id } = await writes.submit(visit, { key, now: clock.now });
  return { id: id!, key };
}
