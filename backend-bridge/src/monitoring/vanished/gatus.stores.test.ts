/** Alerts of Gatus whose endpoint has recovered, over a real store and HTTP. */
import { expect, test } from 'vitest';
import { GATUS_BODY, gatusBody } from '../../../contract/gatusWebhook.ts';
import { FakeGatus, RECORDED } from '../monitors/gatus/fakeGatus.testing.ts';
import { ok, open } from './gatus.testing.ts';
import { readOpen } from './service.ts';
import { keepFound } from './writes.ts';

const RECOVERED = 'api Resolved automatically: Gatus reports 20 successes in a row.';

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

test('an alert of an endpoint of a package resolves once its success threshold is exceeded', async () => {
  const { gatus, fires, pass, states } = await open();
  gatus.results.set('shop_web', [false]);
  gatus.results.set('shop_api', [false]);
  await fires('web', gatusBody({ dnpName: 'slow', correlationId: 'slow-web' }));
  await fires('api');
  await pass(2);
  gatus.results.set('shop_web', [false, ...ok(39)]);
  gatus.results.set('shop_api', [false, ...ok(20)]);
  await pass(30);
  expect(await states()).toEqual(['web open', RECOVERED]);
  gatus.results.set('shop_web', ok(40));
  await pass(11);
  expect(await states()).toEqual(['web Resolved automatically: Gatus reports 40 successes in a row.', RECOVERED]);
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
