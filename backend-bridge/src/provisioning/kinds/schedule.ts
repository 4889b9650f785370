/** On-call schedules. */
import { SCHEDULES } from '../../../contract/api/schedules.ts';
import { type OnCallSchedule, schedulesSchema } from '../../../contract/onCall.ts';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import type { ProvisioningFile } from '../../../contract/provisioningFile.ts';
import { type At, type Kind, listed, textChange } from './kind.ts';
import { unknownName } from './unknownName.ts';

export const schedules: Kind<'schedules', OnCallSchedule, OnCallSchedule, OnCallSchedule> = {
  name: 'schedule',
  member: 'schedules',
  rank: 1,
  entries: (file) => listed('schedules', file.schedules),
  check: unknownPeople,
  unique: ({ name }) => [claimOf(name)],
  claim: ({ name }) => claimOf(name),
  owners: ({ channels }) => ({
    files: channels.files(),
    of: (name) => channels.ownerOf({ kind: 'schedule', name }),
  }),
  stored: (wanted) => wanted,
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

const claimOf = (name: string) => ({ key: name, path: ['name'], label: `The schedule ${name}` });

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

const textOf = ({ zone = 'UTC', rotations, overrides = [] }: OnCallSchedule): string =>
  [
    ...rotations.map(({ people, every, from, to, hours }) =>
      [
        `${people.join(', ')} every ${every} from ${from}`,
        ...(to === undefined ? [] : [`to ${to}`]),
        ...(hours === undefined ? [] : [JSON.stringify(hours)]),
      ].join(' ')
    ),
    ...overrides.map(({ person, from, to }) => `${person} from ${from} to ${to}`),
    zone,
  ].join('; ');
