/** Which open threads are compared with a new source, over a real store. */
import { expect, onTestFinished, test } from 'vitest';
import '../../arrivals.ts';
import type { InhibitRule } from '../../../contract/suppression.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import type { Incoming } from '../../inbox/notifications/receive.ts';
import { openWorld } from '../../inbox/retention/retention.testing.ts';
import { labelsOf } from '../channels/match.ts';
import { newestSource, targetsSince } from './inhibited.ts';
import { CompiledRule } from './rules.ts';

type Payload = Partial<Incoming['payload']>;
const SOURCE: Payload = { title: 'source', labels: { alertname: 'NodeDown', cluster: 'eu', instance: 'a' } };
const OTHERS: Payload[] = [
  { title: 'same instance', labels: { cluster: 'eu', instance: 'a', severity: 'info' } },
  { title: 'other instance', labels: { cluster: 'eu', instance: 'b', severity: 'warning' } },
  { title: 'geth', dnpName: 'geth' },
  { title: 'labelled', labels: { package: 'geth' } },
  { title: 'toString', labels: { ['toString' as string]: 'x' } },
  { title: 'on attic', node: 'attic' },
  {
    title: 'resolved',
    status: 'resolved',
    dnpName: 'geth',
    node: 'attic',
    labels: { instance: 'a', severity: 'info' },
  },
];

const rule = (target: string, ...equal: string[]): InhibitRule => ({
  ...{ name: 'r', source_matchers: ['alertname="NodeDown"'], target_matchers: [target], equal },
});

test.each<[string, InhibitRule, string[] | undefined]>([
  ['the last of the equal labels', rule('severity=~".+"', 'cluster', 'instance'), ['source', 'same instance']],
  [
    'an equal label that the source has',
    rule('severity=~".+"', 'cluster', 'rack'),
    ['source', 'same instance', 'other instance'],
  ],
  ['a label of the targets', rule('severity="info"'), ['same instance']],
  ['the package, also as a label', rule('package="geth"'), ['geth', 'labelled']],
  ['a label with the name of a method', rule('toString="x"'), ['toString']],
  ['none of their labels, if the equal one is no label', rule('severity=~".+"', '__proto__'), undefined],
  ['the node', rule('node="attic"'), ['on attic']],
  ['none of their labels, if only an expression selects them', rule('severity=~".+"'), undefined],
  ['none of their labels, if these are members', rule('priority="high"', 'category'), undefined],
])('a source is compared with open threads by %s', async (_by, made, expected) => {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { db, writes, clock } = world;
  const compiled = new CompiledRule(made);
  const send = (payloads: Payload[]) =>
    writes.submit(receive, {
      incoming: payloads.map((one) => {
        const payload = { body: '', title: '', status: 'triggered' as const, correlationId: one.title!, ...one };
        const inhibits = [compiled.sides(labelsOf(payload)).source ?? []].flat();
        return { payload, source: 'api' as const, suppression: { suppressed: undefined, inhibits, inhibitedBy: [] } };
      }),
      ...{ now: clock.wall, steady: clock.elapsed, destinations: undefined },
    });
  await send([...OTHERS.map((one) => ({ ...one, status: 'triggered' as const })), OTHERS.at(-1)!]);
  const before = await newestSource(db);
  await send([SOURCE]);
  const ids = await targetsSince(db, before, [compiled]);
  const rows = await db.selectFrom('threads').select(['id', 'correlation_id']).orderBy('id').execute();
  const titles = new Map(rows.map(({ id, correlation_id }) => [id, correlation_id]));
  expect(ids?.map((id) => titles.get(id)).sort()).toEqual(expected?.sort());
  expect(await targetsSince(db, await newestSource(db), [compiled])).toEqual([]);
  expect(await targetsSince(db, before, [])).toEqual([]);
});
