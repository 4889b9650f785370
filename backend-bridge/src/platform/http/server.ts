/** The HTTP server: limits of connections, and a graceful shutdown. */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { LIMITS } from '../../../contract/limits.ts';
import { newProblemId, problemDocument } from './errors.ts';
import { oneAtATime } from './oneAtATime.ts';
import { HttpProblem } from './problem.ts';

export interface Limits extends StallLimits {
  /** From the connection to the last header of a request. Milliseconds. */
  headersTimeout: number;
  /** To the end of the request. */
  requestTimeout: number;
  keepAliveTimeout: number;
  /** Grace period for responses in progress after `close()`. */
  closeTimeout: number;
  maxConnections: number;
}

/** File descriptors reserved for the database, the log, outbound connections. */
const RESERVED_FILES = 256;
const MAX_CONNECTIONS = LIMITS.connections.value;

/**
 * Twice the number of connections that the bridge is tested with; an idle one uses about 10 kB and is closed by the timeouts
 * below. Fewer if the system allows fewer open files: running out of them would affect the database as well.
 */
export function connectionLimit(openFiles: number | undefined): number {
  return Math.max(64, Math.min(MAX_CONNECTIONS, (openFiles ?? MAX_CONNECTIONS + RESERVED_FILES) - RESERVED_FILES));
}

/** Node raises its soft limit to the hard one when it starts (Linux, proc(5)); undefined if that cannot be read. */
function openFileLimit(): number | undefined {
  try {
    const match = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return match ? Number(match[1]) : undefined;
  } catch {
    return undefined;
  }
}

const DEFAULTS: Limits = {
  headersTimeout: LIMITS.headersTime.value,
  // 16 MiB of a webhook at 5 Mbit/s.
  requestTimeout: LIMITS.requestTime.value,
  // Longer than the 60 s for which common proxies keep a connection: otherwise the bridge may close one just as a request is sent.
  keepAliveTimeout: 65_000,
  responseStall: LIMITS.responseStall.value,
  unreadResponses: LIMITS.unreadResponses.value,
  closeTimeout: 5_000,
  maxConnections: MAX_CONNECTIONS,
};

export interface ListenOptions extends Partial<Limits> {
  host: string;
  /** 0: any free port. */
  port: number;
}

export type Listening = Awaited<ReturnType<typeof listen>>;

/** @throws the system's error if the address is unavailable */
export async function listen(app: RequestListener, options: ListenOptions) {
  const current = new WeakMap<Socket, ServerResponse>();
  const limits: Limits = { ...DEFAULTS, maxConnections: connectionLimit(openFileLimit()), ...options };
  const server = createServer(
    {
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      keepAliveTimeout: limits.keepAliveTimeout,
      // Interval of Node's timeout checks; with its default of 30 s a slow client could stay four times as long as allowed.
      connectionsCheckingInterval: Math.min(1_000, limits.headersTimeout),
      maxHeaderSize: LIMITS.headerBytes.value,
      noDelay: true,
    },
    oneAtATime((req, res) => {
      current.set(req.socket, res);
      app(req, res);
    })
  );
  server.maxHeadersCount = 100;
  server.maxConnections = limits.maxConnections;
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const stalled = closeStalled(sockets, (socket) => isStream(current.get(socket)), limits);
  server.on('close', () => clearInterval(stalled));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    answerBroken(error, socket as Socket, current.get(socket as Socket))
  );

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port, backlog: 1024 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    server,
    /** The port; a free one for 0. */
    port: (server.address() as AddressInfo).port,
    /** Rejects new requests, ends event streams, waits for responses in progress, and resolves when all is closed. */
    close: (): Promise<void> => close(server, sockets, current, limits.closeTimeout),
  };
}

const isStream = (response: ServerResponse | undefined): boolean =>
  response?.getHeader('content-type')?.toString().startsWith('text/event-stream') ?? false;

/** Codes of Node's HTTP server (errors documentation, "HPE_…" and "ERR_HTTP_REQUEST_TIMEOUT"). */
function brokenRequest(code: string | undefined): HttpProblem {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpProblem('timeout', 'The request did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW':
      return new HttpProblem('malformed', 'The headers are larger than 16 KiB.');
    default:
      return new HttpProblem('malformed', 'Invalid HTTP/1.1 request.');
  }
}

/** Responds on the socket, because such a request reaches no route. */
function answerBroken(error: NodeJS.ErrnoException, socket: Socket, response: ServerResponse | undefined): void {
  const answering = response !== undefined && !response.writableFinished && response.headersSent;
  if (!socket.writable || error.code === 'ECONNRESET' || answering) {
    socket.destroy();
    return;
  }
  const document = problemDocument(brokenRequest(error.code), newProblemId());
  const body = JSON.stringify(document);
  const lines = [
    `HTTP/1.1 ${document.status} ${document.title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ];
  socket.end(lines.join('\r\n'), () => socket.destroy());
}

async function close(
  server: Server,
  sockets: Set<Socket>,
  current: WeakMap<Socket, ServerResponse>,
  timeout: number
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of sockets) {
    const response = current.get(socket);
    if (isStream(response)) {
      // Browsers reconnect and resume event streams by themselves.
      response?.end();
    }
  }
  // Node keeps connections alive whose response finishes only now, and counts those without a request yet as busy.
  const idle = setInterval(() => {
    server.closeIdleConnections();
    sockets.forEach((socket) => socket.bytesRead === 0 && socket.destroy());
  }, 50);
  const late = setTimeout(() => server.closeAllConnections(), timeout);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

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
  /** Bytes of this connection that were written to the system. */
  sent: number;
  /** When the last of them were written, by performance.now(). */
  since: number;
}

/**
 * Disconnects clients that do not read their responses, which the bridge would otherwise keep for them. Checks all connections a
 * few times a second.
 * @param isExempt event streams limit and disconnect their clients themselves
 * @returns the timer, to be cleared on close
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

/** @param excess bytes to free */
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
