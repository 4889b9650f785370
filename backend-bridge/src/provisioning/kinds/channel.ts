/** Channels, with their secrets. */
import { CHANNELS } from '../../../contract/api/channels.ts';
import { z } from 'zod';
import { channelSchema, placedRouteSchema, type ProvisionedChannelEntry } from '../../../contract/channel.ts';
import { SECRETS } from '../../../contract/channelTypes/index.ts';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import {
  type ChannelSettings,
  settingsOf,
  type ShownChannel,
  shownChannel,
} from '../../delivery/channels/kinds/channel.ts';
import { templateErrors } from '../../delivery/channels/templates.ts';
import { type Kind, listed, type LoadContext, type Loaded, readSecret, named, textChange } from './kind.ts';

/** Only the required members, for compatibility with other versions. */
export const channelsResponseSchema = z.object({
  channels: z.array(
    channelSchema.pick({
      name: true,
      type: true,
      file: true,
      target: true,
      giveUpAfter: true,
      perMinute: true,
      quietHours: true,
      passing: true,
    })
  ),
  routes: z.array(placedRouteSchema),
});

export const channels: Kind<'channels', ProvisionedChannelEntry, ChannelSettings, ShownChannel> = {
  ...named('channel', 'name'),
  member: 'channels',
  entries: (file) => listed('channels', file.channels),
  load: loadChannel,
  owners: (deps) => ({ files: deps.channels.files(), of: (name) => deps.channels.owner(name) }),
  stored: (wanted) => wanted.map(shownChannel),
  applied: (deps, file, wanted) => deps.channels.provision(file, wanted),
  dryRun: {
    async inUse(get) {
      const { channels: all } = await get(CHANNELS.listChannels, channelsResponseSchema);
      // Channels of the page belong to no file.
      return all.flatMap(({ file, ...value }) => (file === undefined ? [] : { key: value.name, file, value }));
    },
    key: ({ name }) => name,
    difference: (wanted, before, { file }) => textChange(shownChannel(wanted), before, file, textOf),
    removal: ({ value }) => `no longer ${textOf(value)}`,
  },
};

async function loadChannel(given: ProvisionedChannelEntry, { dir, at }: LoadContext): Promise<Loaded<ChannelSettings>> {
  const findings: ProvisioningFinding[] = [];
  const names: string[] = [];
  const entry = { ...given };
  const base = { rule: 'channel', verdict: 'error', title: 'Invalid channel' } as const;
  for (const member of SECRETS) {
    const { [`${member}File` as const]: file } = entry;
    delete entry[`${member}File`];
    if (file !== undefined) {
      const { name, text, problem } = await readSecret(dir, file);
      names.push(name);
      if (text === '' || /[^\x20-\x7e]/.test(text)) {
        const why = problem ?? (text === '' ? 'is empty' : 'is not one line of ASCII characters');
        findings.push(at([`${member}File`], { ...base, detail: `${file} ${why}.` }));
      }
      entry[member] = text;
    }
  }
  findings.push(...templateErrors(entry).map(({ member, detail }) => at([member], { ...base, detail })));
  return { findings, names, ...(findings.length === 0 && { wanted: settingsOf(entry) }) };
}

/** `webhook to 127.0.0.1:9999, gives up after 24h` */
const textOf = ({ type, target, giveUpAfter, perMinute, quietHours, passing }: ShownChannel): string =>
  [
    `${type} to ${target}`,
    `gives up after ${giveUpAfter}`,
    ...(perMinute === null ? [] : [`${perMinute} a minute`]),
    ...(quietHours === undefined ? [] : [`quiet ${JSON.stringify(quietHours)}`]),
    ...(passing === undefined ? [] : [`passing ${passing}`]),
  ].join(', ');
