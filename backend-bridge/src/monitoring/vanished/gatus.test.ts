/** Alerts of Gatus whose endpoint has recovered or is gone, over a real store and HTTP. */
import { expect, onTestFinished, test } from 'vitest';
import '../../arrivals.ts';
import { GATUS_BODY } from '../../../contract/gatusWebhook.ts';
import { fromGatus } from '../../intake/webhooks/fromGatus.ts';
import { fillAsGatus } from '../../intake/webhooks/gatusFill.testing.ts';
import { type Gone, resolveGone } from '../../inbox/autoResolve/writes.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { openWorld } from '../../inbox/retention/retention.testing.ts';
import { createGatusClient } from '../monitors/gatus/client.ts';
import { FakeGatus, RECORDED } from '../monitors/gatus/fakeGatus.testing.ts';
import { gatusState } from './gatus.ts';
import { Vanished } from './service.ts';

const MINUTE = 60_000;
const ok = (count: number) => Array.from({ length: count }, () => true);

async function open() {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { db, writes, clock } = world;
  const gatus = new FakeGatus();
  gatus.results.set('shop_other', ok(3));
  const steady = () => clock.elapsed;
  const when = () => ({ now: clock.wall, steady: steady(), destinations: undefined });
  const vanished = new Vanished({
    ...{ db, writes, steady, log: { warn: () => undefined } as never },
    states: [gatusState(createGatusClient(await gatus.listen()))],
    resolve: async (gone: readonly Gone[]) => void (await writes.submit(resolveGone, { gone, ...when() })),
  });
  return {
    gatus,
    /** A webhook of Gatus. */
    fires: async (name: string, template = GATUS_BODY) => {
      const read = fromGatus(fillAsGatus(template, { name, group: 'shop' }));
      const incoming = read.ok ? [read.value.incoming] : [];
      await writes.submit(receive, { incoming, ...when() });
    },
    /** Checks each minute. */
    pass: async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.wall += MINUTE;
        clock.elapsed += MINUTE;
        await vanished.check();
      }
    },
    states: async () => {
      const rows = await db
        .selectFrom('threads as t')
        .innerJoin('notifications as n', 'n.id', 't.head_id')
        .select(['n.title', 'n.body', 't.state'])
        .orderBy('t.id')
        .execute();
      return rows.map(({ title, body, state }) => (state === 'open' ? `${title} open` : `${title} ${body}`));
    },
  };
}

test('an alert whose endpoint succeeds again resolves, once neither its threshold nor a late resolve can matter', async () => {
  const { gatus, fires, pass, states } = await open();
  gatus.results.set('shop_api', [...ok(30), false]);
  await fires('api');
  await pass(2);
  gatus.results.set('shop_api', [false, ...ok(19)]);
  await pass(30);
  gatus.results.set('shop_api', [false, ...ok(20)]);
  await pass(10);
  expect(await states()).toEqual(['api open']);
  await pass(1);
  expect(await states()).toEqual(['api Resolved automatically: Gatus reports 20 successes in a row.']);
});

test('an alert whose endpoint was removed resolves after ten minutes', async () => {
  const { gatus, fires, pass, states } = await open();
  gatus.results.set('shop_api', [false]);
  await fires('api');
  await pass(2);
  gatus.results.delete('shop_api');
  await pass(10);
  expect(await states()).toEqual(['api open']);
  await pass(1);
  expect(await states()).toEqual(['api Resolved automatically: Gatus no longer has this endpoint.']);
});

test('after a restart of Gatus, which has forgotten all, nothing resolves while its list is empty or fills', async () => {
  const { gatus, fires, pass, states } = await open();
  gatus.results.set('shop_api', [false]);
  await fires('api');
  await pass(2);
  gatus.results.clear();
  await pass(30);
  for (let count = 0; count < 20; count += 1) {
    gatus.results.set(`shop_${count}`, ok(1));
    await pass(1);
  }
  gatus.results.set('shop_api', ok(19));
  await pass(30);
  expect(await states()).toEqual(['api open']);
  gatus.results.set('shop_api', ok(20));
  await pass(11);
  expect(await states()).toEqual(['api Resolved automatically: Gatus reports 20 successes in a row.']);
});

test('an alert stays open of which the endpoint was not found there, or is unknown', async () => {
  const { gatus, fires, pass, states } = await open();
  gatus.results.set('shop_up', ok(20));
  await fires('elsewhere');
  await fires('up');
  await fires('own', JSON.stringify({ title: '[ENDPOINT_NAME]', status: '[ALERT_TRIGGERED_OR_RESOLVED]' }));
  await pass(30);
  expect(await states()).toEqual(['elsewhere open', 'up open', 'own open']);
});

test('nothing resolves while Gatus does not list its endpoints, and the reason is logged', async () => {
  const { gatus, fires, pass, states } = await open();
  gatus.results.set('shop_api', [false]);
  await fires('api');
  await pass(2);
  gatus.status = 401;
  const message = 'Gatus does not list its endpoints (401 from /api/v1/endpoints/statuses?page=1&pageSize=20)';
  for (let minute = 0; minute < 30; minute += 1) {
    await expect(pass(1)).rejects.toThrow(`${message}: check NODEBELL_GATUS_URL.`);
  }
  expect(await states()).toEqual(['api open']);
});

test('Gatus is asked once for all alerts, and only while one is open', async () => {
  const { gatus, fires, pass } = await open();
  await pass(1);
  expect(gatus.requests).toEqual([]);
  await fires('api');
  await fires('web');
  await pass(1);
  expect(gatus.requests).toEqual(['/api/v1/endpoints/statuses?page=1&pageSize=20']);
});

test('the list is that of a recorded Gatus', () => {
  const gatus = new FakeGatus();
  gatus.results.set('_always', [false, true]);
  gatus.results.set('shop_api', [true, false]);
  expect(RECORDED).toMatchObject(gatus.list(1));
});
