/** Calendars of schedules, and servers of them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { Schedules } from '../../backend-bridge/contract/onCall.ts';
import type { sceneAt } from './onCall.testing.ts';

export const SECRET = 'private-0123456789abcdef';
export const eventOf = (name: string, from: string, to: string) =>
  ['BEGIN:VEVENT', `UID:${from}`, `SUMMARY:${name}`, `DTSTART:${from}`, `DTEND:${to}`, 'END:VEVENT'].join('\r\n');
export const calendarOf = (...events: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...events, 'END:VCALENDAR'].join('\r\n');
export const NIGHTS = calendarOf(
  eventOf('Ada', '20300108T200000Z', '20300109T050000Z'),
  eventOf('zoe', '20300109T050000Z', '20300109T070000Z')
);

/** A server with a calendar, whose address has a secret. */
export async function startCalendar(text: string) {
  const served = { status: 200, text, requests: 0 };
  const server = createServer((_req, res) => {
    served.requests += 1;
    res.writeHead(served.status, { 'Content-Type': 'text/calendar' }).end(served.text);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return { served, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ical/${SECRET}/basic.ics` };
}

export const schedulesOf = async ({ bridge }: Awaited<ReturnType<typeof sceneAt>>) => {
  const schedules = await bridge.call<Schedules>('GET', '/api/v1/schedules');
  expect(JSON.stringify(schedules)).not.toContain(SECRET);
  return schedules.schedules[0]!;
};
