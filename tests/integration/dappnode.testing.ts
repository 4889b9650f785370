/** A bridge with `NODEBELL_COMPAT=dappnode`, and a fake of DAppNode's manager. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Json, TestBridge } from './support.ts';

/** The open API of DAppNode's manager (packages/dappmanager/src/api/routes). */
export interface Manager {
  packages: Map<string, Json>;
  /** Status of each response. */
  status: number;
  /** Packages without containers at the moment, as during an update. */
  unlisted: Set<string>;
  /** Packages whose manifest cannot be read. */
  broken: Set<string>;
}

const serverOf = (manager: Manager): Server =>
  createServer((req, res) => {
    const name = /^\/package-manifest\/(.+)$/.exec(req.url ?? '')?.[1];
    if (manager.status !== 200) {
      res.writeHead(manager.status).end('failed');
    } else if (req.url === '/public-packages') {
      const containers = [...manager.packages].flatMap(([dnpName, { version }]) => {
        if (manager.unlisted.has(dnpName)) {
          return [];
        }
        const container = { name: dnpName, version: version as string, state: 'running', ip: '172.33.1.2' };
        return [container, container];
      });
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(containers));
    } else if (name !== undefined && manager.broken.has(decodeURIComponent(name))) {
      res.writeHead(500).end('Unexpected end of JSON input');
    } else if (name !== undefined && manager.packages.get(decodeURIComponent(name))?.name) {
      res
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(manager.packages.get(decodeURIComponent(name))));
    } else {
      res.writeHead(404).end('Manifest not found');
    }
  });

/** For the tests of a file; each starts without notifications. */
export function useDappnode(): { bridge: () => TestBridge; manager: Manager } {
  const manager: Manager = { packages: new Map(), status: 200, unlisted: new Set(), broken: new Set() };
  const server = serverOf(manager);
  let started: TestBridge;
  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    started = await TestBridge.start({
      allowedHosts: undefined,
      compat: { managerUrl: `http://127.0.0.1:${port}`, devicesPort: 0, reloadPort: 0 },
    });
  });
  afterAll(async () => {
    await started.dispose();
    server.close();
  });
  beforeEach(() => started.clear());
  return { bridge: () => started, manager };
}
