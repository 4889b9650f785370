/** A real web server of somebody who names icons: it records who asks, and answers as a test wants. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { png } from '../../backend-bridge/src/icons/images.testing.ts';

export interface IconHost {
  /** Without a slash at its end. */
  url: string;
  port: number;
  /** The requests so far, oldest first. */
  requests: { url: string; headers: IncomingMessage['headers'] }[];
  /** The most that were open at the same time. */
  readonly mostAtOnce: number;
  close(): Promise<void>;
}

/**
 * @param answer default: a PNG for everything
 * @param address of this machine: to the bridge, each is a host of its own
 */
export async function startIconHost(
  answer: (req: IncomingMessage, res: ServerResponse) => void = (_req, res) => void res.end(png()),
  address = '127.0.0.1'
): Promise<IconHost> {
  const requests: IconHost['requests'] = [];
  let [open, mostAtOnce] = [0, 0];
  const server = createServer((req, res) => {
    requests.push({ url: req.url ?? '', headers: req.headers });
    mostAtOnce = Math.max(mostAtOnce, (open += 1));
    res.once('close', () => (open -= 1));
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}`,
    port,
    requests,
    get mostAtOnce() {
      return mostAtOnce;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
