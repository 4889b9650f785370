/** Backups of packages made to exhaust the heap or to write elsewhere, restored on the built bridge. */
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { BACKUP_INDEX } from '../../backend-bridge/contract/backup.ts';
import {
  indexOf,
  type Member,
  readAll,
  tar,
  writeAll,
} from '../../backend-bridge/src/packages/volumes/backupWorld.testing.ts';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from '../bench/bridge.ts';
import { manifest } from '../integration/provisioning.testing.ts';

const NAME = 'keeper.example.eth';
const MIB = 1024 * 1024;

let bridge: RunningBridge;
const dir = temporaryFolder(afterAll);
const all = (): Record<string, string> => readAll(path.join(dir, 'packages'));
let before: Record<string, string>;
beforeAll(async () => {
  writeAll(path.join(dir, 'packages'), {
    'packages.yaml': 'apiVersion: 1\npackages:\n  - { path: keeper, files: files }\n',
    'keeper/dappnode_package.json': manifest(NAME, '1.0.0', { backup: [{ name: 'keys', path: '/root/.keys' }] }),
    'keeper/docker-compose.yml': 'services:\n  keeper:\n    image: example/keeper\nversion: "3.5"\n',
    'files/keeper/root/.keys/a': 'A',
  });
  bridge = await runBridge(undefined, { NODEBELL_PROVISIONING_DIR: path.join(dir, 'packages'), TMPDIR: dir });
  before = all();
});
afterAll(async () => {
  await bridge.stop();
});

const restore = (body: Buffer): Promise<Response> =>
  fetch(`${bridge.url}/api/v1/backups/${NAME}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/gzip' },
    body: new Uint8Array(body),
  });

const INDEX: Member = { name: BACKUP_INDEX, text: JSON.stringify({ ...indexOf('keys'), dnpName: NAME }) };

/** A member as its bytes, which no library would write. @param type of POSIX "ustar", or of GNU tar */
function raw(name: string, type: string, text: Buffer | string, size?: string): Buffer {
  const content = Buffer.from(text as string);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  ['0000644', '0000000', '0000000'].forEach((octal, index) => header.write(`${octal}\0`, 100 + 8 * index));
  header.write(size ?? content.length.toString(8).padStart(11, '0'), 124, 12, 'latin1');
  header.write('00000000000\0', 136);
  header.fill(' ', 148, 156);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

/** A PAX record. */
function record(key: string, value: string): string {
  const text = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(text);
  const digits = String(bytes + String(bytes).length).length;
  return `${bytes + digits}${text}`;
}

const packed = async (members: Buffer[]): Promise<Buffer> => {
  // Without the two empty blocks at the end.
  const index = (await tar([INDEX])).subarray(0, -1024);
  return gzipSync(Buffer.concat([index, ...members, Buffer.alloc(1024)]), { level: 1 });
};
const file = (name: string, text = 'new'): Buffer => raw(name, '0', text);

const many = <T>(length: number, one: T): T[] => Array.from({ length }, () => one);
/** The largest number of records that tar-stream accepts. */
const RECORDS = many(330_000, 0)
  .map((_, index) => record(`k${index.toString(36)}`, 'v'))
  .join('');
const INSIDE = 'entries/keys/a';

test.each<[string, () => Buffer[]]>([
  ['a PAX header of 330,000 records', () => [raw('x', 'x', RECORDS), file(INSIDE)]],
  [
    'a global PAX header of 330,000 records, copied to 20,000 others',
    () => [raw('x', 'g', RECORDS), ...many(20_000, raw('x', 'x', record('a', 'b'))), file(INSIDE)],
  ],
  ['25 GNU long names of 3.9 MiB', () => [...many(25, raw('x', 'L', Buffer.alloc(3.9 * MIB, 'a'))), file(INSIDE)]],
  ['130,000 empty files', () => many(130_000, 0).map((_, index) => raw(`entries/keys/${index}`, '0', ''))],
  ['a PAX path that leads upwards', () => [raw('x', 'x', record('path', 'entries/keys/../../../b')), file(INSIDE)]],
  ['an absolute PAX path', () => [raw('x', 'x', record('path', '/tmp/nodebell-evil')), file(INSIDE)]],
  ['a PAX path with NUL', () => [raw('x', 'x', record('path', 'entries/keys/a\0/../../b')), file(INSIDE)]],
  ['a PAX size beyond the end', () => [raw('x', 'x', record('size', '100000000000')), file(INSIDE)]],
  ['a negative PAX size', () => [raw('x', 'x', record('size', '-512')), file(INSIDE)]],
  ['a PAX link path', () => [raw('x', 'x', record('linkpath', '/etc/passwd')), raw(INSIDE, '2', '')]],
  ['a GNU long name that leads upwards', () => [raw('x', 'L', 'entries/keys/../../../b\0'), file(INSIDE)]],
  ['a size of 8 GiB', () => [raw(INSIDE, '0', 'x', '77777777777')]],
  ['a size in base 256', () => [raw(INSIDE, '0', 'x', '\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff')]],
  ['a GNU sparse file', () => [raw(INSIDE, 'S', 'x')]],
  ['a GNU multi-volume file', () => [raw(INSIDE, 'M', 'x')]],
  ['a device', () => [raw(INSIDE, '3', '')]],
  ['a file twice', () => [file(INSIDE, 'one'), file(INSIDE, 'two')]],
  ['a file through a link', () => [raw('entries/keys', '2', ''), file(INSIDE)]],
])('%s: rejected, and nothing is changed', async (_what, members) => {
  const response = await restore(await packed(members()));
  expect([400, 413]).toContain(response.status);
  expect([all(), bridge.ended]).toEqual([before, null]);
});

test('a tarball that is cut anywhere is rejected', async () => {
  const whole = await packed([file(INSIDE, 'x'.repeat(10_000)), file('entries/keys/b')]);
  for (let length = 0; length < whole.length - 8; length += Math.ceil(whole.length / 20)) {
    expect((await restore(whole.subarray(0, length))).status).toBe(400);
  }
  expect(all()).toEqual(before);
});

test('names that differ by case or by Unicode normalisation only are files of their own, as on the disk', async () => {
  const names = ['Key', 'key', 'caf\u00e9', 'cafe\u0301'];
  const members = names.flatMap((name) => [
    raw('x', 'x', record('path', `entries/keys/${name}`)),
    file('entries/keys/x', name),
  ]);
  expect((await restore(await packed(members))).status).toBe(200);
  const restored = Object.entries(all()).filter(([name]) => name.startsWith('files/'));
  expect(restored.map(([name, text]) => [path.basename(name), text]).sort()).toEqual(
    names.map((name) => [name, name]).sort()
  );
});
