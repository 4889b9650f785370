/**
 * Epochs of the tokens of messages: a random number for each channel, made with its first token. Without it none of its tokens is valid, and
 * the next one begins another epoch.
 */
import type { Actor } from '../../../contract/audit.ts';
import { audit } from '../../platform/audit/writes.ts';
import type { Database, Transacting } from '../../platform/storage/engine.ts';
import type { Written } from '../../platform/storage/write.ts';
import type { StoredChannel } from '../channels/kinds/channel.ts';
import { channelTag } from './token.ts';

const PREFIX = 'actions/';

/** In `series`. @param tag of the channel */
export const epochName = (tag: string): string => `${PREFIX}${tag}`;

const epochs = (trx: Transacting) => trx.deleteFrom('series').where('name', 'like', `${PREFIX}%`);

/** Whether it is the epoch of a channel still. @param tag of the channel */
export async function isCurrent(db: Database, tag: string, epoch: number): Promise<boolean> {
  const row = await db.selectFrom('series').select('last').where('name', '=', epochName(tag)).executeTakeFirst();
  return row?.last === epoch;
}

/** Invalidates the tokens of a channel. @param channel its name */
export async function revokeActions(
  trx: Transacting,
  { channel, tag, by, now }: { channel: string; tag: string; by: Actor; now: number }
): Promise<Written<void>> {
  await trx.deleteFrom('series').where('name', '=', epochName(tag)).execute();
  await audit(trx, { by, action: 'channel.revoke-actions', object: channel, now });
  return { result: undefined, events: [] };
}

/** After a restore: ids of notifications are given out again, and tokens that were used since are not known. */
export const revokeAllActions = async (trx: Transacting): Promise<void> => void (await epochs(trx).execute());

/** After a change of channels: a channel that comes back as it was does not accept its old tokens. */
export async function revokeStaleActions(trx: Transacting): Promise<void> {
  const files = await trx.selectFrom('channel_files').select('channels').execute();
  const names = files
    .flatMap(({ channels }) => JSON.parse(channels) as StoredChannel[])
    .filter(({ actions }) => actions !== undefined)
    .map((one) => epochName(channelTag(one)));
  await epochs(trx)
    .$if(names.length > 0, (query) => query.where('name', 'not in', names))
    .execute();
}
