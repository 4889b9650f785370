/** Socket Mode on this machine. Source: docs.slack.dev, "Using Socket Mode" (hello, disconnect, envelopes); RFC 6455. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 0x81;
const CLOSE = 0x88;

function frame(opcode: number, text: string): Buffer {
  const body = Buffer.from(text);
  const length = Buffer.alloc(body.length < 126 ? 1 : 3, 126);
  if (body.length < 126) {
    length.writeUInt8(body.length);
  } else {
    length.writeUInt16BE(body.length, 1);
  }
  return Buffer.concat([Buffer.from([opcode]), length, body]);
}

/** Texts of masked frames, each in one chunk and shorter than 126 bytes: acknowledgements. */
function textsOf(chunk: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < chunk.length;) {
    const length = chunk[at + 1]! & 0x7f;
    const mask = chunk.subarray(at + 2, at + 6);
    const body = chunk.subarray(at + 6, at + 6 + length).map((byte, index) => byte ^ mask[index % 4]!);
    texts.push(...(chunk[at] === TEXT ? [Buffer.from(body).toString('utf8')] : []));
    at += 6 + length;
  }
  return texts;
}

export interface SocketMode {
  /** A new address, for one connection. */
  open(): string;
  /** Connections that have not ended. */
  connections: Set<Duplex>;
  /** Sends it over the newest connection; ids of envelopes that were acknowledged are in `acknowledged`. */
  send(envelope: object): void;
  acknowledged: string[];
  /** Ends the newest connection as Slack does: with a message, or without. */
  end(reason?: string): void;
  close(): Promise<void>;
}

/** @param broken `silent`: connections have no hello; `half-open`: they are not closed when the bridge asks for it */
export async function startSocketMode(broken?: 'silent' | 'half-open'): Promise<SocketMode> {
  const server = createServer((_request, response) => response.writeHead(426).end());
  const connections = new Set<Duplex>();
  const acknowledged: string[] = [];
  const tickets = new Set<string>();
  server.on('upgrade', (request, socket: Duplex) => {
    if (!tickets.delete(request.url ?? '')) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${GUID}`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`
    );
    connections.add(socket);
    socket.on('data', (chunk: Buffer) => {
      acknowledged.push(...textsOf(chunk).map((text) => (JSON.parse(text) as { envelope_id: string }).envelope_id));
      if (chunk[0] === CLOSE && broken !== 'half-open') {
        socket.end(frame(CLOSE, ''));
      }
    });
    socket.on('close', () => connections.delete(socket)).on('error', () => socket.destroy());
    const hello = { type: 'hello', num_connections: 1, connection_info: { app_id: 'A1' } };
    if (broken !== 'silent') {
      socket.write(frame(TEXT, JSON.stringify(hello)));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const newest = (): Duplex | undefined => [...connections].at(-1);
  return {
    connections,
    acknowledged,
    open() {
      const path = `/link/?ticket=${tickets.size}-${connections.size}-${Math.random()}&app_id=A1`;
      tickets.add(path);
      return `ws://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    },
    send: (envelope) => void newest()?.write(frame(TEXT, JSON.stringify(envelope))),
    end(reason) {
      const socket = newest();
      if (reason === undefined) {
        socket?.destroy();
      } else {
        socket?.write(frame(TEXT, JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'wss-111' } })));
      }
    },
    async close() {
      connections.forEach((one) => one.destroy());
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
