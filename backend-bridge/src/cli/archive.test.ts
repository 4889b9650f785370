import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { archivedRow } from '../inbox/retention/archived.testing.ts';
import { temporaryFolder } from '../folder.testing.ts';
import type { Archived, ArchiveImported } from '../../contract/archive.ts';
import { LIMITS } from '../../contract/limits.ts';
import { MAX_UNPACKED } from './archive.ts';
import { bridge, run } from './cliWorld.testing.ts';

let dir: string;
beforeEach(() => {
  dir = temporaryFolder();
});

const one = (id: number) => archivedRow({ id, correlationId: String(id), statusGiven: true });
const lines = (...ids: number[]): string => ids.map((id) => `${JSON.stringify(one(id))}\n`).join('');
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const DONE: ArchiveImported = { imported: 2, present: 1, conflicts: [], pausedUntil: '2026-12-01T00:00:00.000Z' };
async function file(name: string, contents: string | Buffer): Promise<string> {
  const place = path.join(dir, name);
  await writeFile(place, contents);
  return place;
}
const ids = (sent: { body: unknown }[]) =>
  sent.map(({ body }) => (body as { notifications: Archived[] }).notifications.map(({ id }) => id));

it('imports the newest file first, the newest notification first, in requests of bounded size', async () => {
  const { sent, fetch } = bridge({ status: 200, body: DONE });
  const size = LIMITS.archivedRows.value;
  const first = await file('notifications-2026-11-21-000001.jsonl.gz', gzipSync(lines(...range(1, size + 2))));
  const second = await file('notifications-2026-11-22-000001.jsonl', lines(...range(1000, 1001)));
  const { code, out, err } = await run(['archive', 'import', first, second, '--data-dir', dir], {
    fetch,
    env: { NODEBELL_ADMIN_TOKEN: 'secret' },
  });
  expect(ids(sent)).toEqual([[1001, 1000], range(3, size + 2).toReversed(), [2, 1]]);
  expect(sent[0]).toMatchObject({ method: 'POST', url: 'http://127.0.0.1:8080/api/v1/archive' });
  expect([code, out]).toEqual([0, 'imported 6, already stored 3\n']);
  expect(err).toContain('Retention is paused until 2026-12-01T00:00:00.000Z.');
});

it('reads what is complete of a file that ends early', async () => {
  const { sent, fetch } = bridge({ status: 200, body: DONE });
  const whole = Buffer.concat([gzipSync(lines(1, 2)), gzipSync(lines(3)), gzipSync(lines(4, 5, 6))]);
  const place = await file('a.jsonl.gz', whole.subarray(0, whole.length - 20));
  const { code, err } = await run(['archive', 'import', place], { fetch, env: { NODEBELL_ADMIN_TOKEN: 'secret' } });
  expect(ids(sent)).toEqual([[3, 2, 1]]);
  expect(err).toContain('a.jsonl.gz ends early, as after a crash. Its 3 complete notifications are imported.');
  expect(code).toBe(0);
});

it('names lines that are no notifications, and ids of other notifications', async () => {
  const { fetch } = bridge({ status: 200, body: { ...DONE, conflicts: [2, 9] } });
  const wrong = [{ id: 2 }, { ...one(3), timestamp: '0000-01-01T00:00:00Z' }, { ...one(4), extra: { a: ['\u0000'] } }];
  const place = await file('a.jsonl', `${lines(1)}${wrong.map((line) => JSON.stringify(line)).join('\n')}\nno JSON\n`);
  const { code, err } = await run(['archive', 'import', place], { fetch, env: { NODEBELL_ADMIN_TOKEN: 'secret' } });
  expect(code).toBe(1);
  expect(err).toContain('a.jsonl:2: not a notification: "timestamp" must be text; found nothing.');
  expect(err).toContain(
    'a.jsonl:3: not a notification: "timestamp" must be an ISO 8601 date-time of the years 1970 to 9999;'
  );
  expect(err).toContain('a.jsonl:4: not a notification: "extra.a.0" must be well-formed Unicode text without NUL;');
  expect(err).toContain('a.jsonl:5: not a notification: The value must be an object');
  expect(err).toContain('2 not imported: in this database, other notifications have their ids (2, 9).');
});

it('a file that does not exist, or holds nothing that can be read', async () => {
  const missing = await run(['archive', 'import', path.join(dir, 'none')]);
  expect([missing.code, missing.err]).toEqual([2, `nodebell: cannot read ${path.join(dir, 'none')} (ENOENT).\n`]);
  const place = await file('a.gz', Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.from('nonsense')]));
  const damaged = await run(['archive', 'import', place]);
  expect([damaged.code, damaged.err]).toEqual([1, `nodebell: ${place} is damaged: nothing in it can be read.\n`]);
});

it('import: a file that unpacks to more than the limit', async () => {
  const bomb = await file('bomb.gz', gzipSync(Buffer.alloc(MAX_UNPACKED + 1), { level: 1 }));
  const { code, err } = await run(['archive', 'import', bomb]);
  expect([code, err]).toEqual([
    1,
    `nodebell: ${bomb} unpacks to more than 256 MiB, and the bridge writes at most 8 MiB into a file. Split it.\n`,
  ]);
});

it('reports what was imported before a file that cannot be read', async () => {
  const { fetch } = bridge({ status: 200, body: DONE });
  const newer = await file('b.jsonl', lines(2));
  const missing = path.join(dir, 'a.jsonl');
  const ran = await run(['archive', 'import', missing, newer], { fetch, env: { NODEBELL_ADMIN_TOKEN: 'secret' } });
  expect(ran).toMatchObject({ code: 1, out: 'imported 2, already stored 1\n' });
  expect(ran.err).toContain(`nodebell: cannot read ${missing} (ENOENT).`);
});
