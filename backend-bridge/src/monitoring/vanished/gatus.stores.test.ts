/** Alerts of Gatus whose endpoint has recovered, over a real store and HTTP. */
import { expect, onTestFinished, test } from 'vitest';
import '../../arrivals.ts';
import { GATUS_BODY, gatusBody } from '../../../contract/gatusWebhook.ts';
import { fromGatus } from '../../intake/webhooks/fromGatus.ts';
import { fillAsGatus } from '../../intake/webhooks/gatusFill.testing.ts';
import { type Gone, resolveGone } from '../../inbox/autoResolve/writes.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { openWorld } from '../../inbox/retention/retention.testing.ts';
import { FakeGatus, RECORDED } from '../monitors/gatus/fakeGatus.testing.ts';
import { gatusState } from './gatus.ts';
import { readOpen, Vanished } from './service.ts';
import { keepFound } from './writes.ts';

const MINUTE = 60_000;
const RECOVERED = 'api Resolved automatically: Gatus reports 20 successes in a row.';
const ok = (count: number) => Array.from({ length: count }, () => true);

async function open() {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { db, writes, clock } = world;
  const gatus = new FakeGatus();
  gatus.results.set('shop_other', ok(3));
  const steady = () => clock.elapsed;
  const when = () => ({ now: clock.wall, steady: steady(), destinations: undefined });
  const reader = async (of: FakeGatus) =>
    new Vanished({
      ...{ db, writes, steady, log: { warn: () => undefined } as never },
      state: gatusState(await of.listen()),
      resolve: async (gone: readonly Gone[]) => void (await writes.submit(resolveGone, { gone, ...when() })),
    });
  let vanished = await reader(gatus);
  return {
    db,
    writes,
    gatus,
    /** Restarts with the URL of another Gatus. */
    configure: async (other: FakeGatus) => {
      vanished = await reader(other);
    },
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
  expect(await states()).toEqual([RECOVERED]);
});

test('an alert whose endpoint is not listed stays open', async () => {
  const { gatus, fires, pass, states } = await open();
  gatus.results.set('shop_api', [false]);
  await fires('api');
  await pass(2);
  gatus.results.delete('shop_api');
  await pass(30);
  expect(await states()).toEqual(['api open']);
});

test('where an alert was found is forgotten once its thread is gone', async () => {
  const { db, writes, pass } = await open();
  await writes.submit(keepFound, { found: [{ thread_id: 999, alertmanager: 'gatus' }], closed: [] });
  await pass(1);
  expect(await db.selectFrom('found_alerts').selectAll().execute()).toEqual([]);
});

test('an endpoint of another Gatus with the same name resolves nothing', async () => {
  const { gatus, fires, pass, states, configure } = await open();
  gatus.results.set('shop_api', [false]);
  await fires('api');
  await pass(2);
  const other = new FakeGatus();
  other.results.set('shop_api', ok(20));
  await configure(other);
  await pass(30);
  expect(await states()).toEqual(['api open']);
});

test.each([
  ['dnpName', { dnpName: 'other' }, ['api open', 'api open']],
  ['correlationId', { correlationId: 'second alert' }, [RECOVERED, RECOVERED]],
])('threads of one endpoint that differ in %s', async (_what, fixed, after) => {
  const { gatus, fires, pass, states } = await open();
  gatus.results.set('shop_api', [false]);
  await fires('api');
  await fires('api', gatusBody(fixed));
  await pass(2);
  gatus.results.set('shop_api', ok(20));
  await pass(30);
  expect(await states()).toEqual(after);
});

test('threads with one correlationId have the state of their own endpoint', async () => {
  const { gatus, fires, pass, states } = await open();
  gatus.results.set('shop_api', [false]);
  gatus.results.set('shop_web', [false]);
  await fires('api', gatusBody({ correlationId: 'down', dnpName: 'api' }));
  await fires('web', gatusBody({ correlationId: 'down', dnpName: 'web' }));
  await pass(2);
  gatus.results.set('shop_api', ok(20));
  await pass(11);
  expect(await states()).toEqual([RECOVERED, 'web open']);
});

test('an endpoint that is listed twice, as of a remote instance, is unknown', async () => {
  const { gatus, fires, pass, states } = await open();
  gatus.results.set('shop_api', [false]);
  await fires('api');
  await pass(2);
  gatus.results.set('shop_api', ok(20));
  gatus.results.set('shop_api_remote', ok(20));
  await pass(30);
  expect(await states()).toEqual(['api open']);
});

test('few successes are no failure: the alert was not found', async () => {
  const { gatus, fires, pass, states } = await open();
  gatus.results.set('shop_api', ok(3));
  await fires('api');
  await pass(2);
  gatus.results.set('shop_api', ok(20));
  await pass(30);
  expect(await states()).toEqual(['api open']);
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
  expect(await states()).toEqual([RECOVERED]);
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

test.each([401, 200])(
  'nothing resolves while Gatus responds with %s and no list, and the reason is logged',
  async (status) => {
    const { gatus, fires, pass, states } = await open();
    gatus.results.set('shop_api', [false]);
    await fires('api');
    await pass(2);
    gatus.status = status;
    const message = `Gatus does not list its endpoints (${status} from /api/v1/endpoints/statuses?page=1&pageSize=20)`;
    for (let minute = 0; minute < 30; minute += 1) {
      await expect(pass(1)).rejects.toThrow(`${message}: check NODEBELL_GATUS_URL.`);
    }
    expect(await states()).toEqual(['api open']);
  }
);

test('of a notification only the names of its endpoint are read', async () => {
  const { db, fires } = await open();
  await fires('api', JSON.stringify({ ...JSON.parse(GATUS_BODY), more: 'x'.repeat(1000) }));
  const rows = await readOpen(db, ['gatus']);
  expect(rows).toMatchObject([{ endpoint: 'api', group: 'shop', dnp_name: 'gatus', node: '' }]);
  expect(JSON.stringify(rows).length).toBeLessThan(400);
});

test('an alert that resolves and fires while Gatus does not respond must be found again', async () => {
  const { gatus, fires, pass, states } = await open();
  gatus.results.set('shop_api', [false]);
  await fires('api');
  await fires('web');
  await pass(2);
  gatus.status = 503;
  await fires('api', GATUS_BODY.replace('[ALERT_TRIGGERED_OR_RESOLVED]', 'RESOLVED'));
  await expect(pass(1)).rejects.toThrow('503');
  await fires('api');
  gatus.status = undefined;
  gatus.results.set('shop_api', ok(20));
  await pass(30);
  expect(await states()).toEqual(['api open', 'web open']);
});

test('a webhook with characters that a database rejects does not stop the check', async () => {
  const { gatus, fires, pass, states } = await open();
  gatus.results.set('shop_api', [false]);
  await fires('api');
  await fires(
    'odd',
    JSON.stringify({
      title: 'odd',
      status: 'TRIGGERED',
      gatus: { endpoint: 'a\u0000\ud800b', group: 'x\udc00' },
      '\u0000': '\ud800\u0000',
    })
  );
  await pass(2);
  gatus.results.set('shop_api', ok(20));
  await pass(11);
  expect(await states()).toEqual([RECOVERED, 'odd open']);
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
