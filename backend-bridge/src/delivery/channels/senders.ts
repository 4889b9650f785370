/** The senders of all channels on the replica that leads. */
import type { Logger } from 'pino';
import { DESCRIPTORS } from '../../../contract/channelTypes/index.ts';
import type { MessageActions } from '../actions/service.ts';
import { Listeners } from '../actions/listeners.ts';
import { Alarm, type AlarmDeps } from './alarm.ts';
import { type Channel, type ChannelSettings, deviceChannel, type Network, PAGE } from './kinds/channel.ts';
import { createDeviceSenders } from './deviceSenders.ts';
import { Forwarder } from './forwarder.ts';
import { KINDS } from './kinds/index.ts';
import type { ChannelCounters } from './metrics.ts';
import type { ChannelSender, PumpDeps, SenderEvents } from './pump.ts';
import type { Routing } from './routing.ts';
import { Sender } from './sender.ts';

export interface SendersDeps extends Omit<PumpDeps, 'settings' | 'channel' | 'on' | 'log' | 'random'>, AlarmDeps {
  store: PumpDeps['store'];
  routing: Pick<Routing, 'devices' | 'reachedBy'>;
  /** Sends to one device over a channel of type webpush. */
  push: { channelTo(name: string, device: number): Channel };
  network: Network;
  actions: MessageActions;
  random?: () => number;
  log: Logger;
}

/** A channel, and where it is configured. */
export interface Running {
  file: string;
  settings: ChannelSettings;
  /** Undefined: it does not send. */
  sender: ChannelSender | undefined;
}

/** Channels with their secrets; they send between `start` and `stop`. */
export class Senders {
  readonly #deps: SendersDeps;
  readonly #counters: ChannelCounters;
  readonly #known = new Map<string, Running>();
  readonly #listeners: Listeners;
  #isStarted = false;

  constructor(deps: SendersDeps, counters: ChannelCounters) {
    this.#deps = deps;
    this.#counters = counters;
    this.#listeners = new Listeners(deps.actions, deps.log);
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** The network of the channels of the page, and whether presses of an account are read. */
  forPage(): { network: Network; isListening: (account: string) => boolean } {
    return { network: this.networkOf(PAGE), isListening: (account) => this.#listeners.has(account) };
  }

  get(name: string): Running | undefined {
    return this.#known.get(name);
  }

  settings(): ChannelSettings[] {
    return [...this.#known.values()].map(({ settings }) => settings);
  }

  start(): void {
    this.#isStarted = true;
    this.#known.forEach((one) => this.#startSender(one));
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    await Promise.all([...this.#known.values()].map((one) => this.#stopSender(one)));
  }

  /** @param names undefined: all @param hasResponses of which each channel may show some */
  wake(names: ReadonlySet<string> | undefined, hasResponses: boolean): void {
    this.#known.forEach(({ sender }, name) => {
      if (hasResponses || names?.has(name) !== false) {
        sender?.wake(hasResponses);
      }
    });
  }

  /** Replaces the channels of one file, or of the page. */
  async replace(file: string, channels: readonly ChannelSettings[]): Promise<void> {
    const wanted = new Map(channels.map((settings) => [settings.name, settings]));
    for (const [name, one] of this.#known) {
      const same = JSON.stringify(one.settings) === JSON.stringify(wanted.get(name));
      if (one.file === file && !same) {
        this.#known.delete(name);
        await this.#stopSender(one);
      }
    }
    this.add(file, channels);
  }

  /** Adds channels that are not known yet. */
  add(file: string, channels: readonly ChannelSettings[]): void {
    for (const settings of channels.filter(({ name }) => !this.#known.has(name))) {
      const one: Running = { file, settings, sender: undefined };
      this.#known.set(settings.name, one);
      if (this.#isStarted) {
        this.#startSender(one);
      }
    }
  }

  /** Channels of the page reach public addresses only. */
  networkOf(file: string): Network {
    const { network } = this.#deps;
    return file === PAGE ? { ...network, isPublicOnly: true } : network;
  }

  #startSender(one: Running): void {
    const { settings, file } = one;
    const { name, type } = settings;
    const alarm = new Alarm(name, this.#deps);
    this.#counters.add(name);
    if (DESCRIPTORS[type].hasDevices) {
      // A failure of one device is reported only if all devices fail.
      one.sender = this.#deviceSenders(settings, this.#eventsOf(name, alarm, false));
      return;
    }
    const channel = KINDS[type](settings, this.networkOf(file));
    const common = { ...this.#deps, random: this.#deps.random ?? Math.random, settings };
    const on = this.#eventsOf(name, alarm, true);
    if (settings.actions && channel.presses) {
      this.#listeners.add(name, channel.presses);
    }
    one.sender =
      'sendAll' in channel
        ? new Forwarder({ ...common, channel, on }).start()
        : new Sender({ ...common, channel, on }).start();
  }

  #deviceSenders(settings: ChannelSettings, on: SenderEvents): ChannelSender {
    const { store, routing, push, steady, log, random = Math.random } = this.#deps;
    const { name } = settings;
    return createDeviceSenders({
      name,
      waiting: () => store.channelsWaiting(),
      start: (device) =>
        new Sender({
          ...this.#deps,
          random,
          settings: { ...settings, name: deviceChannel(name, device) },
          channel: push.channelTo(name, device),
          personal: () => routing.devices().find(({ id }) => id === device)?.quiet,
          on,
        }).start(),
      steady,
      onError: (error) => log.error({ err: error, channel: name }, 'could not read the outbox; retrying'),
    });
  }

  /** @param isLoud whether one message that was given up is an alert */
  #eventsOf(name: string, alarm: Alarm, isLoud: boolean): SenderEvents {
    const counters = this.#counters;
    return {
      sent(count, seconds) {
        counters.sent(name, count, seconds);
        alarm.works();
      },
      retried(reason) {
        counters.retried(name);
        alarm.fails(reason, false);
      },
      gaveUp(count, reason) {
        counters.failed(name, count);
        alarm.fails(reason, isLoud);
      },
    };
  }

  async #stopSender(one: Running): Promise<void> {
    const { sender } = one;
    one.sender = undefined;
    await Promise.all([this.#listeners.remove(one.settings.name), sender?.close()]);
  }
}
