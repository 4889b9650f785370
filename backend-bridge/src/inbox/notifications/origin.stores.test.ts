import { beforeEach, expect, it } from 'vitest';
import { emptyStore } from '../../emptyStore.testing.ts';
import type { Notification } from '../../../contract/notification.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { findOrigin } from './origin.ts';

let db: Database;
beforeEach(async () => {
  ({ db } = await emptyStore());
});

const START = Date.UTC(2026, 10, 21);
const TEXTS = { title: 't', body: 'b', category: 'c', dnp_name: 'd', correlation_id: 'x', status: 'triggered' };
const FLAGS = {
  priority: 0,
  status_given: 1,
  is_banner: 0,
  banner: 0,
  seen: 0,
  muted: 0,
  hidden: 0,
  turned: 0,
} as const;
const NOTHING = { cta_title: null, cta_url: null, icon: null, errors: null, node: '', sent_ts: null, label_set: 0 };

/** Notifications 1 to `count` of rules with the same numbers; each arrives a second after the one before. */
async function receive(count: number): Promise<void> {
  for (let id = 1; id <= count; id += 1) {
    const extra = JSON.stringify({ alert: { ruleUID: `rule-${id}` } });
    const row = { ...TEXTS, ...FLAGS, ...NOTHING, id, thread_id: id, ts: START + id * 1000, source: 'grafana', extra };
    await db.insertInto('notifications').values(row).execute();
  }
}

async function find(uid: string, reach?: number) {
  const byId = (id: number) => Promise.resolve({ id } as Notification);
  const { notification, ...searched } = await findOrigin(db, { ruleUid: [uid] }, byId, reach);
  return { id: notification?.id, ...searched };
}

const second = (n: number) => new Date(START + n * 1000).toISOString();

it('looks through all of them, step by step', async () => {
  await receive(4100);
  expect(await find('rule-1')).toEqual({ id: 1, complete: true, since: second(1) });
  expect(await find('rule-2100')).toMatchObject({ id: 2100 });
  expect(await find('rule-2101')).toMatchObject({ id: 2101 });
  expect(await find('rule-4100')).toMatchObject({ id: 4100 });
});

it('searches no further than its limit, and reports it', async () => {
  await receive(10);
  expect(await find('rule-7', 4)).toEqual({ id: 7, complete: false, since: second(7) });
  expect(await find('rule-6', 4)).toEqual({ id: undefined, complete: false, since: second(7) });
  expect(await find('rule-1', 10)).toEqual({ id: 1, complete: true, since: second(1) });
});

it('finds nothing where there is nothing', async () => {
  expect(await find('rule-1')).toEqual({ id: undefined, complete: true, since: null });
});
