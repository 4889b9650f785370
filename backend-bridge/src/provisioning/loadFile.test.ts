import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../folder.testing.ts';
import { loadFile } from './loadFile.ts';
import type { KnownFiles } from './readFile.ts';

const START = 'apiVersion: 1\nchains:\n  btc.dnp.dappnode.eth:\n';

async function load(entry: string, files: Record<string, string> = {}) {
  const dir = temporaryFolder();
  await writeFile(path.join(dir, 'all.yaml'), START + entry);
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(dir, name), text);
  }
  const { wanted, findings, names } = await loadFile(dir, 'all.yaml', { SECRET: 'from the environment' });
  return {
    chains: wanted?.chains,
    categories: wanted?.categories,
    mistakes: findings.map(({ line, detail }) => `${line} ${detail}`),
    names: names.map((name) => path.relative(dir, name)),
  };
}

it('reads an address, an interval and credentials, also from variables and files', async () => {
  const { chains, mistakes, names } = await load(
    '    url: http://127.0.0.1:8332/\n    interval: 2m\n    usernameFile: user\n    password: ${SECRET}\n',
    { user: ' reader\n' }
  );
  expect(mistakes).toEqual([]);
  expect(chains).toEqual([
    {
      dnpName: 'btc.dnp.dappnode.eth',
      url: 'http://127.0.0.1:8332/',
      interval: 120,
      username: 'reader',
      password: 'from the environment',
    },
  ]);
  expect(names).toEqual(['user']);
});

it('reads categories in lower case; two that differ by case are an error', async () => {
  const chain = '    interval: 30s\ncategories:\n  Ethereum: false\n';
  expect((await load(chain)).categories).toEqual([{ category: 'ethereum', enabled: false }]);
  expect((await load(`${chain}  ethereum: true\n`)).mistakes).toEqual([
    '7 The category "ethereum" is already in this file: keep one.',
  ]);
});

it.each([
  ['    interval: 30s\n', 30],
  ['    interval: 1h\n', 3600],
])('reads the interval %j', async (entry, seconds) => {
  expect((await load(entry)).chains).toEqual([{ dnpName: 'btc.dnp.dappnode.eth', interval: seconds }]);
});

it.each([
  ['    username: a\n', '4 Found a username without a password: set both, or none.'],
  ['    password: a\n', '4 Found a password without a username: set both, or none.'],
  ['    passwordFile: gone\n    username: a\n', '4 gone does not exist.'],
  ['    url: http://me:secret@127.0.0.1:1/\n', 'an address without user name and password'],
  ['    url: http://127.0.0.1:1/?key=secret\n', 'an address without ? and #'],
  ['    url: http://node.lan.:8545\n', 'a host of letters, digits, hyphens and dots'],
  ['    url: http://node-:8545\n', 'a host of letters, digits, hyphens and dots'],
  ['    url: ftp://127.0.0.1/\n', 'an http: or https: address'],
  ['    interval: soon\n', 'a duration such as 30s, 5m or 1h'],
])('refuses %j', async (entry, words) => {
  const { chains, mistakes } = await load(entry);
  expect(chains).toBeUndefined();
  expect(mistakes).toHaveLength(1);
  expect(mistakes[0]).toContain(words);
});

it('refuses an empty file, and never repeats a secret', async () => {
  const { mistakes } = await load('    passwordFile: pass\n    username: a\n', { pass: ' \n' });
  expect(mistakes).toEqual(['4 pass is empty.']);
  const half = await load('    password: very secret\n');
  expect(half.mistakes.join()).not.toContain('very secret');
  const inside = await load('    url: http://me:hidden@127.0.0.1:1/\n');
  expect(inside.mistakes.join()).not.toContain('hidden');
});

it('parses a file again only if its text has changed, and reads the files that it names each time', async () => {
  const dir = temporaryFolder();
  const known: KnownFiles = new Map();
  const again = (): ReturnType<typeof loadFile> => loadFile(dir, 'all.yaml', {}, known);
  const write = (name: string, text: string): Promise<void> => writeFile(path.join(dir, name), text);

  await write('all.yaml', `${START}    username: a\n    passwordFile: pass\n`);
  await write('pass', 'first');
  expect((await again()).wanted?.chains[0]).toMatchObject({ password: 'first' });
  const parsed = known.get('all.yaml')?.value;

  await write('pass', 'second');
  expect((await again()).wanted?.chains[0]).toMatchObject({ password: 'second' });
  await write('pass', '');
  const { wanted, findings } = await again();
  expect(wanted).toBeUndefined();
  expect(findings).toMatchObject([{ line: 5, pointer: '/chains/btc.dnp.dappnode.eth/passwordFile' }]);
  expect(known.get('all.yaml')?.value).toBe(parsed);

  await write('all.yaml', `${START}    interval: 30s\n`);
  expect((await again()).wanted?.chains).toEqual([{ dnpName: 'btc.dnp.dappnode.eth', interval: 30 }]);
  await write('all.yaml', `${START}    interval: soon\n`);
  expect((await again()).findings).toMatchObject([{ line: 4 }]);
  expect(known.has('all.yaml')).toBe(false);
});
