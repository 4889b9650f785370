/** A network between two programs that a test can cut. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

type Mode = 'open' | 'hole' | 'closed' | 'cut';

export interface Proxy {
  port: number;
  /**
   * `hole`: packets disappear in both directions, and no connection is closed; those that were open stay half-open forever.
   * `closed`: connections are closed, and new ones are. `cut`: connections are closed when a response begins.
   */
  set(mode: Mode): void;
  /** Responses that were cut. */
  readonly cuts: number;
  /** New connections go to this port. */
  lead(port: number): void;
  close(): void;
}

export async function startProxy(port: number): Promise<Proxy> {
  let target = port;
  let mode: Mode = 'open';
  let cuts = 0;
  const pairs = new Set<{ sockets: Socket[]; lost: boolean }>();
  const server = createServer((socket) => {
    const pair = { sockets: [socket], lost: mode === 'hole' };
    pairs.add(pair);
    const end = (): void => {
      // The other side does not learn of it through a hole.
      if (!pair.lost) {
        pair.sockets.forEach((one) => one.destroy());
        pairs.delete(pair);
      }
    };
    socket.on('error', end).on('close', end);
    if (mode === 'closed') {
      end();
    } else if (mode !== 'hole') {
      const upstream = connect(target, '127.0.0.1');
      pair.sockets.push(upstream);
      upstream.on('error', end).on('close', end);
      socket.on('data', (chunk) => pair.lost || upstream.write(chunk));
      upstream.on('data', (chunk) => {
        if (mode === 'cut') {
          cuts += 1;
          end();
        } else {
          void (pair.lost || socket.write(chunk));
        }
      });
    } else {
      socket.resume();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get cuts() {
      return cuts;
    },
    set(next) {
      mode = next;
      for (const pair of pairs) {
        pair.lost ||= next === 'hole';
        if (next === 'closed') {
          pair.sockets.forEach((socket) => socket.destroy());
        }
      }
    },
    lead: (next) => void (target = next),
    close() {
      pairs.forEach(({ sockets }) => sockets.forEach((socket) => socket.destroy()));
      server.close();
    },
  };
}
