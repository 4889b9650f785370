/** Monitors, as packaged by Debian. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The Debian package of each program. */
const PACKAGES = {
  prometheus: 'prometheus',
  promtool: 'prometheus',
  'prometheus-alertmanager': 'prometheus-alertmanager',
  'prometheus-node-exporter': 'prometheus-node-exporter',
} as const;
export type ProgramName = keyof typeof PACKAGES;
/** Nodes of chains. */
const NODES = { monerod: 'monero', litecoind: 'litecoind' } as const;
export type NodeName = keyof typeof NODES;

function find(name: string): string | undefined {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(path.delimiter)];
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws with the name of every missing program, and how to install it */
export const findPrograms = (): Record<ProgramName, string> => findAll(PACKAGES, 'monitors');

/** @throws with the name of every missing program, and how to install it */
export const findNodes = (): Record<NodeName, string> => findAll(NODES, 'nodes');

function findAll<Name extends string>(packageOf: Record<Name, string>, what: string): Record<Name, string> {
  const names = Object.keys(packageOf) as Name[];
  const found = new Map(names.map((name) => [name, find(name)]));
  const missing = names.filter((name) => found.get(name) === undefined);
  if (missing.length > 0) {
    const packages = [...new Set(missing.map((name) => packageOf[name]))].join(' ');
    throw new Error(
      `The tests against real ${what} need ${missing.join(', ')}. On Debian: apt-get install --no-install-recommends ${packages}`
    );
  }
  return Object.fromEntries(found) as Record<Name, string>;
}
