/** Reactions to messages in Matrix, of a whole bridge. */
import { expect, test, vi } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { type Homeserver, startHomeserver } from '../../backend-bridge/src/delivery/channels/matrix.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { Folder } from './provisioning.testing.ts';
import { MINUTE } from './support.ts';

const TOKEN = 'syt_YnJpZGdl_secret';
const ALIAS = '#alerts:example.org';
const ALERT = { title: 'Disk full', body: 'of /data', dnpName: 'geth', correlationId: 'disk', status: 'triggered' };
const BY_ADA = 'Ada (@ada:example.org), by Matrix';
const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 20 });

const fileOf = ({ url }: Homeserver, actions: string): string =>
  `apiVersion: 1\nchannels:\n  - { name: room, type: matrix, url: '${url}', token: $TOKEN, roomId: '${ALIAS}'${actions} }\n` +
  'routes:\n  - { channels: [room] }\n';

async function withMatrix(actions = ', actions: [acknowledge, snooze, resolve]') {
  const matrix = await closing(startHomeserver(TOKEN, ALIAS));
  const folder = await Folder.make({ 'reach.yaml': fileOf(matrix, actions) });
  const { bridge } = await folder.start({ TOKEN });
  const { body } = await bridge.post(ALERT);
  const { id } = body as { id: number };
  await until(() => expect(matrix.events.size).toBe(1));
  if (actions !== '') {
    await until(() => expect(matrix.data.size).toBe(1));
  }
  const detail = () => bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`);
  /** Everything that was pressed before has been read. */
  const settled = () =>
    until(() => expect(matrix.data.get('nodebell.presses')).toEqual({ since: String(matrix.reactions.length) }));
  return { matrix, bridge, id, detail, settled };
}

test('a reaction acknowledges in the name of the person, and the message shows it', async () => {
  const { matrix, bridge, detail } = await withMatrix();
  await until(() =>
    expect(matrix.reactions.map(({ content }) => content)).toEqual(
      ['✅', '💤', '🏁'].map((key) => ({ 'm.relates_to': { rel_type: 'm.annotation', event_id: '$1', key } }))
    )
  );
  expect(matrix.shown('$1')!.body).toContain('✅ Acknowledge · 💤 Snooze 1 h · 🏁 Resolve');
  matrix.react('$1', '✅');
  await until(() => expect(matrix.shown('$1')!.body).toContain(`Acknowledged by ${BY_ADA}.`));
  expect(matrix.shown('$1')!.body).toContain('\n💤 Snooze 1 h · 🏁 Resolve');
  expect((await detail()).timeline).toMatchObject([{ kind: 'acknowledged', by: BY_ADA }]);
  const audit = await bridge.call<{ entries: object[] }>('GET', '/api/v1/audit?action=notification.acknowledge');
  expect(audit.entries).toMatchObject([{ actor: { kind: 'channel', name: BY_ADA } }]);
  expect(matrix.reactions).toHaveLength(4);
});

test('after an acknowledgement was taken back, another reaction acknowledges again', async () => {
  const { matrix, bridge, id, detail } = await withMatrix();
  matrix.react('$1', '✅');
  await until(() => expect(matrix.shown('$1')!.body).toContain('Acknowledged'));
  await bridge.call('DELETE', `/api/v1/notifications/${id}/acknowledge`);
  await bridge.call('POST', `/api/v1/notifications/${id}/acknowledge`, { comment: 'on it' });
  await bridge.call('DELETE', `/api/v1/notifications/${id}/acknowledge`);
  await until(async () => {
    bridge.clock.advance(MINUTE);
    await bridge.call('GET', '/api/v1/notifications');
    expect(matrix.shown('$1')!.body).not.toContain('Acknowledged');
  });
  matrix.people.set('@bob:example.org', 'Bob');
  matrix.react('$1', '✅', '@bob:example.org');
  await until(async () => expect((await detail()).thread.acknowledged?.by).toBe('Bob (@bob:example.org), by Matrix'));
});

test('resolves; a reaction after that does nothing', async () => {
  const { matrix, detail, settled } = await withMatrix();
  matrix.react('$1', '🏁\uFE0F');
  await until(() => expect(matrix.shown('$1')!.body).toContain('Resolved: Disk full'));
  expect(matrix.shown('$1')!.body).not.toContain('Snooze');
  matrix.react('$1', '💤');
  await settled();
  expect((await detail()).thread).toMatchObject({ state: 'resolved' });
  expect((await detail()).thread.snoozed).toBeUndefined();
});

test('a reaction while the bridge is stopped takes effect once, also if it comes again', async () => {
  const { matrix, bridge, detail, settled } = await withMatrix();
  await until(() => expect(matrix.reactions).toHaveLength(3));
  await bridge.stop();
  const before = matrix.data.get('nodebell.presses')!;
  matrix.react('$1', '💤');
  await bridge.start();
  await until(async () => expect((await detail()).thread.snoozed?.by).toBe(BY_ADA));
  await until(() => expect(matrix.shown('$1')!.body).toContain('Snoozed'));
  await settled();
  await bridge.stop();
  // As after a kill before the position was stored; the message offers another token by now.
  matrix.data.set('nodebell.presses', before);
  bridge.clock.advance(10 * MINUTE);
  await bridge.start();
  await settled();
  expect((await detail()).timeline).toHaveLength(1);
});

test('reactions from before the bridge read any do nothing', async () => {
  const { matrix, bridge, detail, settled } = await withMatrix();
  await until(() => expect(matrix.reactions).toHaveLength(3));
  await bridge.stop();
  matrix.data.clear();
  matrix.react('$1', '✅');
  await bridge.start();
  await settled();
  expect((await detail()).timeline).toBeUndefined();
});

test.each([
  ['of somebody who is not in the room', '✅', '@eve:example.org'],
  ['of another kind', '👍', '@ada:example.org'],
])('a reaction %s does nothing', async (_, key, sender) => {
  const { matrix, detail, settled } = await withMatrix();
  matrix.react('$1', key, sender);
  await settled();
  expect((await detail()).timeline).toBeUndefined();
});

test.each(['not an event', '$'.padEnd(300, 'x'), '../../account/whoami', '$gone/../x'])(
  'a reaction to %j does not hold up the others',
  async (event) => {
    const { matrix, detail } = await withMatrix();
    matrix.react(event, '✅');
    matrix.react('$1', '✅');
    await until(async () => expect((await detail()).thread.acknowledged?.by).toBe(BY_ADA));
  }
);

test('more reactions than a response has are all read', async () => {
  const { matrix, bridge, detail, settled } = await withMatrix();
  await until(() => expect(matrix.reactions).toHaveLength(3));
  await bridge.stop();
  matrix.react('$1', '💤');
  for (let index = 0; index < 60; index += 1) {
    matrix.react('$1', '👍', `@person${index}:example.org`);
  }
  await bridge.start();
  await until(async () => expect((await detail()).thread.snoozed?.by).toBe(BY_ADA));
  await settled();
});

test('a position that the homeserver rejects is replaced by the current one', async () => {
  const { matrix, bridge, detail, settled } = await withMatrix();
  await until(() => expect(matrix.reactions).toHaveLength(3));
  await bridge.stop();
  matrix.data.set('nodebell.presses', { since: 'of another server' });
  await bridge.start();
  await settled();
  matrix.react('$1', '✅');
  await until(async () => expect((await detail()).thread.acknowledged?.by).toBe(BY_ADA));
});

test('ids of version 3 of rooms may contain a slash', async () => {
  const { matrix, detail } = await withMatrix();
  matrix.events.set('$a/b', matrix.events.get('$1'));
  matrix.react('$a/b', '✅');
  await until(async () => expect((await detail()).thread.acknowledged?.by).toBe(BY_ADA));
});

test('of two people who react to one message, the first acts', async () => {
  const { matrix, bridge, detail, settled } = await withMatrix();
  await until(() => expect(matrix.reactions).toHaveLength(3));
  await bridge.stop();
  matrix.people.set('@bob:example.org', 'Bob');
  matrix.react('$1', '💤');
  matrix.react('$1', '💤', '@bob:example.org');
  await bridge.start();
  await until(async () => expect((await detail()).thread.snoozed?.by).toBe(BY_ADA));
  await settled();
  expect((await detail()).timeline).toMatchObject([{ kind: 'snoozed', by: BY_ADA }]);
});

test('a reaction to a copy of the message by somebody else does nothing', async () => {
  const { matrix, detail, settled } = await withMatrix();
  matrix.events.set('$copy', matrix.events.get('$1'));
  matrix.senders.set('$copy', '@ada:example.org');
  matrix.react('$copy', '✅');
  await settled();
  expect((await detail()).timeline).toBeUndefined();
});

test('a token of a message acts in its room only, not over HTTP', async () => {
  const { matrix, bridge, detail } = await withMatrix();
  const { acknowledge } = (matrix.events.get('$1') as unknown as Record<string, Record<string, string>>)[
    'nodebell.actions'
  ]!;
  const taken = await bridge.request('POST', '/api/v1/actions', { token: acknowledge }, { authorization: '' });
  expect(taken.status).toBe(410);
  expect((await detail()).timeline).toBeUndefined();
});

test('without actions, nothing is read and there are no reactions', async () => {
  const { matrix } = await withMatrix('');
  expect(matrix.reactions).toEqual([]);
  expect(matrix.arrived.filter(({ path }) => path.includes('/sync'))).toEqual([]);
});
