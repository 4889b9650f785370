/** Disconnects clients that do not read their responses, which the bridge would otherwise keep for them. */
import type { Socket } from 'node:net';

/** Milliseconds. */
const CHECK_EVERY = 250;

export interface StallLimits {
  /** A client that takes longer for a response, or for the next part of a streamed one, is disconnected. Milliseconds. */
  responseStall: number;
  /** Bytes of responses that clients have not read yet, of all clients. */
  unreadResponses: number;
}

interface Unread {
  bytes: number;
  /** Bytes of this connection that the system has taken. */
  sent: number;
  /** When it took the last of them, by performance.now(). */
  since: number;
}

/**
 * Looks at all connections a few times a second.
 * @param isExempt event streams bound and end their clients themselves
 * @returns the timer, to be cleared at the end
 */
export function closeStalled(
  sockets: ReadonlySet<Socket>,
  isExempt: (socket: Socket) => boolean,
  { responseStall, unreadResponses }: StallLimits
): NodeJS.Timeout {
  const unread = new Map<Socket, Unread>();
  const check = (): void => {
    const now = performance.now();
    let total = 0;
    for (const socket of sockets) {
      const bytes = socket.writableLength;
      if (bytes === 0 || isExempt(socket)) {
        unread.delete(socket);
        continue;
      }
      const sent = socket.bytesWritten - bytes;
      const before = unread.get(socket);
      const since = before?.sent === sent ? before.since : now;
      if (now - since >= responseStall) {
        socket.destroy();
        continue;
      }
      unread.set(socket, { bytes, sent, since });
      total += bytes;
    }
    closeLongest(unread, total - unreadResponses);
    for (const socket of unread.keys()) {
      if (socket.destroyed) {
        unread.delete(socket);
      }
    }
  };
  return setInterval(check, Math.min(CHECK_EVERY, responseStall)).unref();
}

/** @param excess bytes to get rid of */
function closeLongest(unread: ReadonlyMap<Socket, Unread>, excess: number): void {
  if (excess <= 0) {
    return;
  }
  let left = excess;
  for (const [socket, { bytes }] of [...unread].sort(([, a], [, b]) => a.since - b.since)) {
    if (left <= 0) {
      return;
    }
    left -= bytes;
    socket.destroy();
  }
}
