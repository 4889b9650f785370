/** Schedules by calendars, calendars of schedules, and handovers, of a whole bridge. */
import { expect, test } from 'vitest';
import type { Schedules } from '../../backend-bridge/contract/onCall.ts';
import { openDatabase } from '../../backend-bridge/src/platform/database.ts';
import { testAddress } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import { namedShifts, readCalendar } from '../../backend-bridge/src/delivery/schedules/calendar.ts';
import { onCallAt } from '../../backend-bridge/src/delivery/schedules/schedule.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { fileOf, FIRES, isTold, sceneAt, send, until } from './onCall.testing.ts';
import { calendarOf, eventOf, NIGHTS, schedulesOf, SECRET, startCalendar } from './onCallCalendar.testing.ts';
import { Folder } from './provisioning.testing.ts';
import { ADMIN_TOKEN, DAY, HOUR, MINUTE } from './support.ts';

const NIGHT = '2030-01-09T03:00:00+01:00';
/** Who was on call when handovers were last announced. */
const isKnown = async ({ dataDir }: { dataDir: string }, person: string) => {
  const db = openDatabase(await testAddress(dataDir), { readonly: true });
  const rows = await db.selectFrom('channel_files').select('on_call').execute();
  await db.destroy();
  expect(rows[0]!.on_call).toContain(`"people":["${person}"]`);
};

test('a schedule by an address: read every 15 minutes; the last good copy stays, across restarts; no secret is shown', async () => {
  const { served, url } = await startCalendar(NIGHTS);
  const scene = await sceneAt(NIGHT, { schedule: `{ name: database, ics: '${url}' }` });
  const { bridge } = scene;
  await until(async () => expect((await schedulesOf(scene)).onCall).toEqual(['ada']));
  expect(await schedulesOf(scene)).toMatchObject({
    ics: new URL(url).host,
    until: '2030-01-09T05:00:00.000Z',
    calendar: { failure: null, unknown: ['zoe'] },
  });
  await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered' });
  const before = served.requests;
  served.status = 404;
  bridge.clock.advance(20 * MINUTE);
  await until(async () => expect((await schedulesOf(scene)).calendar?.failure).toBe('The server responds with 404.'));
  expect(served.requests).toBeGreaterThan(before);
  await bridge.restart();
  expect(await schedulesOf(scene)).toMatchObject({
    onCall: ['ada'],
    calendar: { failure: 'The server responds with 404.' },
  });
  served.status = 200;
  served.text = calendarOf(eventOf('bob', '20300108T200000Z', '20300109T050000Z'));
  bridge.clock.advance(20 * MINUTE);
  await until(async () =>
    expect(await schedulesOf(scene)).toMatchObject({ onCall: ['bob'], calendar: { failure: null } })
  );
  expect(JSON.stringify(await bridge.call('GET', '/api/v1/audit'))).not.toContain(SECRET);
});

test('a schedule by a file beside it, which is read again when it changes; errors say where', async () => {
  const schedule = '{ name: database, ics: calendars/night.ics }';
  const scene = await sceneAt(NIGHT, {
    schedule: `${schedule.replace('ics: calendars/night.ics', "rotations: [{ people: [bob], every: 1w, from: '2030-01-07T09:00' }]")}`,
  });
  const { folder, hooks } = scene;
  await folder.write({ 'calls.yaml': fileOf(hooks, { schedule }) });
  await until(async () =>
    expect((await scene.mistakes('calls.yaml')).join()).toContain('The calendar of database: does not exist')
  );
  expect((await schedulesOf(scene)).onCall).toEqual(['bob']);
  await folder.write({ 'calendars/night.ics': NIGHTS });
  await until(async () =>
    expect(await schedulesOf(scene)).toMatchObject({ onCall: ['ada'], ics: 'calendars/night.ics' })
  );
  await folder.write({ 'calendars/night.ics': NIGHTS.replace('SUMMARY:Ada', 'SUMMARY:cleo') });
  await until(async () => expect((await schedulesOf(scene)).onCall).toEqual(['cleo']));
});

test('names in calendars are shown to admins only', async () => {
  const { url } = await startCalendar(NIGHTS);
  const scene = await sceneAt(NIGHT, { schedule: `{ name: database, ics: '${url}' }`, names: ['ada@example.org'] });
  await until(async () => expect((await schedulesOf(scene)).onCall).toEqual(['ada']));
  const seenBy = async (role: 'Viewer' | 'Editor' | 'Admin') => {
    const { body } = await scene.bridge.request<Schedules>(
      'GET',
      '/api/v1/schedules',
      undefined,
      fromGrafana('dan', { OrgRole: role })
    );
    return [body.schedules[0]!.calendar!.unknown, body.people[0]!.names];
  };
  expect(await seenBy('Viewer')).toEqual([[], undefined]);
  expect(await seenBy('Editor')).toEqual([[], undefined]);
  expect(await seenBy('Admin')).toEqual([['zoe'], ['ada@example.org']]);
});

test('a calendar that cannot be read for two hours is an alert, until it is read again or removed', async () => {
  const { served, url } = await startCalendar(NIGHTS);
  const schedule = `{ name: database, ics: '${url}' }`;
  const scene = await sceneAt(NIGHT, { schedule });
  const { bridge, folder, hooks } = scene;
  await until(async () => expect((await schedulesOf(scene)).onCall).toEqual(['ada']));
  const titles = async () =>
    (await bridge.call<{ title: string }[]>('GET', '/api/v1/notifications')).map(({ title }) => title);
  const advance = async (ms: number) => {
    const before = served.requests;
    bridge.clock.advance(ms);
    await until(() => expect(served.requests).toBeGreaterThan(before));
  };
  served.status = 503;
  await advance(HOUR);
  await until(async () => expect((await schedulesOf(scene)).calendar?.failure).toContain('503'));
  expect(await titles()).toEqual([]);
  await advance(HOUR);
  await until(async () => expect(await titles()).toEqual(['The calendar of database cannot be read']));
  await advance(HOUR);
  served.status = 200;
  await advance(HOUR);
  await until(async () =>
    expect(await titles()).toEqual([
      'The calendar of database is read again',
      'The calendar of database cannot be read',
    ])
  );
  served.status = 503;
  await advance(2 * HOUR);
  await until(async () => expect((await titles())[0]).toBe('The calendar of database cannot be read'));
  await folder.write({ 'calls.yaml': fileOf(hooks, {}) });
  await until(async () => expect((await titles())[0]).toBe('The calendar of database was removed'));
  await folder.write({ 'calls.yaml': fileOf(hooks, { schedule }) });
  await until(async () => expect((await schedulesOf(scene)).ics).toBe(new URL(url).host));
  await advance(HOUR);
  await until(async () => expect((await titles())[0]).toBe('The calendar of database cannot be read'));
});

test('the first reading of a calendar is no handover', async () => {
  const { served, url } = await startCalendar(NIGHTS);
  served.status = 503;
  const schedule = `{ name: database, announce: both, ics: '${url}' }`;
  const scene = await sceneAt(NIGHT, { schedule });
  await until(async () => expect((await schedulesOf(scene)).calendar?.failure).toContain('503'));
  served.status = 200;
  scene.bridge.clock.advance(20 * MINUTE);
  await until(() => isKnown(scene.bridge, 'ada'));
  served.text = calendarOf(eventOf('bob', '20300108T200000Z', '20300109T050000Z'));
  scene.bridge.clock.advance(20 * MINUTE);
  const handovers = (name: string) =>
    scene.hooks[name]!.accepted.map(({ json }) => String(json.title)).filter((title) => title.includes('on call'));
  await until(() => expect(handovers('bob')).toEqual(['bob is on call: database']));
  await until(() => expect(handovers('ada')).toEqual(['ada is no longer on call: database']));
});

test('an override of somebody who has no channels any more has no effect, and can be removed', async () => {
  const scene = await sceneAt(NIGHT);
  const { bridge, folder, hooks } = scene;
  const over = { person: 'cleo', from: '2030-01-08T00:00', to: '2030-01-10T00:00' };
  await bridge.call('POST', '/api/v1/schedules/database/overrides', over);
  expect((await schedulesOf(scene)).onCall).toEqual(['cleo']);
  await folder.write({ 'calls.yaml': fileOf(hooks, {}).replace(/.*login: cleo.*\n/, '') });
  await until(async () => expect((await schedulesOf(scene)).onCall).toEqual(['ada']));
  const { overrides } = await schedulesOf(scene);
  expect(overrides).toMatchObject([over]);
  await bridge.call('DELETE', `/api/v1/schedules/database/overrides/${overrides[0]!.id}`);
  expect((await schedulesOf(scene)).overrides).toEqual([]);
});

test('an address with a password, and both a calendar and rotations, are errors that do not repeat the address', async () => {
  const folder = await Folder.make({
    'calls.yaml': [
      'apiVersion: 1',
      'schedules:',
      `  - { name: a, ics: 'https://ada:${SECRET}@example.org/' }`,
      `  - { name: b, ics: 'https://example.org/${SECRET}', rotations: [{ people: [ada], every: 1w, from: '2030-01-07T09:00' }] }`,
      '  - { name: c }',
    ].join('\n'),
  });
  const running = await folder.start();
  const mistakes = (await running.mistakes('calls.yaml')).join('\n');
  expect(mistakes).not.toContain(SECRET);
  expect(mistakes).toContain('an http: or https: address without user name and password');
  expect(mistakes).toContain('absent beside `ics`');
  expect(mistakes).toContain('a list of rotations that is not empty, or `ics`');
});

test('an address without its scheme is not repeated', async () => {
  const schedule = `{ name: database, ics: calendar.example.org/${SECRET}.ics }`;
  const folder = await Folder.make({ 'calls.yaml': `apiVersion: 1\nschedules: [${schedule}]\n` });
  const mistakes = (await (await folder.start()).mistakes('calls.yaml')).join('\n');
  expect(mistakes).toContain('The calendar of database: does not exist');
  expect(mistakes).not.toContain(SECRET);
});

test('a schedule is a calendar for those who may read the inbox, and has the same shifts', async () => {
  const { bridge } = await sceneAt(NIGHT);
  const path = '/api/v1/schedules/database/calendar';
  const get = (headers: Record<string, string>) => fetch(`${bridge.url}${path}`, { headers });
  expect((await get({})).status).toBe(403);
  const response = await get({ Authorization: `Bearer ${ADMIN_TOKEN}` });
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const text = await response.text();
  const people = ['ada', 'bob'].map((login) => ({ login, channels: ['x'] }));
  const { shifts, unknown } = namedShifts(await readCalendar(text, 'UTC', bridge.clock.now), people);
  expect(unknown).toEqual([]);
  // 90 days from Wednesday are 13 weeks; the first shift began on Monday.
  expect(shifts).toHaveLength(14);
  expect(new Date(shifts[0]!.start).toISOString()).toBe('2030-01-07T08:00:00.000Z');
  const schedule = { name: 's', rotations: [], shifts };
  // Summer time: the handover stays at 09:00.
  expect(['2030-04-01T06:59Z', '2030-04-01T07:00Z'].map((at) => onCallAt(schedule, Date.parse(at)))).toEqual([
    ['bob'],
    ['ada'],
  ]);
  const uids = (one: string) => one.match(/^UID:.*$/gm);
  bridge.clock.advance(HOUR);
  expect(uids(await (await get({ Authorization: `Bearer ${ADMIN_TOKEN}` })).text())).toEqual(uids(text));
  expect((await bridge.request('GET', '/api/v1/schedules/none/calendar')).status).toBe(404);
});

test('a handover is announced to whoever starts and ends, once, also when the bridge was stopped; not by routes', async () => {
  const schedule =
    "{ name: database, zone: Europe/Berlin, announce: both, rotations: [{ people: [ada, bob, cleo], every: 1d, from: '2030-01-07T09:00' }] }";
  const scene = await sceneAt('2030-01-09T08:59:00+01:00', { schedule, route: '{ channels: [everybody] }' });
  const { bridge, hooks } = scene;
  await until(() => isKnown(bridge, 'bob'));
  const messages = () =>
    Object.entries(hooks)
      .flatMap(([name, hook]) => hook.accepted.map(({ json }) => `${name}: ${String(json.title)} ${String(json.body)}`))
      .filter((text) => !text.startsWith('bob: bob is on call'))
      .toSorted();
  bridge.clock.advance(MINUTE);
  const first = [
    'bob: bob is no longer on call: database Now on call: cleo.',
    'cleo: cleo is on call: database Until 2030-01-10 09:00 (Europe/Berlin).',
  ];
  await until(() => expect(messages()).toEqual(first));
  await until(() => isKnown(bridge, 'cleo'));
  await bridge.stop();
  bridge.clock.advance(DAY);
  await bridge.start();
  const second = [
    'ada: ada is on call: database Until 2030-01-11 09:00 (Europe/Berlin).',
    ...first,
    'cleo: cleo is no longer on call: database Now on call: ada.',
  ].toSorted();
  await until(() => expect(messages()).toEqual(second));
  await until(() => isKnown(bridge, 'ada'));
  await bridge.restart();
  await send(scene, FIRES);
  await until(() => expect(hooks.everybody!.accepted).toHaveLength(1));
  expect(messages()).toEqual([...second, 'everybody: Database down It does not respond.'].toSorted());
});
