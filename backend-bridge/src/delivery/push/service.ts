/** Web push: the devices of persons, and what is sent to them besides what waits in the outbox: tests, and closing what was read. */
import { ECDH, hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Actor } from '../../../contract/audit.ts';
import type { ChannelTest } from '../../../contract/channel.ts';
import { DESCRIPTORS } from '../../../contract/channelTypes/index.ts';
import type { PersonHours } from '../../../contract/hours.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Device, DeviceList, NewDevice, PushKey } from '../../../contract/push.ts';
import { isoTime } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { deviceChannel, type Network } from '../channels/kinds/channel.ts';
import { createDevice, type DeviceChannel } from '../channels/kinds/webpush.ts';
import type { PumpDeps } from '../channels/pump.ts';
import type { Routing } from '../channels/routing.ts';
import type { OutboxStore } from '../channels/store.ts';
import { ownMessage } from '../channels/kinds/text.ts';
import type { EventFeed } from '../../platform/events/feed.ts';
import type { Person } from '../../platform/http/guard.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { ReadState } from '../../inbox/readers/service.ts';
import { repeat } from '../../platform/runtime/repeat.ts';
import type { PushDeviceRow, PushKeyRow } from '../../platform/storage/schema.ts';
import { type Closing, createClosing } from './closing.ts';
import { newPushKeys } from '../channels/kinds/vapid.ts';
import type { PushStore } from './store.ts';
import {
  addDevice,
  expireDevices,
  keepPushKeys,
  removeDevice,
  renameDevice,
  replacePushKeys,
  setQuietHours,
} from './writes.ts';

export interface PushDeps extends Pick<PumpDeps, 'writes' | 'now' | 'steady'> {
  store: PushStore;
  outbox: Pick<OutboxStore, 'statusOf'>;
  routing: Pick<Routing, 'channels' | 'devices'>;
  feed: Pick<EventFeed, 'onEvents'>;
  readState: ReadState;
  network: Network;
  log: Pick<Logger, 'error' | 'warn'>;
}

export type Push = ReturnType<typeof createPush>;

const EXPIRE_EVERY_MS = 60 * 60_000;
const TEST_MS = 20_000;

/**
 * Devices, keys and personal quiet hours of web push. Keys are generated at the first use and kept in the store; private addresses need
 * NODEBELL_OUTBOUND_ALLOW.
 */
export function createPush(deps: PushDeps) {
  const { store, routing, writes, feed, network, now, steady, log } = deps;
  const channels = () => routing.channels().filter(({ type }) => DESCRIPTORS[type].hasDevices);
  const names = (): string[] => channels().map(({ name }) => name);

  const keys = async (): Promise<PushKeyRow> =>
    (await store.keys()) ?? (await writes.submit(keepPushKeys, newPushKeys(now())));

  const remove = (id: number, person: string | null): Promise<void> =>
    writes.submit(removeDevice, { id, person, channels: names() });

  const channelTo = (name: string, id: number): DeviceChannel =>
    createDevice({
      network,
      async target() {
        const subject = channels().find((one) => one.name === name)?.target;
        const device = await store.one(id);
        return subject === undefined || device === undefined ? undefined : { device, keys: await keys(), subject };
      },
      onGone: () => remove(id, null),
    });

  let closing: Closing | undefined;
  feed.onEvents((events) => closing?.read(events));

  return {
    ...createOwnDevices(deps, { names, channelTo }),
    /** Makes the keys if a channel is configured and there are none. */
    async key(): Promise<PushKey> {
      return { publicKey: channels().length === 0 ? null : (await keys()).public_key };
    },
    /** Removes all devices: they are bound to the keys. */
    async replaceKey(by: Actor): Promise<PushKey> {
      const made = newPushKeys(now());
      await writes.submit(replacePushKeys, { keys: made, by, channels: names() });
      return { publicKey: channels().length === 0 ? null : made.public_key };
    },
    remove: (person: Person, id: number) => remove(id, person.key),
    quietHours: (person: Person): Promise<PersonHours> => store.quietHours(person.key),
    /** @throws HttpProblem 409 beyond the limit */
    async setQuietHours(person: Person, hours: PersonHours): Promise<void> {
      if (!(await writes.submit(setQuietHours, { ...hours, person: person.key, now: now() }))) {
        throw new HttpProblem(
          'conflict',
          `${LIMITS.quietPersons.value} persons have quiet hours: no more can be stored.`
        );
      }
    },
    /** Sends to one device over a channel of type webpush. */
    channelTo,
    /** On the replica that leads, until the function that it returns is called: closes what was read, and removes old devices. */
    start(): () => Promise<void> {
      const own = createClosing(deps, { channelTo, names });
      closing = own;
      const before = (): number => steady() - LIMITS.pushDeviceDays.value * DAY_MS;
      const stop = repeat(
        'remove old devices',
        EXPIRE_EVERY_MS,
        () => writes.submit(expireDevices, { before: before(), channels: names() }),
        log
      );
      return async () => {
        closing = undefined;
        stop();
        await own.end();
      };
    },
  };
}

/** Operations of a person on their own devices. */
function createOwnDevices(
  { store, outbox, writes, now, steady }: PushDeps,
  { names, channelTo }: { names: () => string[]; channelTo: (name: string, device: number) => DeviceChannel }
) {
  const asDevice = async (row: PushDeviceRow): Promise<Device> =>
    deviceOf(row, await outbox.statusOf(names().map((name) => deviceChannel(name, row.id))));
  const own = async (person: Person, id: number): Promise<PushDeviceRow> => {
    const row = await store.one(id);
    if (row?.person !== person.key) {
      throw new HttpProblem('not-found', `You have no device with the id ${id}.`);
    }
    return row;
  };
  const requireChannel = (): string => {
    const [channel] = names();
    if (channel !== undefined) {
      return channel;
    }
    throw new HttpProblem('conflict', 'No channel of type webpush is configured.');
  };

  return {
    async list(person: Person): Promise<DeviceList> {
      return { devices: await Promise.all((await store.of(person.key)).map(asDevice)) };
    },
    /** With endpoints, which are secrets: for the person's own UI only. */
    subscriptions: (person: Person): Promise<PushDeviceRow[]> => store.of(person.key),
    /** @throws HttpProblem 400 for a key that is none; 409 without a channel, with other keys, or beyond the limit */
    async add(person: Person, given: NewDevice): Promise<Device> {
      requireChannel();
      checkPoint(given.keys.p256dh);
      const added = await writes.submit(addDevice, {
        device: { ...rowOf(person, given, now()), visited_ts: steady() },
        key: given.key,
        channels: names(),
      });
      if ('rejected' in added) {
        throw new HttpProblem('conflict', REJECTED[added.rejected]);
      }
      return asDevice(await own(person, added.id));
    },
    /** @throws HttpProblem 404 if it is not a device of the person */
    async rename(person: Person, id: number, name: string): Promise<void> {
      await own(person, id);
      await writes.submit(renameDevice, { id, person: person.key, name });
    },
    /** @throws HttpProblem 404 if it is not a device of the person, 409 without a channel */
    async test(person: Person, id: number): Promise<ChannelTest> {
      await own(person, id);
      const outcome = await channelTo(requireChannel(), id).send(testMessage(now()), {
        signal: AbortSignal.timeout(TEST_MS),
        idempotencyKey: `test-${id}`,
        via: [],
      });
      return outcome.kind === 'delivered' ? { delivered: true } : { delivered: false, reason: outcome.reason };
    },
  };
}

const deviceOf = (
  row: PushDeviceRow,
  { lastDeliveredAt, lastFailure }: Awaited<ReturnType<PushDeps['outbox']['statusOf']>>
): Device => ({
  id: row.id,
  name: row.name,
  fingerprint: row.fingerprint,
  service: new URL(row.endpoint).host,
  createdAt: isoTime(row.created_ts),
  lastDeliveredAt,
  lastFailure,
});

const rowOf = (
  person: Person,
  { endpoint, keys, name }: NewDevice,
  ts: number
): Omit<PushDeviceRow, 'id' | 'visited_ts'> => ({
  person: person.key,
  login: person.login,
  name,
  endpoint,
  fingerprint: hash('sha256', endpoint, 'base64url'),
  ...keys,
  created_ts: ts,
});

const testMessage = (at: number) =>
  ownMessage({ title: 'Test', body: 'This device receives notifications.', key: 'test', count: 0 }, at);

const REJECTED = {
  full: `There are too many devices: at most ${LIMITS.pushDevicesOfPerson.value} of a person, and ${LIMITS.pushDevices.value} in all.`,
  'key-replaced': 'The keys of web push have been replaced: subscribe again.',
} as const;

/** @throws HttpProblem 400 if it is not a point on the curve */
function checkPoint(p256dh: string): void {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url');
  } catch {
    throw new HttpProblem('invalid', 'keys.p256dh is not a public key on the curve P-256.');
  }
}
