/** A provisioned package whose files the bridge can read and restore. */
import { readAll, writeAll } from '../../backend-bridge/src/packages/volumes/backupWorld.testing.ts';
import path from 'node:path';
import { Folder, manifest, type Provisioned } from './provisioning.testing.ts';
import type { Answer, TestBridge } from './support.ts';

export const KEEPER = 'keeper.example.eth';
export const BACKUP = `/api/v1/backups/${KEEPER}`;
const LISTED = [
  { name: 'keys', path: '/root/.keys' },
  { name: 'config', path: '/etc/keeper.conf' },
];
export const FILES = { 'keeper/root/.keys/a': 'A', 'keeper/etc/keeper.conf': 'c=1', 'keeper/other': 'not listed' };

export interface Keeper extends Provisioned {
  folderOfFiles: string;
  /** All files in the package's folder, by path. */
  read: () => Record<string, string>;
  write: (files: Record<string, string>) => void;
}

/** A bridge with the package; removed with the files after the test. */
export async function startKeeper(backup: object[] = LISTED): Promise<Keeper> {
  const folder = await Folder.make({
    'packages.yaml': 'apiVersion: 1\npackages:\n  - { path: keeper, files: files }\n',
    'keeper/dappnode_package.json': manifest(KEEPER, '1.0.0', { backup }),
    'keeper/docker-compose.yml': 'services:\n  keeper:\n    image: example/keeper\nversion: "3.5"\n',
  });
  const files = path.join(folder.dir, 'files');
  writeAll(files, FILES);
  return Object.assign(await folder.start(), {
    folderOfFiles: files,
    read: () => readAll(files),
    write: (changed: Record<string, string>) => writeAll(files, changed),
  });
}

/** The tarball, and the response that contains it. */
export async function download(bridge: TestBridge): Promise<Answer<string> & { tarball: Buffer }> {
  const { status, headers, bytes } = await send(bridge, 'GET');
  return { status, headers, body: '', tarball: bytes };
}

/** The response to a tarball. */
export async function restore(
  bridge: TestBridge,
  tarball: Buffer,
  headers: Record<string, string> = { 'Content-Type': 'application/gzip' }
): Promise<Answer> {
  const answer = await send(bridge, 'POST', tarball, headers);
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.bytes.toString()) };
}

async function send(bridge: TestBridge, method: string, body?: Buffer, headers?: Record<string, string>) {
  const response = await fetch(bridge.url + BACKUP, {
    method,
    headers: { ...bridge.authorization, ...headers },
    ...(body && { body: new Uint8Array(body) }),
  });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}
