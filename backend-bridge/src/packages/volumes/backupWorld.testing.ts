/** A package's files in a folder of their own, and tarballs good and bad. */
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { expect } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import type { HttpProblem } from '../../platform/http/problem.ts';
import { BACKUP_INDEX, type BackupIndex } from '../../../contract/backup.ts';
import { validatePackage } from '../../validation/package/validatePackage.ts';
import type { BackupEntry } from '../../../contract/package.ts';
import type { Disk } from './putInPlace.ts';
import { type Backups, createBackups } from './service.ts';

export const NAME = 'keys.example.eth';
export type Entry = BackupEntry;

export interface World {
  backups: Backups;
  filesDir: string;
  dataDir: string;
  /** Writes files, by path below the folder. */
  write: (files: Record<string, string>) => void;
  /** Everything in the folder, by path: the text of a file, `→ target` of a link, `/` for an empty folder. */
  read: () => Record<string, string>;
  /** Replaces the list, as a later version of the package would. */
  list: (entries: Entry[]) => void;
  download: () => Promise<Buffer>;
  restore: (tarball: Buffer) => ReturnType<Backups['restore']>;
}

export function makeWorld(entries: Entry[], disk?: Disk): World {
  const dir = temporaryFolder();
  const [filesDir, dataDir] = ['files', 'data'].map((name) => path.join(dir, name)) as [string, string];
  mkdirSync(filesDir);
  mkdirSync(dataDir);
  let listed = entries;
  const backups = createBackups({
    find: (dnpName) => Promise.resolve(dnpName === NAME ? registered(listed, filesDir) : undefined),
    dataDir,
    now: () => Date.UTC(2026, 10, 21),
    log: { info: () => undefined, error: () => undefined },
    ...(disk && { disk }),
  });
  return {
    backups,
    filesDir,
    dataDir,
    write: (files) => writeAll(filesDir, files),
    read: () => readAll(filesDir),
    list: (next) => {
      listed = next;
    },
    async download() {
      const { send } = await backups.download(NAME);
      const to = new PassThrough();
      const [bytes] = await Promise.all([collect(to), send(to)]);
      return bytes;
    },
    restore: (tarball) => backups.restore(NAME, Readable.from([tarball]), () => Promise.resolve()),
  };
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function registered(backup: Entry[], filesDir: string) {
  const manifest = {
    name: NAME,
    version: '1.0.0',
    description: 'It has keys.',
    type: 'service',
    license: 'MIT',
    backup,
  };
  const texts = { manifest: JSON.stringify(manifest) };
  const validated = validatePackage(texts, { dialect: 'dappnode' });
  return { dnpName: NAME, version: '1.0.0', texts, validated, targets: [], dashboards: [], filesDir };
}

export function writeAll(dir: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
}

export function readAll(dir: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(dir, file);
    if (entry.isSymbolicLink()) {
      found[name] = `→ ${readlinkSync(file)}`;
    } else if (entry.isFile()) {
      found[name] = readFileSync(file, 'utf8');
    } else if (entry.isDirectory() && readdirSync(file).length === 0) {
      found[name] = '/';
    }
  }
  return found;
}

export type Member = Partial<Header> & { name: string; text?: string };

/** An index of these entries, all of them stored. */
export const indexOf = (...names: string[]): BackupIndex => ({
  format: 'nodebell-backup',
  formatVersion: 1,
  dnpName: NAME,
  version: '0.9.0',
  createdAt: '2026-11-01T00:00:00.000Z',
  entries: names.map((name) => ({ name, path: `/${name}`, state: 'stored', leftOut: 0 })),
});

/** A tarball of anything. */
export async function tar(members: Member[]): Promise<Buffer> {
  const tarball = pack();
  const bytes = collect(tarball as unknown as Readable);
  for (const { text, ...header } of members) {
    if (text === undefined) {
      tarball.entry(header).end(undefined);
    } else {
      tarball.entry(header, text);
    }
  }
  tarball.finalize();
  return bytes;
}

/** With an index before the members. */
export async function tarball(index: unknown, members: Member[]): Promise<Buffer> {
  return gzipSync(await tar([{ name: BACKUP_INDEX, text: JSON.stringify(index) }, ...members]));
}

export const KEYS: Entry = { name: 'keys', path: '/root/.keys', service: 'node' };
export const CONFIG: Entry = { name: 'config', path: '/etc/node.conf', service: 'node' };
export const FILES = { 'node/root/.keys/a': 'A', 'node/root/.keys/deep/b': 'B', 'node/etc/node.conf': 'c=1' };

/** The error of a rejected call. */
export async function refusal(call: Promise<unknown>): Promise<HttpProblem> {
  return call.then(
    (response) => {
      throw new Error(`it was accepted: ${JSON.stringify(response)}`);
    },
    (error: unknown) => error as HttpProblem
  );
}

/** Nothing has changed, and nothing was left behind. */
export async function expectUntouched(world: World, work: () => Promise<unknown>): Promise<void> {
  const before = world.read();
  await work();
  expect(world.read()).toEqual(before);
  expect(readdirSync(world.dataDir)).toEqual([]);
}
