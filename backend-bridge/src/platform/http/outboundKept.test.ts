import { createServer, type RequestListener, type Server } from 'node:http';
import { describe, expect, test } from 'vitest';
import { portOf } from '../../listening.testing.ts';
import { readAddressRules } from './addresses.ts';
import { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts';

async function serve(listener: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createServer(listener);
  return { port: await portOf(server), server };
}

const outbound = (options: Partial<OutboundOptions> = {}) =>
  createOutbound({ allow: readAddressRules(['127.0.0.1']), timeoutMs: 60_000, maxBytes: 1000, ...options });

describe('connections that are kept', () => {
  /** Answers with the number of connections so far. */
  const counting = async (): Promise<number> => {
    let connections = 0;
    const { port, server } = await serve((_req, res) => res.end(String(connections)));
    server.on('connection', () => (connections += 1));
    return port;
  };
  const ask = async (fetchGuarded: Outbound['fetchGuarded'], url: string): Promise<string> =>
    (await fetchGuarded(url, 'node', { method: 'POST', body: '{}' })).body.toString();

  test('serve the next request as well; without leave each request has its own', async () => {
    const port = await counting();
    const kept = outbound({ idleMs: 60_000 });
    const url = `http://127.0.0.1:${port}/`;
    expect([await ask(kept.fetchGuarded, url), await ask(kept.fetchGuarded, url)]).toEqual(['1', '1']);
    const fresh = outbound();
    expect([await ask(fresh.fetchGuarded, url), await ask(fresh.fetchGuarded, url)]).toEqual(['2', '3']);
  });

  test('are not used when the name leads elsewhere by now', async () => {
    const port = await counting();
    const addresses = ['127.0.0.1', '127.0.0.2'];
    const lookup = () => Promise.resolve([{ address: addresses.shift()!, family: 4 }]);
    const allow = readAddressRules(['127.0.0.0/8']);
    const { fetchGuarded } = outbound({ idleMs: 60_000, lookup, allow });
    expect(await ask(fetchGuarded, `http://node.test:${port}/`)).toBe('1');
    await expect(ask(fetchGuarded, `http://node.test:${port}/`)).rejects.toThrow('ECONNREFUSED');
  });

  test('may be cut off by the server at any time: the request is sent once more, on a new one', async () => {
    let seen = 0;
    const { port } = await serve((req, res) => {
      seen += 1;
      // Half of the request's life: it was taken, and the connection is gone.
      return seen === 2 ? req.socket.resetAndDestroy() : res.end('fine');
    });
    const { fetchGuarded } = outbound({ idleMs: 60_000 });
    const url = `http://127.0.0.1:${port}/`;
    expect([await ask(fetchGuarded, url), await ask(fetchGuarded, url)]).toEqual(['fine', 'fine']);
    expect(seen).toBe(3);
  });

  test('a server that always closes the connection is reported as such', async () => {
    const { port } = await serve((req) => req.socket.resetAndDestroy());
    const { fetchGuarded } = outbound({ idleMs: 60_000 });
    await expect(ask(fetchGuarded, `http://127.0.0.1:${port}/`)).rejects.toThrow('ECONNRESET');
  });
});
