/** A night on call, with the phones of two people: the thread tells it afterwards. */
import { expect, test } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { startTelegram } from '../../backend-bridge/src/delivery/channels/telegram.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { deliveriesOf, FIRES, RESOLVES, send, until } from './onCall.testing.ts';
import { Folder } from './provisioning.testing.ts';
import { MINUTE } from './support.ts';

const BOTS = { ADA: '1:AAabcdefghijklmnopqrstuvwxyz0123456', BOB: '2:AAabcdefghijklmnopqrstuvwxyz0123456' };

async function phones() {
  const [ada, bob] = [await closing(startTelegram(BOTS.ADA)), await closing(startTelegram(BOTS.BOB))];
  const channel = (name: string, url: string): string =>
    `{ name: ${name}-phone, type: telegram, url: '${url}', token: $${name.toUpperCase()}, chatId: 42, actions: [acknowledge, resolve] }`;
  const folder = await Folder.make({
    'calls.yaml': `apiVersion: 1
channels:
  - ${channel('ada', ada.url)}
  - ${channel('bob', bob.url)}
people:
  - { login: ada, channels: [ada-phone] }
  - { login: bob, channels: [bob-phone] }
schedules:
  - { name: database, zone: Europe/Berlin, rotations: [{ people: [ada, bob], every: 1w, from: '2030-01-07T09:00' }] }
routes:
  - { onCall: database, escalation: [{ after: 10m, people: [bob] }, { after: 20m, people: [ada] }] }
`,
  });
  const running = await folder.start(BOTS);
  expect(await running.mistakes('calls.yaml')).toEqual([]);
  return { running, ada, bob };
}

test('the first person sleeps, the second acknowledges from the phone, and both chats show that it is resolved', async () => {
  const { running, ada, bob } = await phones();
  const { bridge } = running;
  const berlin = (at: string): string =>
    new Date(at).toLocaleTimeString('de-DE', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' });
  const sent: number[] = [];
  const both = (): (string | undefined)[] => [ada, bob].map(({ texts }) => texts.get(1));
  /** Sets the clock and waits until the chats show these texts; undefined: no message. */
  const at = async (minutes: number, said: (string | undefined)[]): Promise<void> => {
    bridge.clock.now = Date.parse('2030-01-09T03:00:00+01:00') + minutes * MINUTE;
    await until(async () => {
      // Wakes what follows the clock of the test.
      await bridge.call('POST', '/api/v1/channels/undelivered/send');
      expect(both()).toEqual(said.map((text) => (text === undefined ? undefined : expect.stringContaining(text))));
      // A chat has a message before the bridge records its delivery, with the time of its clock.
      const deliveries = await Promise.all(sent.map((id) => deliveriesOf(running, id)));
      expect(deliveries.join()).not.toContain('waiting');
    });
  };
  bridge.clock.now = Date.parse('2030-01-09T03:00:00+01:00');
  const fired = await send(running, FIRES);
  sent.push(fired);
  await at(0, ['Important: Database down', undefined]);
  await at(9, ['Important: Database down', undefined]);
  await at(10, ['Important: Database down', 'Important: Database down']);
  await at(12, ['Important: Database down', 'Important: Database down']);
  bob.press(bob.buttons.get(1)!['Acknowledge']!, { first_name: 'Bob' });
  await until(() => expect(bob.answers).toEqual(['Acknowledged.']));
  await at(13, ['Acknowledged by Bob, by Telegram.', 'Acknowledged by Bob, by Telegram.']);
  expect([ada, bob].map(({ buttons }) => Object.keys(buttons.get(1)!))).toEqual([['Resolve'], ['Resolve']]);
  await at(39, ['Acknowledged by Bob, by Telegram.', 'Acknowledged by Bob, by Telegram.']);
  bridge.clock.advance(MINUTE);
  const resolved = await send(running, RESOLVES);
  sent.push(resolved);
  await at(40, ['Resolved: Database down', 'Resolved: Database down']);
  // One message for each: the others have changed it. Nobody was called again at 03:20.
  expect([ada.texts.size, bob.texts.size]).toEqual([1, 1]);

  const details = await Promise.all(
    [fired, resolved].map((id) => bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`))
  );
  const { members, timeline = [] } = details[0]!;
  const story = [
    ...members.map(({ timestamp, status, title }) => `${berlin(timestamp)} ${title}: ${status}`),
    ...details.flatMap(({ deliveries = [] }) =>
      deliveries.map(
        ({ at: when, state, channel, person = 'who was told' }) =>
          `${berlin(when!)} ${state} to ${person} by ${channel}`
      )
    ),
    ...timeline.map(({ at: when, kind, by }) => `${berlin(when)} ${kind} by ${by}`),
  ];
  expect(story.toSorted()).toEqual([
    '03:00 Database down: triggered',
    '03:00 sent to ada by ada-phone',
    '03:10 sent to bob by bob-phone',
    '03:12 acknowledged by Bob, by Telegram',
    '03:40 Database down: resolved',
    '03:40 sent to who was told by ada-phone',
    '03:40 sent to who was told by bob-phone',
  ]);
});
