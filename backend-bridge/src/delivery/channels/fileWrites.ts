/** Changes of the channels and routes of a file, or of the page. Runs in the writer thread. */
import type { Route } from '../../../contract/channel.ts';
import type { ChannelPerson, OnCallSchedule } from '../../../contract/onCall.ts';
import { audit, auditState } from '../../platform/audit/writes.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { Written } from '../../platform/storage/write.ts';
import { revokeStaleActions } from '../actions/epochs.ts';
import type { ShownChannel } from './kinds/channel.ts';
import { ROUTES_CHANGED } from '../schedules/onCallState.ts';

/** @param values as JSON */
export async function storeChannelFile(
  trx: Transacting,
  file: string,
  values: { channels: string; routes: string; schedules?: string; people?: string }
): Promise<void> {
  await trx
    .insertInto('channel_files')
    .values({ file, ...values })
    .onConflict((conflict) => conflict.column('file').doUpdateSet(values))
    .execute();
  await revokeStaleActions(trx);
}

/** Channels, routes, schedules and people of a provisioning file. */
interface Provisioned {
  channels: ShownChannel[];
  routes: Route[];
  schedules: OnCallSchedule[];
  people: ChannelPerson[];
}

/** All channels, routes, schedules and people of a provisioning file. */
export async function provisionChannels(
  trx: Transacting,
  { file, channels, routes, schedules, people, now }: Provisioned & { file: string; now: number }
): Promise<Written<void>['events']> {
  const row = await trx.selectFrom('channel_files').selectAll().where('file', '=', file).executeTakeFirst();
  const by = { kind: 'file', name: file } as const;
  const wanted = Object.entries({ channels, routes, schedules, people });
  const values = Object.fromEntries(wanted.map(([member, list]) => [member, JSON.stringify(list)])) as Values;
  const known = Object.fromEntries(
    wanted.map(([member]) => [member, JSON.parse(row?.[member as keyof Values] ?? '[]') as unknown])
  ) as Record<keyof Values, { name: string }[]>;
  if (wanted.every(([member]) => values[member as keyof Values] === (row?.[member as keyof Values] ?? '[]'))) {
    return [];
  }
  if (wanted.every(([, list]) => list.length === 0)) {
    await trx.deleteFrom('channel_files').where('file', '=', file).execute();
    await revokeStaleActions(trx);
  } else {
    await storeChannelFile(trx, file, values);
  }
  for (const name of new Set([...known.channels, ...channels].map((one) => one.name))) {
    const after = channels.find((one) => one.name === name);
    await auditState(trx, { by, action: 'channel.configure', object: name, after, now });
  }
  for (const [action, member] of AUDITED) {
    const [was, is] = [JSON.stringify(known[member]), values[member]];
    if (was !== is) {
      const before = row && known[member];
      await audit(trx, { by, action, object: file, before, after: JSON.parse(is) as unknown, now });
    }
  }
  return [ROUTES_CHANGED];
}

type Values = Record<keyof Provisioned, string>;
const AUDITED = [
  ['routes.change', 'routes'],
  ['schedules.change', 'schedules'],
  ['people.change', 'people'],
] as const;
