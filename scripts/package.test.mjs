import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bridgeManifest, imageContext, tarGz, zip } from './package.mjs';
import { ROOT } from './run.mjs';

const json = (...parts) => JSON.parse(readFileSync(path.join(ROOT, ...parts), 'utf8'));

/** Reads the central directory at the end of the archive, then each file at its offset, as unzip programs do. */
function unzip(archive) {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  const files = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const [length, start] = [archive.readUInt16LE(at + 28), archive.readUInt32LE(at + 42)];
    const name = archive.toString('utf8', at + 46, at + 46 + length);
    const body = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
    const data = inflateRawSync(archive.subarray(body, body + archive.readUInt32LE(at + 20)));
    expect(data.length).toBe(archive.readUInt32LE(at + 24));
    files.push({ name, text: data.toString(), mode: (archive.readUInt32LE(at + 38) >>> 16).toString(8) });
    at += 46 + length;
  }
  expect(at).toBe(end);
  return files;
}

async function untar(archive) {
  const reader = extract();
  reader.end(gunzipSync(archive));
  const files = [];
  for await (const entry of reader) {
    const parts = [];
    for await (const part of entry) {
      parts.push(part);
    }
    files.push({ name: entry.header.name, text: Buffer.concat(parts).toString(), mode: entry.header.mode });
  }
  return files;
}

describe('archives', () => {
  afterEach(() => vi.useRealTimers());
  const files = [
    { name: 'plugin/a.txt', data: Buffer.from('a'.repeat(1000)) },
    { name: 'plugin/ü/empty', data: Buffer.alloc(0) },
  ];

  test('zip: contents and modes are preserved, equal contents give equal bytes', async () => {
    const archive = await zip(files);
    expect(unzip(archive)).toEqual([
      { name: 'plugin/a.txt', text: 'a'.repeat(1000), mode: '100644' },
      { name: 'plugin/ü/empty', text: '', mode: '100644' },
    ]);
    vi.useFakeTimers({ now: new Date('2030-01-01'), toFake: ['Date'] });
    expect(await zip(files)).toEqual(archive);
  });

  test('tarGz: contents, modes and long names are preserved, equal contents give equal bytes', async () => {
    const long = `${'folder/'.repeat(16)}${'n'.repeat(90)}`;
    const more = [...files, { name: long, data: Buffer.from('x'), mode: 0o755 }];
    const archive = await tarGz(more);
    expect(await untar(archive)).toEqual([
      { name: 'plugin/a.txt', text: 'a'.repeat(1000), mode: 0o644 },
      { name: 'plugin/ü/empty', text: '', mode: 0o644 },
      { name: long, text: 'x', mode: 0o755 },
    ]);
    vi.useFakeTimers({ now: new Date('2030-01-01'), toFake: ['Date'] });
    expect(await tarGz(more)).toEqual(archive);
  });
});

test('the published bridge depends on what is not in its bundle, and has no scripts', () => {
  const { manifest, shrinkwrap } = bridgeManifest(
    json('backend-bridge', 'package.json'),
    json('backend-bridge', 'package-lock.json')
  );
  expect(manifest).toMatchObject({ name: '@nodebell/bridge', bin: { nodebell: 'bin/nodebell.mjs' } });
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['private']));
  expect([manifest.devDependencies, manifest.scripts]).toEqual([undefined, undefined]);
  const names = Object.keys(shrinkwrap.packages);
  expect(names).toEqual(['', 'node_modules/better-sqlite3', 'node_modules/node-addon-api']);
  expect(Object.keys(manifest.dependencies)).toEqual(['better-sqlite3']);
  expect(shrinkwrap.packages['']).not.toHaveProperty('devDependencies');
});

test('the image context contains what the Dockerfile copies and nothing else', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nodebell-context-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['Dockerfile', '.dockerignore', 'package.json', 'package-lock.json']) {
    copyFileSync(path.join(ROOT, 'backend-bridge', name), path.join(folder, name));
  }
  const dockerfile = readFileSync(path.join(folder, 'Dockerfile'), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) =>
    sources.replaceAll(/\[(.)\]/g, '$1').split(' ')
  );
  expect(copied).toContain('package-lock.json');
  const folders = ['src', 'bin', 'contract'];
  const inside = ['sbom.cdx.json', 'THIRD-PARTY-LICENSES'];
  expect(copied).toEqual(expect.arrayContaining(inside));
  const sources = [
    ...copied.filter((name) => ![...folders, ...inside].includes(name)),
    ...folders.map((name) => `${name}/a.ts`),
  ];
  const others = ['data/admin-token', 'data/nodebell.db', '.env', 'dist/a.js', 'src/a.test.ts', 'src/b/a.testing.ts'];
  for (const name of [...sources, ...others].filter((name) => !name.startsWith('package'))) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), '');
  }
  const names = (await untar((await imageContext(folder)).data)).map(({ name }) => name);
  expect(names.sort()).toEqual([...new Set([...sources, ...inside, 'Dockerfile', '.dockerignore'])].sort());
});
