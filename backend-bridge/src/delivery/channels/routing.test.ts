import { expect, test } from 'vitest';
import type { Route } from '../../../contract/channel.ts';
import { createRouting } from './routing.ts';
import type { ChannelFile } from './store.ts';

const channelOf = (name: string) =>
  ({ name, type: 'webhook', giveUpAfter: '24h', target: 'example.org', perMinute: null }) as const;

async function withRoutes(...routes: Route[]) {
  const files: ChannelFile[] = [
    { file: 'a.yaml', channels: ['a', 'b'].map(channelOf), routes, schedules: [], people: [], states: {} },
  ];
  const routing = await createRouting({ files: () => Promise.resolve(files) }, () => Promise.resolve([]));
  return { routing, files };
}
const of = (payload: { category?: string; dnpName?: string }) => ({ payload: { title: 'T', body: '', ...payload } });

test('routes that have changed apply at once, also to what was compared before', async () => {
  const { routing, files } = await withRoutes({ channels: ['a'] });
  expect(routing.of(of({}))).toEqual({ channels: ['a'], ifAnnounced: [] });
  files[0]!.routes = [{ channels: ['b'] }];
  await routing.reload();
  expect(routing.of(of({}))).toEqual({ channels: ['b'], ifAnnounced: [] });
});

test('what differs in one member is compared by itself', async () => {
  const { routing } = await withRoutes({ channels: ['a'], categories: ['x'], packages: ['1 y'] }, { channels: ['b'] });
  expect(routing.of(of({ category: 'x', dnpName: '1 y' }))?.channels).toEqual(['a']);
  expect(routing.of(of({ category: 'x1 ', dnpName: 'y' }))?.channels).toEqual(['b']);
  expect(routing.of({ ...of({ category: 'x', dnpName: '1 y' }), notThrough: 'a' })).toBeUndefined();
  expect(routing.of(of({ category: 'x', dnpName: '1 y' }))?.channels).toEqual(['a']);
});
