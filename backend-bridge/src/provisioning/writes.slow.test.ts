/** A file of the operator that comes in between the look at what is set and the change of it. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../folder.testing.ts';
import { databasePath } from '../platform/storage/sqlite/database.ts';
import { openDatabase } from '../platform/database.ts';
import { WriteQueue } from '../platform/storage/writeQueue.ts';
import { createSettingsExchange } from '../monitoring/thresholds/exchange.ts';
import { createThresholds, type ThresholdsDeps } from '../monitoring/thresholds/service.ts';
import type { ShippedPackage } from '../monitoring/thresholds/shipped.ts';
import { createSettingsStore, type SettingsStore } from '../monitoring/thresholds/store.ts';
import { monitored } from '../monitoring/monitors/monitored.testing.ts';
import { changeSettings, type SettingChange } from '../monitoring/thresholds/writes.ts';
import { setCategory } from '../inbox/categories/writes.ts';
import { WRITES } from '../writes.ts';
import { provision } from './writes.ts';

let queue: WriteQueue;
let store: SettingsStore;
beforeEach(async () => {
  const directory = temporaryFolder();
  const file = databasePath(directory);
  queue = await WriteQueue.open({ path: file, writes: WRITES });
  const db = openDatabase(file);
  store = createSettingsStore(db);
  onTestFinished(async () => {
    await db.destroy();
    await queue.close();
  });
});

const setting = (file: string, value: number | null, correlation_id = 'geth-peers'): SettingChange => ({
  dnp_name: 'geth.eth',
  correlation_id,
  member: 'threshold',
  file,
  value,
  shipped: null,
  subject: null,
});
const provisionFile = () =>
  queue.submit(provision, {
    file: 'all.yaml',
    categories: [{ category: 'hardware', enabled: true }],
    senders: [],
    chains: [],
    heartbeats: [],
    mappings: [],
    retention: [],
    channels: [],
    routes: [],
    schedules: [],
    people: [],
    maintenance: [],
    inhibit_rules: [],
    settings: [setting('all.yaml', 30)],
    now: 1,
  });
const change = (changes: SettingChange[], categories: { category: string; enabled: boolean }[] = []) =>
  queue.submit(changeSettings, { changes, categories, by: null, now: 2 });
/** All that is set. */
const values = async () => [
  ...(await store.all()).map(({ file, correlation_id: id, value }) => [file, id, value]),
  ...(await store.categories()).map(({ file, category, enabled }) => [file, category, enabled]),
];
const PROVISIONED = [
  ['all.yaml', 'geth-peers', 30],
  ['all.yaml', 'hardware', 1],
];

test('a switch of a category that a file has taken is refused, and stays; another is set', async () => {
  await provisionFile();

  expect(await queue.submit(setCategory, { category: 'hardware', enabled: false, by: null, now: 2 })).toEqual({
    conflict: 'all.yaml',
  });
  expect(await values()).toEqual(PROVISIONED);
  expect(await store.history({ limit: 9 })).toMatchObject([{ file: 'all.yaml' }]);
  expect(await queue.submit(setCategory, { category: 'other', enabled: false, by: null, now: 2 })).toEqual({
    conflict: null,
  });
  expect(await values()).toContainEqual([null, 'other', 0]);
});

test.each([
  ['a value', [setting('', 5, 'geth-other'), setting('', 20)], []],
  ['taking a value back', [setting('', 5, 'geth-other'), setting('', null)], []],
  ['a category', [setting('', 5, 'geth-other')], [{ category: 'hardware', enabled: false }]],
])('of changes among which is %s that a file has taken, none is made', async (_what, changes, categories) => {
  await provisionFile();
  expect(await change(changes, categories)).toEqual({ conflict: 'all.yaml', removed: false });
  expect(await values()).toEqual(PROVISIONED);
});

test('what no file sets is set', async () => {
  await provisionFile();
  expect(await change([setting('', 5, 'geth-other')], [{ category: 'other', enabled: false }])).toEqual({
    conflict: null,
    removed: false,
  });
  expect(await values()).toHaveLength(PROVISIONED.length + 2);
});

/** The file comes in just before the first change. */
function overtaken(): Pick<WriteQueue, 'submit'> {
  let isFirst = true;
  return {
    async submit(write, args) {
      if (isFirst) {
        isFirst = false;
        await provisionFile();
      }
      return queue.submit(write, args);
    },
  };
}

function thresholdsWith(deps: Pick<ThresholdsDeps, 'writes'> & Partial<ThresholdsDeps>) {
  const endpoints = [monitored().shipped];
  return createThresholds({
    store,
    packages: () => Promise.resolve([{ dnpName: 'geth.eth', version: '1.0.0', endpoints }]),
    reconciler: () => Promise.resolve({ effectsOf: () => [], states: () => [], has: () => false }),
    hasHistory: () => false,
    problems: () => Promise.resolve(new Map()),
    now: () => 3,
    ...deps,
  });
}

test('a save fails if its package was removed in the meantime, and stores nothing', async () => {
  const thresholds = thresholdsWith({ writes: queue });
  const removed = {
    kind: 'not-found',
    message: 'The package geth.eth was removed in the meantime; nothing was saved.',
  };
  await expect(thresholds.setEndpoint('geth.eth', 'geth-peers', { threshold: 20 }, undefined)).rejects.toMatchObject(
    removed
  );
  await expect(thresholds.setPackage('geth.eth', { enabled: false }, undefined)).rejects.toMatchObject(removed);
  expect([await values(), await store.history({ limit: 9 })]).toEqual([[], []]);
});

test('a save responds with the result if its package is removed afterwards', async () => {
  let packages: ShippedPackage[] = [{ dnpName: 'geth.eth', version: '1.0.0', endpoints: [monitored().shipped] }];
  const submit: WriteQueue['submit'] = async (write, args) => {
    packages = [];
    // The package was registered during the write.
    return queue.submit(write, { ...args, registered: undefined });
  };
  const thresholds = thresholdsWith({ writes: { submit }, packages: () => Promise.resolve(packages) });
  const saved = await thresholds.setEndpoint('geth.eth', 'geth-peers', { threshold: 20 }, undefined);
  expect(saved.threshold?.value).toBe(20);
});

test('setting the value of one endpoint names the provisioning file', async () => {
  const thresholds = thresholdsWith({ writes: overtaken() });
  await expect(thresholds.setEndpoint('geth.eth', 'geth-peers', { threshold: 20 }, undefined)).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('all.yaml'),
  });
  expect(await values()).toEqual(PROVISIONED);
});

test('a document that is taken in is validated anew, and its note says what stays', async () => {
  const exchange = createSettingsExchange({
    store,
    writes: overtaken(),
    packages: () => Promise.resolve([]),
    now: () => 3,
  });
  const endpoints = { 'geth-peers': { threshold: 20 }, 'geth-other': { threshold: 5 } };
  const document = { apiVersion: 1, categories: { hardware: false }, packages: { 'geth.eth': { endpoints } } };
  expect(await exchange.put(document, { dryRun: false, by: undefined })).toEqual({
    changed: 1,
    notes: expect.arrayContaining([
      'threshold of geth-peers of geth.eth is provisioned by a file and stays.',
      'The category "hardware" is provisioned by a file and stays.',
    ]),
    rejected: [],
  });
  expect(await values()).toEqual([['', 'geth-other', 5], ...PROVISIONED]);
});
