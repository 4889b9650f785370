/** Recipients of events: the read state of a user is sent to that user only. */
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Listener } from './listener.ts';
import { GrafanaPerson } from './readers.testing.ts';
import { TestBridge } from './support.ts';

let bridge: TestBridge;
const anna = new GrafanaPerson(() => bridge, 'anna');
const bert = new GrafanaPerson(() => bridge, 'bert');
beforeEach(async () => {
  bridge = await TestBridge.start();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
  await bridge.dispose();
});

/** Both have visited, so that each has a state of their own. */
async function bothCome(): Promise<void> {
  expect([await anna.unread(), await bert.unread()]).toEqual([0, 0]);
}

const open: Listener[] = [];
const listen = async (who: { listen(lastId?: number): Promise<Listener> }, lastId?: number): Promise<Listener> => {
  const listener = await who.listen(lastId);
  open.push(listener);
  await listener.until(1);
  return listener;
};
const nobody = { listen: (lastId?: number) => Listener.connect(bridge, lastId) };
const END = 'the end';
const told = async (listener: Listener): Promise<unknown[]> => {
  await listener.until(({ data }) => data.notification?.title === END);
  return listener.heard
    .filter(({ type }) => type === 'read' || type === 'seen')
    .map(({ type, data }) => ({ type, ...data }));
};

it('read is sent to the streams of that user only, seen to all', async () => {
  await bothCome();
  const listeners = [await listen(anna), await listen(anna), await listen(bert), await listen(nobody)];
  const { id } = await bridge.send();
  await anna.reads(id);
  await bert.reads(id);
  await bert.call('PATCH', `/${id}`, { seen: false });
  await bridge.send({ title: END });
  const read = { type: 'read', ids: [id], read: true };
  const seen = { type: 'seen', ids: [id], seen: true };
  const [one, two, other, shared] = await Promise.all(listeners.map(told));
  expect(one).toEqual([read, seen]);
  expect(two).toEqual([read, seen]);
  expect(other).toEqual([seen, read, { ...read, read: false }]);
  expect(shared).toEqual([seen]);
});

it("a resumed stream contains all of the user's events, and none of others", async () => {
  await bothCome();
  const before = (await listen(anna)).lastId;
  const { id } = await bridge.send();
  await anna.reads(id);
  await bridge.send({ title: END });
  const [again, other] = [await listen(anna, before), await listen(bert, before)];
  expect(await told(again)).toEqual([
    { type: 'read', ids: [id], read: true },
    { type: 'seen', ids: [id], seen: true },
  ]);
  expect(await told(other)).toEqual([{ type: 'seen', ids: [id], seen: true }]);
  // Contents are current, and those of the receiving user.
  expect(again.heard[1]!.data.notification).toMatchObject({ id, seen: true, read: true });
  expect(other.heard[1]!.data.notification).toMatchObject({ id, seen: true, read: false });
});

it('a user who was new while the store was not writable gets a personal state as soon as possible', async () => {
  const other = new SqliteDatabase(path.join(bridge.dataDir, 'nodebell.db'));
  other.exec('begin immediate');
  const listener = await listen(anna);
  other.exec('rollback');
  other.close();
  await bridge.send();
  const { id } = await bridge.send({ title: 'two' });
  await anna.reads(id);
  await bridge.send({ title: END });
  expect(await told(listener)).toEqual([
    { type: 'read', ids: [id], read: true },
    { type: 'seen', ids: [id], seen: true },
  ]);
  // Earlier events had the shared state: everything is reloaded.
  expect(listener.types).toEqual(['hello', 'reset', 'notification', 'read', 'seen', 'notification']);
  expect(listener.heard[2]!.data.notification).toMatchObject({ id, read: false });
});
