/** Web push: the devices of persons, and what is sent to them besides what waits in the outbox: tests, and closing what was read. */
import { ECDH, hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Actor } from '../../../contract/audit.ts';
import type { ChannelTest } from '../../../contract/channel.ts';
import { DESCRIPTORS } from '../../../contract/channelTypes/index.ts';
import type { PersonHours } from '../../../contract/hours.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { OWN_PACKAGE } from '../../../contract/notification.ts';
import type { Device, DeviceList, NewDevice, PushKey } from '../../../contract/push.ts';
import { isoTime } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { deviceChannel, type Message, type Network } from '../channels/channel.ts';
import { createDevice, type DeviceChannel } from '../channels/kinds/webpush.ts';
import type { Routing } from '../channels/routing.ts';
import type { OutboxStore } from '../channels/store.ts';
import type { EventFeed } from '../../platform/events/feed.ts';
import type { Person } from '../../platform/http/guard.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { ReadState } from '../../inbox/readers/service.ts';
import { repeat } from '../../platform/runtime/repeat.ts';
import type { PushDeviceRow, PushKeyRow } from '../../platform/storage/schema.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { type Closing, createClosing } from './closing.ts';
import { newPushKeys } from './keys.ts';
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

export interface PushDeps {
  store: PushStore;
  outbox: Pick<OutboxStore, 'statusOf'>;
  routing: Pick<Routing, 'channels' | 'devices'>;
  writes: Pick<WriteQueue, 'submit'>;
  feed: Pick<EventFeed, 'onEvents'>;
  readState: ReadState;
  network: Network;
  /** The system's clock, UTC milliseconds. */
  now: () => number;
  /** The bridge's own clock. */
  steady: () => number;
  log: Pick<Logger, 'error' | 'warn'>;
}

/** Devices, keys and personal quiet hours of web push. */
export interface Push {
  /** Makes the keys if a channel is configured and there are none. */
  key(): Promise<PushKey>;
  /** Removes all devices: they are bound to the keys. */
  replaceKey(by: Actor): Promise<PushKey>;
  list(person: Person): Promise<DeviceList>;
  /** @throws HttpProblem 400 for a key that is none; 409 without a channel, with other keys, or beyond the limit */
  add(person: Person, device: NewDevice): Promise<Device>;
  quietHours(person: Person): Promise<PersonHours>;
  /** @throws HttpProblem 409 beyond the limit */
  setQuietHours(person: Person, hours: PersonHours): Promise<void>;
  /** @throws HttpProblem 404 if it is not a device of the person */
  rename(person: Person, id: number, name: string): Promise<void>;
  remove(person: Person, id: number): Promise<void>;
  /** @throws HttpProblem 404 if it is not a device of the person, 409 without a channel */
  test(person: Person, id: number): Promise<ChannelTest>;
  /** Sends to one device over a channel of type webpush. */
  channelTo(name: string, device: number): DeviceChannel;
  /** On the replica that leads, until the function that it returns is called: closes what was read, and removes old devices. */
  start(): () => Promise<void>;
}

const EXPIRE_EVERY_MS = 60 * 60_000;
const TEST_MS = 20_000;

/** Keys are generated at the first use and kept in the store; private addresses need NODEBELL_OUTBOUND_ALLOW. */
export function createPush(deps: PushDeps): Push {
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
    async key() {
      return { publicKey: channels().length === 0 ? null : (await keys()).public_key };
    },
    async replaceKey(by) {
      const made = newPushKeys(now());
      await writes.submit(replacePushKeys, { keys: made, by, channels: names() });
      return { publicKey: channels().length === 0 ? null : made.public_key };
    },
    remove: (person, id) => remove(id, person.key),
    quietHours: (person) => store.quietHours(person.key),
    async setQuietHours(person, hours) {
      if (!(await writes.submit(setQuietHours, { ...hours, person: person.key, now: now() }))) {
        throw new HttpProblem(
          'conflict',
          `${LIMITS.quietPersons.value} persons have quiet hours: no more can be stored.`
        );
      }
    },
    channelTo,
    start() {
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
  { names, channelTo }: { names: () => string[]; channelTo: Push['channelTo'] }
): Pick<Push, 'list' | 'add' | 'rename' | 'test'> {
  const asDevice = async (row: PushDeviceRow): Promise<Device> => {
    const status = await outbox.statusOf(names().map((name) => deviceChannel(name, row.id)));
    return {
      id: row.id,
      name: row.name,
      fingerprint: row.fingerprint,
      service: new URL(row.endpoint).host,
      createdAt: isoTime(row.created_ts),
      lastDeliveredAt: status.lastDeliveredAt ?? null,
      lastFailure: status.lastFailure ?? null,
    };
  };
  const own = async (person: Person, id: number): Promise<PushDeviceRow> => {
    const row = await store.one(id);
    if (row?.person !== person.key) {
      throw new HttpProblem('not-found', `You have no device with the id ${id}.`);
    }
    return row;
  };
  const requireChannel = (): string => {
    const [channel] = names();
    if (channel === undefined) {
      throw new HttpProblem('conflict', 'No channel of type webpush is configured.');
    }
    return channel;
  };

  return {
    async list(person) {
      return { devices: await Promise.all((await store.of(person.key)).map(asDevice)) };
    },
    async add(person, given) {
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
    async rename(person, id, name) {
      await own(person, id);
      await writes.submit(renameDevice, { id, person: person.key, name });
    },
    async test(person, id) {
      await own(person, id);
      const options = { signal: AbortSignal.timeout(TEST_MS), idempotencyKey: `test-${id}`, via: [] };
      const outcome = await channelTo(requireChannel(), id).send(testMessage(now()), options);
      return outcome.kind === 'delivered' ? { delivered: true } : { delivered: false, reason: outcome.reason };
    },
  };
}

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

const testMessage = (at: number): Message => ({
  id: 0,
  timestamp: isoTime(at),
  title: 'Test',
  body: 'This device receives notifications.',
  category: 'other',
  dnpName: OWN_PACKAGE,
  priority: 'low',
  status: 'triggered',
  correlationId: 'test',
  key: 'test',
  ref: undefined,
  count: 0,
});

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
