/** The senders of a channel of type webpush, one for each device for which anything waits: a device that fails holds up no other. */
import { ofDevice } from './kinds/channel.ts';
import type { ChannelSender } from './pump.ts';

export interface DeviceSendersDeps {
  /** Name of the configured channel. */
  name: string;
  /** Names of channels in the outbox for which anything waits. */
  waiting: () => Promise<string[]>;
  start: (device: number) => ChannelSender;
  /** The bridge's own clock, UTC milliseconds. */
  steady: () => number;
  onError: (error: unknown) => void;
}

const LOOK_MS = 60_000;
/** A sender remembers for a minute how much it has sent. */
const IDLE_MS = 2 * 60_000;

/** Looks every minute, and when woken, for devices with waiting notifications; idle senders are closed after two minutes. */
export function createDeviceSenders({ name, waiting, start, steady, onError }: DeviceSendersDeps): ChannelSender {
  const senders = new Map<number, { sender: ChannelSender; busyAt: number }>();
  let isClosed = false;
  let again = false;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const names = await waiting();
    const devices = names
      .map(ofDevice)
      .flatMap((one) => (one.name === name && one.device !== undefined ? one.device : []));
    for (const device of isClosed ? [] : devices) {
      const known = senders.get(device);
      const sender = known?.sender ?? start(device);
      senders.set(device, { sender, busyAt: steady() });
      sender.wake();
    }
    const idle = [...senders].filter(([, { busyAt }]) => steady() - busyAt > IDLE_MS);
    idle.forEach(([device]) => senders.delete(device));
    await Promise.all(idle.map(([, { sender }]) => sender.close()));
  }

  async function lookUntilDone(): Promise<void> {
    do {
      again = false;
      await look().catch(onError);
    } while (again && !isClosed);
    looking = undefined;
  }

  const wake = (): void => {
    again = true;
    looking ??= lookUntilDone();
  };
  const timer = setInterval(wake, LOOK_MS);
  timer.unref();
  wake();

  return {
    wake,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await looking;
      await Promise.all([...senders.values()].map(({ sender }) => sender.close()));
    },
  };
}
