/** Changes of the channels and routes of a file, or of the page. Runs in the writer thread. */
import type { Route } from '../../../contract/channel.ts';
import { audit, auditState } from '../../platform/audit/writes.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { Written } from '../../platform/storage/write.ts';
import type { ShownChannel } from './kinds/channel.ts';
import { ROUTES_CHANGED } from './writes.ts';

/** @param values as JSON */
export async function storeChannelFile(
  trx: Transacting,
  file: string,
  values: { channels: string; routes: string }
): Promise<void> {
  await trx
    .insertInto('channel_files')
    .values({ file, ...values })
    .onConflict((conflict) => conflict.column('file').doUpdateSet(values))
    .execute();
}

/** All channels and routes of a provisioning file. */
export async function provisionChannels(
  trx: Transacting,
  { file, channels, routes, now }: { file: string; channels: ShownChannel[]; routes: Route[]; now: number }
): Promise<Written<void>['events']> {
  const known = await trx.selectFrom('channel_files').selectAll().where('file', '=', file).executeTakeFirst();
  const by = { kind: 'file', name: file } as const;
  const isEmpty = channels.length === 0 && routes.length === 0;
  const values = { channels: JSON.stringify(channels), routes: JSON.stringify(routes) };
  if (isEmpty ? known === undefined : known?.channels === values.channels && known.routes === values.routes) {
    return [];
  }
  if (isEmpty) {
    await trx.deleteFrom('channel_files').where('file', '=', file).execute();
  } else {
    await storeChannelFile(trx, file, values);
  }
  const before = known && (JSON.parse(known.channels) as ShownChannel[]);
  for (const name of new Set([...(before ?? []), ...channels].map((one) => one.name))) {
    const after = channels.find((one) => one.name === name);
    await auditState(trx, { by, action: 'channel.configure', object: name, after, now });
  }
  if ((known?.routes ?? '[]') !== values.routes) {
    const was = known && (JSON.parse(known.routes) as unknown);
    await audit(trx, { by, action: 'routes.change', object: file, before: was, after: routes, now });
  }
  return [ROUTES_CHANGED];
}
