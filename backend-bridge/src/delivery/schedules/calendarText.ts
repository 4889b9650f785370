/** Shifts of a schedule as a calendar (iCalendar, RFC 5545). Pure. */
import { createHash } from 'node:crypto';
import { eachOf, type Steps } from '../../platform/runtime/steps.ts';
import type { Shift } from './schedule.ts';

/** @param stamp when it was made, UTC milliseconds */
export function* calendarText(schedule: string, shifts: readonly Shift[], stamp: number): Steps<string> {
  const events = yield* eachOf(shifts, ({ start, end, people }) =>
    people.map((person) =>
      textOf([
        'BEGIN:VEVENT',
        `UID:${createHash('sha256')
          .update(JSON.stringify([schedule, start, person]))
          .digest('hex')
          .slice(0, 32)}@nodebell`,
        `DTSTAMP:${utcOf(stamp)}`,
        `DTSTART:${utcOf(start)}`,
        `DTEND:${utcOf(end)}`,
        `SUMMARY:${escaped(person)}`,
        `DESCRIPTION:${escaped(`On call: ${schedule}`)}`,
        'END:VEVENT',
      ])
    )
  );
  const head = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Nodebell//On call//EN',
    `X-WR-CALNAME:${escaped(`On call: ${schedule}`)}`,
  ];
  return [textOf(head), ...events.flat(), textOf(['END:VCALENDAR'])].join('');
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${folded(line)}\r\n`).join('');

/** `20300107T080000Z` */
const utcOf = (at: number): string => `${new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;

const escaped = (text: string): string =>
  text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r?\n/g, String.raw`\n`);

/** At most 75 bytes in a line, never within a character. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= 75) {
    return line;
  }
  let bytes = 0;
  let text = '';
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (bytes + length > 75) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += length;
  }
  return text;
}
