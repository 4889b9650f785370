/** Senders as they should be: each notification is repeated under one Idempotency-Key until it is acknowledged. */
import { setTimeout as wait } from 'node:timers/promises';
import { NDJSON } from '../../backend-bridge/contract/batch.ts';
import { SEND_PATH } from '../bench/load.ts';

/** Members of a thread: all but the last are `triggered`, the last is `resolved`. */
export const THREAD_MEMBERS = 5;
const RETRY_MS = 100;
/** A response that does not come, from a bridge or a server that hangs. */
const ATTEMPT_MS = 15_000;

export interface Senders {
  /** Titles of all acknowledged notifications. */
  readonly acknowledged: readonly string[];
  /** Responses by status, and failed attempts as 0. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Lets each sender end its thread. */
  end(): Promise<void>;
}

export interface Sending {
  /** URLs of the bridges, in turn. */
  urls: readonly string[];
  senders: number;
  /** Between the notifications of one sender. Default: 0 */
  pauseMs?: number;
  /** Length of the bodies. Default: 400 */
  bodyChars?: number;
  /** Notifications of a request, a multiple of {@link THREAD_MEMBERS}. Default: single sends */
  batch?: number | undefined;
}

const notificationOf = (sender: number, count: number, bodyChars: number) => ({
  title: `${sender}/${count}`,
  body: 'x'.repeat(bodyChars),
  dnpName: `sender-${sender}.example.eth`,
  correlationId: `thread-${Math.floor(count / THREAD_MEMBERS)}`,
  status: (count + 1) % THREAD_MEMBERS === 0 ? 'resolved' : 'triggered',
});

export function startSenders({ urls, senders, pauseMs = 0, bodyChars = 400, batch = 1 }: Sending): Senders {
  const acknowledged: string[] = [];
  const statuses = new Map<number, number>();
  let isOver = false;

  const attempt = async (turn: number, title: string, body: string): Promise<number> => {
    const status = await fetch(`${urls[turn % urls.length]}${batch === 1 ? SEND_PATH : `${SEND_PATH}/batch`}`, {
      method: 'POST',
      headers: { 'Content-Type': batch === 1 ? 'application/json' : NDJSON, 'Idempotency-Key': title },
      body,
      signal: AbortSignal.timeout(ATTEMPT_MS),
    }).then(
      // Read to the end: a connection that is cut within the response is no acknowledgement.
      (response) => response.text().then(() => response.status),
      () => 0
    );
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    return status;
  };

  const send = async (sender: number): Promise<void> => {
    let turn = sender;
    for (let count = 0; !isOver || count % THREAD_MEMBERS !== 0; count += batch) {
      const sent = Array.from({ length: batch }, (_, index) => notificationOf(sender, count + index, bodyChars));
      const title = sent[0]!.title;
      const body = sent.map((one) => JSON.stringify(one)).join('\n');
      for (;;) {
        const status = await attempt(turn++, title, body).catch(() => 0);
        if (status === 200 || status === 201) {
          break;
        }
        if (status !== 0 && status !== 503) {
          throw new Error(`${title} was rejected with ${status}`);
        }
        await wait(RETRY_MS);
      }
      acknowledged.push(...sent.map((one) => one.title));
      if (pauseMs > 0) {
        await wait(pauseMs);
      }
    }
  };

  const all = Promise.all(Array.from({ length: senders }, (_, sender) => send(sender)));
  // It is reported by `end`.
  all.catch(() => undefined);
  return {
    acknowledged,
    statuses,
    async end() {
      isOver = true;
      await all;
    },
  };
}
