/** Alerts about channels that fail, and the resolution of alerts whose channel or calendar was removed. */
import type { Logger } from 'pino';
import { type NotificationPayload, OWN_PACKAGE } from '../../../contract/notification.ts';
import type { Receive } from '../../inbox/notifications/receive.ts';
import { Turns } from '../../platform/runtime/recurring.ts';
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

type Text = Pick<NotificationPayload, 'title' | 'body'>;

/** Beginnings of the `correlationId` of alerts, which ends with a name. */
const PREFIXES = { channel: 'channel-', calendar: 'calendar-' } as const;
type Subject = keyof typeof PREFIXES;

const REMOVED: Record<Subject, (name: string) => Text> = {
  channel: (name) => ({ title: `The channel ${name} was removed`, body: 'Nothing is sent to it any more.' }),
  calendar: (name) => ({ title: `The calendar of ${name} was removed`, body: 'Nobody is on call by it any more.' }),
};

/** @param subject and `name` identify its thread */
export const alertAbout = (
  subject: Subject,
  name: string,
  text: Text & { status: 'triggered' | 'resolved' }
): NotificationPayload & { correlationId: string } => ({
  ...text,
  category: 'system',
  dnpName: OWN_PACKAGE,
  priority: 'high',
  correlationId: `${PREFIXES[subject]}${name}`,
});

/** Notifies that a channel fails, again if its thread was closed meanwhile, and that it works again; never over that channel. */
export class Alarm {
  readonly #name: string;
  readonly #deps: AlarmDeps;
  #failingSince: number | undefined;
  /** Read again after {@link ALARM_MS}: an admin can resolve its thread while it fails. */
  #known: { open: boolean; at: number } | undefined;
  readonly #turns = new Turns();

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
    this.#turns
      .run(async () => {
        if (this.#isKnown(open)) {
          return;
        }
        const payload = alertAbout('channel', this.#name, { ...text, status: open ? 'triggered' : 'resolved' });
        if ((await store.isFiring(payload.correlationId)) !== open) {
          await receive([{ payload, source: 'bridge', notThrough: this.#name }]);
        }
        this.#known = { open, at: steady() };
      })
      .catch((error: unknown) => log.error({ err: error, channel: this.#name }, 'could not store a notification'));
  }
}

/** Resolves alerts about channels and calendars that were removed. @param present names of the others */
export async function resolveAlarms(
  { store, receive }: Pick<AlarmDeps, 'store' | 'receive'>,
  present: Record<Subject, ReadonlySet<string>>
): Promise<void> {
  for (const subject of ['channel', 'calendar'] as const) {
    const prefix = PREFIXES[subject];
    const open = (await store.openOf(OWN_PACKAGE, prefix)).map((id) => id.slice(prefix.length));
    await receive(
      open
        .filter((name) => !present[subject].has(name))
        .map((name) => ({
          payload: alertAbout(subject, name, { ...REMOVED[subject](name), status: 'resolved' }),
          source: 'bridge',
        }))
    );
  }
}
