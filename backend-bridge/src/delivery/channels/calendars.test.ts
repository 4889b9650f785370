import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Calendars, type CalendarsDeps } from './calendars.ts';
import type { OnCallNote } from '../schedules/onCallState.ts';

const TEXT = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR';

async function scene() {
  const open: ServerResponse[] = [];
  const closed: string[] = [];
  const requests: string[] = [];
  const server = createServer(({ url = '' }, res) => {
    requests.push(url);
    open.push(res.on('close', () => closed.push(url)));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const notes: OnCallNote[] = [];
  const deps: CalendarsDeps = {
    routing: {
      schedules: () => [{ name: 'db', file: 'db.yaml', rotations: [] }],
      stateOf: (_file, schedule) => notes.findLast((note) => note.schedule === schedule)?.state ?? {},
      reload: () => Promise.resolve(),
    },
    writes: {
      submit: ((_write: unknown, note: OnCallNote) =>
        Promise.resolve(notes.push(note))) as CalendarsDeps['writes']['submit'],
    },
    store: { isFiring: () => Promise.resolve(false) },
    receive: () => Promise.resolve([]),
    network: { allow: [] } as unknown as CalendarsDeps['network'],
    leads: () => true,
    now: () => Date.parse('2030-01-08T10:00Z'),
    log: { warn: () => undefined },
  };
  const calendars = new Calendars(deps);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provision = (path: string, schedule = 'db') =>
    calendars.provision(`${schedule}.yaml`, [{ schedule, zone: 'UTC', source: { url: base + path } }]);
  return { calendars, provision, open, closed, requests, notes };
}

test('a stop ends the request that runs, and stores no failure', async () => {
  const { calendars, provision, closed, requests, notes } = await scene();
  provision('/first');
  const stop = calendars.start();
  await expect.poll(() => requests).toEqual(['/first']);
  await stop();
  await expect.poll(() => closed).toEqual(['/first']);
  expect(notes).toEqual([]);
});

test('a change ends the request that runs before the next one begins', async () => {
  const { calendars, provision, open, closed, requests, notes } = await scene();
  const stop = calendars.start();
  provision('/first');
  await expect.poll(() => requests).toEqual(['/first']);
  provision('/second');
  await expect.poll(() => requests).toEqual(['/first', '/second']);
  await expect.poll(() => closed).toEqual(['/first']);
  open[1]!.end(TEXT);
  await expect.poll(() => notes.map(({ state }) => state.calendar?.failure)).toEqual([null]);
  await stop();
});

test('a schedule that another replica has removed is not read', async () => {
  const { calendars, provision, requests } = await scene();
  provision('/first', 'removed');
  provision('/second', 'db');
  const stop = calendars.start();
  await expect.poll(() => requests).toEqual(['/second']);
  await stop();
});
