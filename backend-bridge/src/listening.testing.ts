/** Servers of tests, on free ports of the loopback address. */
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** Listens until the end of the test. @returns the port */
export async function portOf(
  server: Server & { closeAllConnections?(): void },
  host = '127.0.0.1',
  port = 0
): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections?.();
  });
  return (server.address() as AddressInfo).port;
}

/** Listens until the end of the test. */
export const urlOf = async (server: Server): Promise<string> => `http://127.0.0.1:${await portOf(server)}`;
