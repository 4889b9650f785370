/** From the members that are given to the settings of a channel, with the defaults of its type. */
import type { PageChannel } from '../../../contract/channelChange.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { ChannelSettings } from './channel.ts';
import { KINDS } from './kinds/index.ts';

const DEFAULT_GIVE_UP = '24h';

/** Durations stay texts; `perMinute` undefined: no limit. */
export function settingsOf(entry: PageChannel): ChannelSettings {
  const { url, isForMachines, giveUpAfter = DEFAULT_GIVE_UP } = KINDS[entry.type];
  const perMinute = entry.perMinute ?? (isForMachines ? undefined : LIMITS.channelPerMinute.value);
  const given = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as PageChannel;
  return { ...(url !== undefined && { url }), giveUpAfter, ...given, perMinute };
}
