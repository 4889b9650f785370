/** The channels of people. */
import { SCHEDULES } from '../../../contract/api/schedules.ts';
import { DESCRIPTORS } from '../../../contract/channelTypes/index.ts';
import { type ChannelPerson, schedulesSchema } from '../../../contract/onCall.ts';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import type { ProvisioningFile } from '../../../contract/provisioningFile.ts';
import { type At, type Kind, listed, named, textChange } from './kind.ts';
import { unknownName } from './unknownName.ts';

export const people: Kind<'people', ChannelPerson, ChannelPerson, ChannelPerson> = {
  ...named('person', 'login'),
  member: 'people',
  rank: 1,
  entries: (file) => listed('people', file.people),
  check: wrongChannels,
  owners: ({ channels }) => ({
    files: channels.files(),
    of: (name) => channels.ownerOf({ kind: 'person', name }),
  }),
  stored: (wanted) => wanted,
  dryRun: {
    async inUse(get) {
      const { people: all } = await get(SCHEDULES.listSchedules, schedulesSchema);
      return all.map(({ file, ...value }) => ({ key: value.login, file, value }));
    },
    key: ({ login }) => login,
    difference: (wanted, before, { file }) => textChange(wanted, before, file, textOf),
    removal: () => 'no channels',
  },
};

function wrongChannels(file: ProvisioningFile, at: At): ProvisioningFinding[] {
  const bridges = new Set(
    (file.channels ?? []).filter(({ type }) => DESCRIPTORS[type].isBridge).map(({ name }) => name)
  );
  const base = { rule: 'channel', verdict: 'error', title: 'A channel to no person' } as const;
  return (file.people ?? []).flatMap(({ channels }, index) =>
    channels.flatMap((name, place) => {
      const path = ['people', index, 'channels', place];
      const detail = `The channel ${name} leads to another bridge: name a channel of another type.`;
      return bridges.has(name)
        ? [at(path, { ...base, detail })]
        : unknownName(file, { kind: 'channel', name }, (text) => at(path, text));
    })
  );
}

const textOf = ({ channels, names = [] }: ChannelPerson): string =>
  [channels.join(', '), ...(names.length === 0 ? [] : [`in calendars ${names.join(', ')}`])].join('; ');
