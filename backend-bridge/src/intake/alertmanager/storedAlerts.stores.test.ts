/** Alerts that were stored before there was a limit of bytes. */
import type { RootOperationNode } from 'kysely';
import { expect, test } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { emptyStore } from '../../emptyStore.testing.ts';
import type { Incoming } from '../../inbox/notifications/receive.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { fingerprintOf } from './alert.ts';
import { OpenAlerts } from './openAlerts.ts';

const NOW = 1_795_000_000_000;
const posted = (alertname: string, description: string) => ({
  labels: { alertname },
  annotations: { description },
  startsAt: new Date(NOW).toISOString(),
});

test('too large ones are read a few at a time, and resolved unless they are sent again', async () => {
  const { db, write } = await emptyStore();
  const rowOf = (alertname: string, description: string) => {
    const { labels, annotations } = posted(alertname, description);
    const payload = { title: alertname, body: description.slice(0, 100), status: 'triggered', labels };
    return {
      ...{ owner: 'open', fingerprint: fingerprintOf(labels), generator_url: '' },
      ...{ labels: JSON.stringify(labels), annotations: JSON.stringify(annotations) },
      ...{ starts_ts: NOW, ends_ts: NOW + 300_000, updated_ts: NOW },
      incoming: JSON.stringify({ payload, source: 'alertmanager' }),
    };
  };
  const names = ['Large1', 'Large2', 'Large3', 'Small'];
  const rows = names.map((name) => rowOf(name, 'x'.repeat(name === 'Small' ? 10 : 3_000_000)));
  await write(async (trx) => void (await trx.insertInto('open_alerts').values(rows).execute()));
  const read: number[] = [];
  const observed = db.withPlugin({
    transformQuery: ({ node }: { node: RootOperationNode }) => node,
    transformResult({ result }) {
      read.push(JSON.stringify(result.rows).length);
      return Promise.resolve(result);
    },
  });
  const submit: WriteQueue['submit'] = async (change, args) => {
    const written = await write((trx) => change(trx, args));
    return (written as { result: never } | undefined)?.result as never;
  };
  const received: Incoming[] = [];
  const warnings: object[] = [];
  const alerts = new OpenAlerts({
    ...{ db: observed, writes: { submit }, onRead: () => Promise.resolve(), isAlone: true },
    receive: (incoming) => Promise.resolve((received.push(...incoming), [])),
    ...{ now: () => NOW, steady: () => 0 },
    log: { info: () => undefined, warn: (fields: object) => void warnings.push(fields) },
  });
  await alerts.sync();
  expect(Math.max(...read)).toBeLessThan(3_000_000 + LIMITS.sliceBytes.value);
  const listed = () => alerts.list().map(({ labels }) => labels.alertname);
  expect([listed(), warnings]).toEqual([['Small'], [{ alerts: 3 }]]);
  await alerts.post([posted('Large1', 'now short')], { sender: undefined, key: 'o' });
  received.length = 0;
  await alerts.tick();
  expect(received.map(({ payload: { title, status } }) => `${title} ${status}`).sort()).toEqual([
    'Large2 resolved',
    'Large3 resolved',
  ]);
  await alerts.tick();
  expect([listed().sort(), received.length]).toEqual([['Large1', 'Small'], 2]);
  const stored = await db.selectFrom('open_alerts').select('annotations').execute();
  expect(stored.map(({ annotations }) => annotations.length > 1000)).toEqual([false, false]);
});
