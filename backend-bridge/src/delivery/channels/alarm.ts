/** The notification about a channel that fails. */
import type { Logger } from 'pino';
import { type NotificationPayload, OWN_PACKAGE } from '../../../contract/notification.ts';
import type { Receive } from '../../inbox/notifications/receive.ts';
import type { OutboxStore } from './store.ts';

export interface AlarmDeps {
  store: Pick<OutboxStore, 'isFiring' | 'openOf'>;
  receive: Receive;
  /** The bridge's own clock. */
  steady: () => number;
  log: Pick<Logger, 'error'>;
}

/** A channel that fails for so long is reported; one that rejects a message, at once. Milliseconds. */
const ALARM_MS = 5 * 60_000;
const PREFIX = 'channel-';

type Text = Pick<NotificationPayload, 'title' | 'body'>;
const payloadOf = (name: string, text: Text, status: 'triggered' | 'resolved'): NotificationPayload => ({
  ...text,
  category: 'system',
  dnpName: OWN_PACKAGE,
  priority: 'high',
  status,
  correlationId: `${PREFIX}${name}`,
});

/** Notifies that a channel fails, again if its thread was closed meanwhile, and that it works again; never over that channel. */
export class Alarm {
  readonly #name: string;
  readonly #deps: AlarmDeps;
  #failingSince: number | undefined;
  /** Read again after {@link ALARM_MS}: an admin can resolve its thread while it fails. */
  #known: { open: boolean; at: number } | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(name: string, deps: AlarmDeps) {
    this.#name = name;
    this.#deps = deps;
  }

  works(): void {
    this.#failingSince = undefined;
    this.#notify({ title: `The channel ${this.#name} works again`, body: 'What waited is being sent.' }, false);
  }

  fails(reason: string, isLost: boolean): void {
    const now = this.#deps.steady();
    this.#failingSince ??= now;
    if (isLost || now - this.#failingSince >= ALARM_MS) {
      const body = `${reason}\n\nThe notifications are in the inbox. What was given up is listed in \`/channels/undelivered\`.`;
      this.#notify({ title: `The channel ${this.#name} does not deliver`, body }, true);
    }
  }

  #isKnown(open: boolean): boolean {
    return this.#known?.open === open && Math.abs(this.#deps.steady() - this.#known.at) < ALARM_MS;
  }

  #notify(text: Text, open: boolean): void {
    if (this.#isKnown(open)) {
      return;
    }
    const { store, receive, steady, log } = this.#deps;
    this.#turn = this.#turn
      .then(async () => {
        if (this.#isKnown(open)) {
          return;
        }
        const payload = payloadOf(this.#name, text, open ? 'triggered' : 'resolved');
        if ((await store.isFiring(payload.correlationId!)) !== open) {
          await receive([{ payload, source: 'bridge', notThrough: this.#name }]);
        }
        this.#known = { open, at: steady() };
      })
      .catch((error: unknown) => log.error({ err: error, channel: this.#name }, 'could not store a notification'));
  }
}

/** Resolves alerts of channels that have been removed. @param names of all channels */
export async function resolveAlarms({ store, receive }: AlarmDeps, names: ReadonlySet<string>): Promise<void> {
  const open = (await store.openOf(OWN_PACKAGE, PREFIX)).map((id) => id.slice(PREFIX.length));
  const removed = open.filter((name) => !names.has(name));
  await receive(
    removed.map((name) => {
      const text = { title: `The channel ${name} was removed`, body: 'Nothing is sent to it any more.' };
      return { payload: payloadOf(name, text, 'resolved'), source: 'bridge' };
    })
  );
}
