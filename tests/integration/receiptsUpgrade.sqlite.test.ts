/** Keys of alerts that an earlier version stored without a sender. */
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { databasePath } from '../../backend-bridge/src/platform/storage/sqlite/database.ts';
import { type Answer, TestBridge } from './support.ts';

const STARTS_AT = '2026-11-21T09:00:00.000Z';
const KEY = `f|${STARTS_AT}|firing`;
let bridge: TestBridge;
beforeEach(async () => {
  bridge = await TestBridge.start();
});
afterEach(() => bridge.dispose());

async function tokenFor(dnpName: string): Promise<Record<string, string>> {
  const { token } = await bridge.call('POST', '/api/v1/tokens', { name: dnpName, packages: [dnpName] });
  return { Authorization: `Bearer ${token}` };
}
/** Stores like the previous version: the notification, and one receipt for all senders. */
async function asBefore(dnpName: string): Promise<number> {
  const { id } = await bridge.send({ dnpName, correlationId: 'f', status: 'triggered' });
  await bridge.stop();
  const sqlite = new SqliteDatabase(databasePath(bridge.dataDir));
  sqlite.prepare("insert into receipts values ('alertmanager', ?, null, ?, ?)").run(KEY, id, bridge.clock.now);
  sqlite.close();
  await bridge.start();
  return id;
}
const fire = (headers: Record<string, string>): Promise<Answer> =>
  bridge.request(
    'POST',
    '/api/v1/webhooks/alertmanager',
    { alerts: [{ status: 'firing', labels: {}, annotations: {}, startsAt: STARTS_AT, fingerprint: 'f' }] },
    headers
  );

it('apply to the package of their notification: a retry across the upgrade is stored once', async () => {
  const id = await asBefore('a.eth');
  const sender = await tokenFor('a.eth');
  expect((await fire(sender)).body).toMatchObject({ accepted: 0, duplicates: 1 });
  expect(await bridge.list()).toHaveLength(1);
  // From now on it has a key with a sender, which remains when the notification is deleted.
  await bridge.remove(id);
  expect((await fire(sender)).body).toMatchObject({ accepted: 0, duplicates: 1 });
});

it('do not suppress alerts of another package', async () => {
  await asBefore('evil.eth');
  expect((await fire(await tokenFor('victim.eth'))).body).toMatchObject({ accepted: 1, duplicates: 0 });
  expect(await bridge.list('dnpName=victim.eth')).toMatchObject([{ thread: { state: 'open' } }]);
});
