/** Reads a channel of a provisioning file, with its secrets. */
import path from 'node:path';
import type { ChannelType, ProvisionedChannelEntry, Route } from '../../contract/channel.ts';
import type { ProvisioningFinding } from '../../contract/provisioning.ts';
import type { ChannelSettings } from '../channels/channel.ts';
import { settingsOf } from '../channels/settings.ts';
import { misfitsOf } from '../channels/match.ts';
import { nearest } from '../validation/messages.ts';
import { readText } from './readText.ts';
import type { FindingText } from './types.ts';

type At = (path: readonly PropertyKey[], base: FindingText) => ProvisioningFinding;

export interface LoadedChannel {
  findings: ProvisioningFinding[];
  wanted?: ChannelSettings;
  names: string[];
}

const SECRETS = ['secret', 'token', 'password'] as const;

export async function loadChannel(
  { secretFile, tokenFile, passwordFile, ...entry }: ProvisionedChannelEntry,
  { dir, at }: { dir: string; at: At }
): Promise<LoadedChannel> {
  const files = { secret: secretFile, token: tokenFile, password: passwordFile };
  const secrets: Partial<Record<(typeof SECRETS)[number], string>> = {};
  const findings: ProvisioningFinding[] = [];
  const names: string[] = [];
  for (const member of SECRETS) {
    const file = files[member];
    if (file !== undefined) {
      const name = path.resolve(dir, file);
      names.push(name);
      const read = await readText(name);
      // Messages do not repeat the value, since it is a secret.
      const text = 'problem' in read ? '' : read.text.trim();
      if (text === '' || /[^\x20-\x7e]/.test(text)) {
        const why = 'problem' in read ? read.problem : text === '' ? 'is empty' : 'is not one line of ASCII characters';
        const base = { rule: 'channel', verdict: 'error', title: 'Invalid channel' } as const;
        findings.push(at([`${member}File`], { ...base, detail: `${file} ${why}.` }));
      }
      secrets[member] = text;
    }
  }
  const wanted = settingsOf({ ...entry, ...secrets });
  return findings.length > 0 ? { findings, names } : { findings, names, wanted };
}

/** Routes to channels that the file does not have, and to channels that cannot do what the route says. */
export function wrongChannels(
  routes: readonly Route[],
  channels: readonly { name: string; type: ChannelType }[],
  at: At
): ProvisioningFinding[] {
  const known = channels.map(({ name }) => name);
  const misfits = routes.flatMap((route, index) =>
    misfitsOf(route, channels).map(({ member, detail }) => {
      const title = member === 'persons' ? 'No devices of persons' : 'Nothing waits for another bridge';
      return at(['routes', index, member], { rule: 'channel', verdict: 'error', title, detail });
    })
  );
  const unknown = routes.flatMap((route, index) =>
    route.channels.flatMap((name, place) => {
      if (known.includes(name)) {
        return [];
      }
      const meant = nearest(name, known);
      const channelsOf = known.length === 0 ? 'It has no channels.' : `Its channels: ${known.join(', ')}.`;
      const detail = `There is no channel "${name}" in this file. ${meant === undefined ? channelsOf : `Did you mean "${meant}"?`}`;
      const base = { rule: 'channel', verdict: 'error', title: 'Unknown channel' } as const;
      return [at(['routes', index, 'channels', place], { ...base, detail })];
    })
  );
  return [...unknown, ...misfits];
}
