/** packaging/dappnode is a package that DAppNode takes. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { validatePackage } from '../../backend-bridge/src/validation/package/validatePackage.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', 'packaging', 'dappnode');
const read = (name: string): string => readFileSync(path.join(FOLDER, name), 'utf8');
const MANIFEST = JSON.parse(read('dappnode_package.json')) as { name: string; version: string; mainService: string };
const COMPOSE = parse(read('docker-compose.yml')) as {
  services: Record<string, { image: string; build: { context: string }; environment: Record<string, string> }>;
};
const HOST = `${MANIFEST.mainService}.${MANIFEST.name.replace(/\.eth$/, '')}:8080`;

describe('packaging/dappnode', () => {
  it.each(['dappnode', 'spec'] as const)('has no findings in dialect %s', (dialect) => {
    const { findings } = validatePackage(
      {
        manifest: read('dappnode_package.json'),
        notifications: read('notifications.yaml'),
        compose: read('docker-compose.yml'),
      },
      { dialect }
    );
    expect(findings).toEqual([]);
  });
  it('has the version of the bridge', () => {
    const bridge = JSON.parse(read('../../backend-bridge/package.json')) as { version: string };
    expect(MANIFEST.version).toBe(bridge.version);
    for (const [service, { image }] of Object.entries(COMPOSE.services)) {
      expect(image).toBe(`${service}.${MANIFEST.name}:${bridge.version}`);
    }
  });
  it('builds each service from a folder with a Dockerfile', () => {
    for (const { build } of Object.values(COMPOSE.services)) {
      expect(existsSync(path.join(FOLDER, build.context, 'Dockerfile')), build.context).toBe(true);
    }
  });
  it('uses one address of the bridge: the alias that the manager gives its service', () => {
    expect(COMPOSE.services[MANIFEST.mainService]?.environment['NODEBELL_BRIDGE_URL']).toBe(`http://${HOST}`);
    for (const file of ['notifications.yaml', 'prometheus-targets.json', 'grafana/plugins/nodebell.yaml']) {
      expect(read(file), file).toContain(HOST);
    }
  });
  it('runs in place of the notifier', () => {
    expect(COMPOSE.services['notifier']?.environment).toMatchObject({ NODEBELL_COMPAT: 'dappnode' });
  });
});
