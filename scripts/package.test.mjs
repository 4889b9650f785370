import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { describe, expect, test } from 'vitest';
import { bridgeManifest, imageContext } from './package.mjs';
import { ROOT } from './run.mjs';
import { tar } from './tar.mjs';
import { zip } from './zip.mjs';

const json = (...parts) => JSON.parse(readFileSync(path.join(ROOT, ...parts), 'utf8'));

/** Reads an archive from its end, as programs do: the directory, then each file where it says. */
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
  reader.end(archive);
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
  const files = [
    { name: 'plugin/a.txt', data: Buffer.from('a'.repeat(1000)) },
    { name: 'plugin/ü/empty', data: Buffer.alloc(0) },
  ];

  test('a ZIP holds what was put into it', () => {
    expect(unzip(zip(files))).toEqual([
      { name: 'plugin/a.txt', text: 'a'.repeat(1000), mode: '100644' },
      { name: 'plugin/ü/empty', text: '', mode: '100644' },
    ]);
    expect(zip(files)).toEqual(zip(files));
  });

  test('a tar holds what was put into it, long names as well', async () => {
    const long = `${'folder/'.repeat(16)}${'n'.repeat(90)}`;
    const more = [...files, { name: long, data: Buffer.from('x'), mode: 0o755 }];
    expect(await untar(tar(more))).toEqual([
      { name: 'plugin/a.txt', text: 'a'.repeat(1000), mode: 0o644 },
      { name: 'plugin/ü/empty', text: '', mode: 0o644 },
      { name: long, text: 'x', mode: 0o755 },
    ]);
    expect(() => tar([{ name: 'n'.repeat(101), data: Buffer.alloc(0) }])).toThrow('too long');
  });
});

test('what is published of the bridge asks for nothing to build with', () => {
  const { manifest, shrinkwrap } = bridgeManifest(
    json('backend-bridge', 'package.json'),
    json('backend-bridge', 'package-lock.json')
  );
  expect(manifest).toMatchObject({ name: '@nodebell/bridge', bin: { nodebell: 'bin/nodebell.mjs' } });
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['private']));
  expect([manifest.devDependencies, manifest.scripts]).toEqual([undefined, undefined]);
  const names = Object.keys(shrinkwrap.packages);
  expect(names).toContain('node_modules/express');
  expect(names).not.toContain('node_modules/typescript');
  expect(shrinkwrap.packages['']).not.toHaveProperty('devDependencies');
});

test('an image is built from the folder of the bridge, and the Dockerfile copies only what is in it', async () => {
  const files = await untar(gunzipSync(imageContext().data));
  const names = files.map(({ name }) => name);
  const { text } = files.find(({ name }) => name === 'Dockerfile');
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) => sources.split(' '));
  expect(copied).toContain('package-lock.json');
  for (const source of copied) {
    expect(names.some((name) => name === source || name.startsWith(`${source}/`))).toBe(true);
  }
  expect(names.filter((name) => /node_modules|^dist|\.test\./.test(name))).toEqual([]);
});
