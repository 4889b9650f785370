/** On-call schedules. */
import path from 'node:path';
import { SCHEDULES } from '../../../contract/api/schedules.ts';
import { isCalendarUrl, type OnCallSchedule, schedulesSchema } from '../../../contract/onCall.ts';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import type { ProvisioningFile } from '../../../contract/provisioningFile.ts';
import { CalendarError, readCalendar } from '../../delivery/schedules/calendar.ts';
import type { CalendarSource } from '../../delivery/channels/calendars.ts';
import { type At, type Kind, listed, type LoadContext, type Loaded, named, textChange } from './kind.ts';
import { readText } from './readText.ts';
import { unknownName } from './unknownName.ts';

/** `source`: of its calendar, whose address is not stored. */
type Wanted = OnCallSchedule & { source?: CalendarSource };

export const schedules: Kind<'schedules', OnCallSchedule, Wanted, OnCallSchedule> = {
  ...named('schedule', 'name'),
  member: 'schedules',
  rank: 1,
  entries: (file) => listed('schedules', file.schedules),
  load: loadSchedule,
  check: unknownPeople,
  owners: ({ channels }) => ({
    files: channels.files(),
    of: (name) => channels.ownerOf({ kind: 'schedule', name }),
  }),
  stored: (wanted) => wanted.map(({ source: _source, ...one }) => one),
  applied: ({ channels }, file, wanted) =>
    channels.calendars.provision(
      file,
      wanted.flatMap(({ name, zone = 'UTC', source }) => (source ? [{ schedule: name, zone, source }] : []))
    ),
  dryRun: {
    async inUse(get) {
      const { schedules: all } = await get(SCHEDULES.listSchedules, schedulesSchema);
      return all.map(({ file, overrides: shown, ...rest }) => {
        const overrides = shown.filter(({ id }) => id === undefined);
        return { key: rest.name, file, value: { ...rest, overrides } };
      });
    },
    key: ({ name }) => name,
    difference: (wanted, before, { file }) => textChange(wanted, before, file, textOf),
    removal: () => 'no longer',
  },
};

/** Reads the file of its calendar. The bridge reads that of an address. */
async function loadSchedule(entry: OnCallSchedule, { dir, at }: LoadContext): Promise<Loaded<Wanted>> {
  const { ics, zone = 'UTC' } = entry;
  if (ics === undefined) {
    return { findings: [], names: [], wanted: entry };
  }
  if (isCalendarUrl(ics)) {
    return { findings: [], names: [], wanted: { ...entry, ics: new URL(ics).host, source: { url: ics } } };
  }
  const name = path.resolve(dir, ics);
  const read = await readText(name);
  const problem = 'problem' in read ? read.problem : await problemOf(read.text, zone);
  if ('problem' in read || problem !== undefined) {
    const base = { rule: 'channel', verdict: 'error', title: 'Invalid calendar' } as const;
    // An address without its scheme is a path, and may be a secret.
    return { findings: [at(['ics'], { ...base, detail: `The calendar of ${entry.name}: ${problem}` })], names: [name] };
  }
  return { findings: [], names: [name], wanted: { ...entry, source: { text: read.text } } };
}

async function problemOf(text: string, zone: string): Promise<string | undefined> {
  try {
    await readCalendar(text, zone, Date.now());
    return undefined;
  } catch (error) {
    if (error instanceof CalendarError) {
      return error.message;
    }
    throw error;
  }
}

/** Whoever is on call needs channels. */
function unknownPeople(file: ProvisioningFile, at: At): ProvisioningFinding[] {
  return (file.schedules ?? []).flatMap(({ rotations, overrides = [] }, index) => [
    ...rotations.flatMap(({ people }, rotation) =>
      people.flatMap((name, place) =>
        unknownName(file, { kind: 'person', name }, (text) =>
          at(['schedules', index, 'rotations', rotation, 'people', place], text)
        )
      )
    ),
    ...overrides.flatMap(({ person: name }, place) =>
      unknownName(file, { kind: 'person', name }, (text) =>
        at(['schedules', index, 'overrides', place, 'person'], text)
      )
    ),
  ]);
}

const textOf = ({ zone = 'UTC', rotations, ics, overrides = [], announce = 'none' }: OnCallSchedule): string =>
  [
    ...(ics === undefined ? [] : [`calendar ${ics}`]),
    ...rotations.map(({ people, every, from, to, hours }) =>
      [
        `${people.join(', ')} every ${every} from ${from}`,
        ...(to === undefined ? [] : [`to ${to}`]),
        ...(hours === undefined ? [] : [JSON.stringify(hours)]),
      ].join(' ')
    ),
    ...overrides.map(({ person, from, to }) => `${person} from ${from} to ${to}`),
    ...(announce === 'none' ? [] : [`announces ${announce}`]),
    zone,
  ].join('; ');
