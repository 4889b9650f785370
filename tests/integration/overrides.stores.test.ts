/** Overrides of schedules that people add: who is on call then, and what is rejected. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../backend-bridge/contract/limits.ts';
import type { Schedules, ShownOverride } from '../../backend-bridge/contract/onCall.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { FIRES, isTold, sceneAt, send } from './onCall.testing.ts';
import { MINUTE, type TestBridge } from './support.ts';

const PATH = '/api/v1/schedules/database/overrides';
const OTTO = fromGrafana('otto');
const CLEO = { person: 'cleo', from: '2030-01-09T03:05', to: '2030-01-09T06:00' };

async function added(bridge: TestBridge, override: object): Promise<ShownOverride> {
  const { status, body } = await bridge.request('POST', PATH, override, OTTO);
  expect(status, JSON.stringify(body)).toBe(201);
  return body as ShownOverride;
}
const remove = async (bridge: TestBridge, id: string | undefined, from = PATH): Promise<number> =>
  (await bridge.request('DELETE', `${from}/${id}`, undefined, OTTO)).status;
const database = async (bridge: TestBridge) =>
  (await bridge.call<Schedules>('GET', '/api/v1/schedules?days=1')).schedules[0]!;

test('an override is in effect at once, for open escalations too, and until it is removed', async () => {
  const scene = await sceneAt('2030-01-09T03:00:00+01:00', {
    route:
      '{ escalation: [{ after: 0m, onCall: database }, { after: 10m, onCall: database }, { after: 20m, onCall: database }] }',
  });
  const { bridge } = scene;
  await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered' });
  const { id, ...rest } = await added(bridge, CLEO);
  expect(rest).toEqual({ ...CLEO, by: 'otto' });
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: 'triggered', cleo: 'triggered' });
  await bridge.restart();
  const { overrides, onCall, until, next, shifts } = await database(bridge);
  expect(overrides).toEqual([
    { ...CLEO, id, by: 'otto', begins: '2030-01-09T02:05:00.000Z', ends: '2030-01-09T05:00:00.000Z' },
  ]);
  expect([onCall, until, next]).toEqual([['cleo'], '2030-01-09T05:00:00.000Z', ['ada']]);
  expect(shifts).toEqual([
    { from: '2030-01-09T02:10:00.000Z', to: '2030-01-09T05:00:00.000Z', people: ['cleo'] },
    { from: '2030-01-09T05:00:00.000Z', to: '2030-01-10T02:10:00.000Z', people: ['ada'] },
  ]);
  expect(await remove(bridge, id)).toBe(204);
  expect((await database(bridge)).overrides).toEqual([]);
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: 'triggered,triggered', cleo: 'triggered' });
});

test('of overrides that overlap, the one that was added last counts; those of a file are read-only', async () => {
  const schedule =
    "{ name: database, zone: Europe/Berlin, rotations: [{ people: [ada], every: 1w, from: '2030-01-07T09:00' }], overrides: [{ person: bob, from: '2030-01-09T03:00', to: '2030-01-09T12:00' }] }";
  const { bridge } = await sceneAt('2030-01-09T03:10:00+01:00', { schedule });
  const who = async () => (await database(bridge)).onCall;
  expect(await who()).toEqual(['bob']);
  const cleo = await added(bridge, CLEO);
  expect(await who()).toEqual(['cleo']);
  bridge.clock.advance(MINUTE);
  const ada = await added(bridge, { ...CLEO, person: 'ada' });
  expect(await who()).toEqual(['ada']);
  const { overrides } = await database(bridge);
  expect(overrides.map(({ person, id }) => [person, id])).toEqual([
    ['bob', undefined],
    ['cleo', cleo.id],
    ['ada', ada.id],
  ]);
  expect(await remove(bridge, cleo.id, '/api/v1/schedules/other/overrides')).toBe(404);
  expect(await remove(bridge, ada.id)).toBe(204);
  expect(await remove(bridge, ada.id)).toBe(404);
  expect(await who()).toEqual(['cleo']);
  expect(await remove(bridge, cleo.id)).toBe(204);
  expect(await who()).toEqual(['bob']);
});

test('what is rejected, and what is allowed', async () => {
  const { bridge } = await sceneAt('2030-01-09T03:00:00+01:00');
  const errors = async (body: object, path = PATH) => {
    const answer = await bridge.request('POST', path, body, OTTO);
    const { detail, errors: found } = answer.body as { detail: string; errors: { pointer: string; allowed: string }[] };
    return [answer.status, found.length > 0 ? found.map(({ pointer, allowed }) => `${pointer}: ${allowed}`) : detail];
  };
  expect(await errors(CLEO, '/api/v1/schedules/absent/overrides')).toEqual([404, 'There is no schedule "absent".']);
  expect(await errors({ ...CLEO, person: 'dan' })).toEqual([400, ['/person: one of ada, bob, cleo']]);
  expect(await errors({ ...CLEO, to: CLEO.from })).toEqual([400, ['/to: later than `from`']]);
  expect(await errors({ ...CLEO, from: '2029-02-30T09:00' })).toEqual([
    400,
    [expect.stringMatching(/^\/from: a local date/)],
  ]);
  // 03:00 in Berlin is the time of the clock.
  expect(await errors({ ...CLEO, from: '2030-01-09T02:00', to: '2030-01-09T03:00' })).toEqual([
    400,
    ['/to: a time in the future'],
  ]);
  for (let count = 0; count < LIMITS.onCallLists.value; count += 1) {
    await added(bridge, CLEO);
  }
  expect(await errors(CLEO)).toEqual([409, expect.stringMatching(/has 50 overrides .*allowed are 50/)]);
});
