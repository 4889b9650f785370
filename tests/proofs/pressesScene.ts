/** A bridge with Telegram and ntfy behind networks that can be cut, and an open inbox. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { type Receiver, startNtfy } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { startTelegram, type Telegram } from '../../backend-bridge/src/delivery/channels/telegram.testing.ts';
import { SEND_PATH } from '../bench/load.ts';
import { killable, type KillableBridge, until } from './kills.ts';
import { type OpenInbox, openInbox } from './openInbox.ts';
import { type Proxy, startProxy } from './proxy.ts';

const BOT = '123456789:AAabcdefghijklmnopqrstuvwxyz0123456';
const BY = 'Ada, by Telegram';
/** Alerts that are sent at a time. */
const ALERTS = 3;

export interface Compared {
  /** Alerts that were acknowledged by a press. */
  pressed: number;
  /** Messages in Telegram beyond one for each alert. */
  doubled: number;
  /** Messages to ntfy beyond that. They have the same sequence id, so that its app shows one. */
  repeated: number;
}

/** Alerts are numbered from 0. */
export class PressesScene {
  readonly ids: number[] = [];
  readonly bridge: KillableBridge;
  readonly #telegram: Telegram;
  readonly #ntfy: Receiver;
  readonly #proxies: readonly Proxy[];
  readonly #inbox: OpenInbox;

  private constructor(bridge: KillableBridge, telegram: Telegram, ntfy: Receiver, proxies: readonly Proxy[]) {
    this.bridge = bridge;
    this.#telegram = telegram;
    this.#ntfy = ntfy;
    this.#proxies = proxies;
    this.#inbox = openInbox(bridge.url);
  }

  static async open(folder: string, detached: boolean): Promise<PressesScene> {
    const [telegram, ntfy] = [await startTelegram(BOT), await startNtfy()];
    const proxies = await Promise.all([telegram, ntfy].map(({ url }) => startProxy(Number(new URL(url).port))));
    const [chat, push] = proxies.map(({ port }) => `http://127.0.0.1:${port}`) as [string, string];
    const files = join(folder, 'files');
    mkdirSync(files);
    const common = 'perMinute: 1000000';
    writeFileSync(
      join(files, 'reach.yaml'),
      `apiVersion: 1
channels:
  - { name: chat, type: telegram, url: '${chat}', token: $BOT, chatId: 42, actions: [acknowledge], ${common} }
  - { name: push, type: ntfy, url: '${push}', topic: node, ${common} }
routes: [{ channels: [chat, push] }]
`
    );
    const settings = { NODEBELL_PROVISIONING_DIR: files, NODEBELL_LOG_LEVEL: 'silent', BOT };
    const bridge = await killable({ dataDir: join(folder, 'data'), settings, detached });
    await bridge.start();
    return new PressesScene(bridge, telegram, ntfy, proxies);
  }

  set(mode: Parameters<Proxy['set']>[0]): void {
    this.#proxies.forEach((proxy) => proxy.set(mode));
  }

  cuts(): number {
    return this.#proxies.reduce((sum, { cuts }) => sum + cuts, 0);
  }

  /** Sends alerts, each until it is acknowledged. @returns their numbers */
  async fire(count = ALERTS): Promise<number[]> {
    const numbers = Array.from({ length: count }, (_, index) => this.ids.length + index);
    this.ids.push(...(await Promise.all(numbers.map((number) => this.#send(`n${number}`)))));
    return numbers;
  }

  async #send(title: string): Promise<number> {
    const body = JSON.stringify({ title, body: 'x', dnpName: 'geth', correlationId: title, status: 'triggered' });
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': title };
    for (;;) {
      const response = fetch(this.bridge.url + SEND_PATH, { method: 'POST', headers, body });
      const stored = await response
        .then(async (one) => (one.ok ? ((await one.json()) as { id: number }) : undefined))
        .catch(() => undefined);
      if (stored) {
        return stored.id;
      }
      await wait(10);
    }
  }

  /** The button of the newest message of an alert. */
  #button(number: number): string | undefined {
    const title = new RegExp(`\\bn${number}\\b`);
    const [id = 0] = [...this.#telegram.texts].findLast(([, text]) => title.test(text)) ?? [];
    return this.#telegram.buttons.get(id)?.['Acknowledge'];
  }

  haveButtons(numbers: readonly number[]): Promise<void> {
    return until(
      () => numbers.every((number) => this.#button(number) !== undefined),
      () => `of ${numbers.join()}, not all have reached Telegram`
    );
  }

  /** Each twice, as by a thumb in a hurry. */
  press(...numbers: number[]): void {
    for (const number of numbers) {
      const button = this.#button(number)!;
      this.#telegram.press(button, { first_name: 'Ada' });
      this.#telegram.press(button, { first_name: 'Ada' });
    }
  }

  areSeen(numbers: readonly number[]): Promise<void> {
    return until(
      () => numbers.every((number) => this.#inbox.times(this.ids[number]!) > 0),
      () => `of the presses of ${numbers.join()}, the inbox does not see all`
    );
  }

  /** Milliseconds from a press to its event. */
  async timed(): Promise<number> {
    const numbers = await this.fire(1);
    await this.haveButtons(numbers);
    const start = performance.now();
    this.press(...numbers);
    await this.areSeen(numbers);
    return performance.now() - start;
  }

  /** Compares what the bridge has stored and the services have received. */
  async compare(kills: number): Promise<{ result: Compared; mistakes: string[] }> {
    const { ids } = this;
    const mistakes: string[] = [];
    const sequences = (): Set<unknown> => new Set(this.#ntfy.accepted.map(({ json }) => json.sequence_id));
    await until(
      () => sequences().size >= ids.length,
      () => `ntfy has ${sequences().size} of ${ids.length} alerts`
    );
    if (sequences().size > ids.length) {
      mistakes.push(`ntfy shows ${sequences().size} messages of ${ids.length} alerts`);
    }
    const doubled = this.#telegram.texts.size - ids.length;
    if (doubled > kills) {
      mistakes.push(`${doubled} messages are doubled in Telegram by ${kills} kills`);
    }
    for (const id of ids) {
      const { timeline = [] } = await this.#read<NotificationDetail>(`/api/v1/notifications/${id}`);
      const acts = timeline.map((entry) => `${entry.kind} by ${entry.by}`).join();
      if (acts !== `acknowledged by ${BY}` || this.#inbox.times(id) !== 1) {
        mistakes.push(`${id}: ${acts || 'nothing was done'}; seen ${this.#inbox.times(id)} times`);
      }
    }
    return {
      result: { pressed: ids.length, doubled, repeated: this.#ntfy.accepted.length - sequences().size },
      mistakes,
    };
  }

  async #read<T>(path: string): Promise<T> {
    return (await (await this.bridge.get(path)).json()) as T;
  }

  async close(): Promise<void> {
    await this.#inbox.close();
    await this.bridge.stop();
    this.#proxies.forEach((proxy) => proxy.close());
    await Promise.all([this.#telegram.close(), this.#ntfy.close()]);
  }
}
