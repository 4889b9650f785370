/** A web server that hosts icons: it records requests and responds as a test defines. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { png } from '../../backend-bridge/src/packages/icons/images.testing.ts';

export interface IconHost {
  /** Without a trailing slash. */
  url: string;
  port: number;
  /** Requests so far, oldest first. */
  requests: { url: string; headers: IncomingMessage['headers'] }[];
  /** The maximum number of concurrent requests. */
  readonly mostAtOnce: number;
  close(): Promise<void>;
}

/**
 * @param answer by default, a PNG for every path
 * @param address a loopback address: to the bridge, each is a different host
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
