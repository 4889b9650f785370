import { execFileSync } from 'node:child_process';
import { copyFile, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, type TestContext, vi } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { openStore, type Store } from '../store.ts';
import { purge, remove } from '../../inbox/notifications/deletions.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { READS } from '../../reads.ts';
import { WRITES } from '../../writes.ts';

let directory: string;
let store: Store | undefined;
const file = (name: string) => path.join(directory, name);
beforeEach(() => {
  directory = temporaryFolder();
});
afterEach(async () => {
  await close();
});

const open = async (dataDir = directory): Promise<Store> => {
  const opened = await openStore({
    dataDir,
    writes: WRITES,
    reads: READS,
    pid: 4711,
    now: () => 0,
    log: { info: () => undefined, error: () => undefined },
    onLost: () => undefined,
    checkEveryMs: 20,
  });
  store = opened;
  return opened;
};
const close = async () => {
  await store?.close();
  store = undefined;
};
const send = (title: string, body = 'B') =>
  store!.writes.submit(receive, { incoming: [{ payload: { title, body }, source: 'api' }], now: 1 });
const reason = () => store!.state.failure?.reason;
const until = (expected: string | undefined) => vi.waitFor(() => expect(reason()).toBe(expected), { timeout: 60_000 });
const count = async () => (await store!.db.selectFrom('notifications').select('id').execute()).length;

/** A folder with something in its database; the log as it was before it was moved into the database is in `wal`. */
const fill = async () => {
  await open();
  await send('x'.repeat(200_000));
  await copyFile(file('nodebell.db-wal'), file('wal'));
  await close();
  const sqlite = new SqliteDatabase(file('nodebell.db'));
  sqlite.pragma('wal_checkpoint(truncate)');
  sqlite.close();
};

describe('two bridges on one data folder', () => {
  it('the second is rejected with the holder, until the first has ended', async () => {
    const first = await open();
    await expect(open()).rejects.toThrow(
      /in use by another bridge \(process 4711 on .+, since 1970-01-01T00:00:00\.000Z\)\. Stop that bridge/
    );
    await send('still taken');
    await first.close();
    await open();
    expect(await count()).toBe(1);
  });
});

describe('the database file while it is open', () => {
  it('removed: noticed, and the write after it is not acknowledged', async () => {
    await open();
    await send('one');
    await rename(file('nodebell.db'), file('moved'));
    await expect(send('two')).rejects.toMatchObject({ name: 'StoreUnavailable', reason: 'database_missing' });
    await until('database_missing');
    expect(await count()).toBe(2);
    await rename(file('moved'), file('nodebell.db'));
    await until(undefined);
    await send('three');
  });

  it('removed while nothing is written: noticed as well', async () => {
    await open();
    await rm(file('nodebell.db'));
    await until('database_missing');
    await expect(send('one')).rejects.toMatchObject({ reason: 'database_missing', retryAfter: 60 });
  });

  it('replaced by another', async () => {
    await open();
    await copyFile(file('nodebell.db'), file('copy'));
    await rename(file('copy'), file('nodebell.db'));
    await until('database_replaced');
  });

  it.each([0, 8192])('truncated to %d bytes', async (size) => {
    await fill();
    await open();
    await truncate(file('nodebell.db'), size);
    await until('corrupt');
    await expect(send('two')).rejects.toMatchObject({ reason: 'corrupt' });
  });
});

describe('the database file at the start', () => {
  it('missing or empty beside its log: rejected, and the log is not changed', async () => {
    await fill();
    await rename(file('wal'), file('nodebell.db-wal'));
    const { size } = await stat(file('nodebell.db-wal'));
    await truncate(file('nodebell.db'), 0);
    await expect(open()).rejects.toThrow(`is empty, but ${file('nodebell.db-wal')} exists (${size} bytes)`);
    await rm(file('nodebell.db'));
    await expect(open()).rejects.toThrow('is missing, but');
    expect((await stat(file('nodebell.db-wal'))).size).toBe(size);
  });

  it('truncated: rejected with both sizes', async () => {
    await fill();
    const whole = (await stat(file('nodebell.db'))).size;
    await truncate(file('nodebell.db'), whole - 4096);
    await expect(open()).rejects.toThrow(`truncated: ${whole - 4096} bytes, ${whole} expected. Restore a backup`);
  });

  it('damaged pages: found in the background, and nothing more is written', async () => {
    await fill();
    const bytes = await readFile(file('nodebell.db'));
    bytes.fill(0xa5, 8 * 4096, 12 * 4096);
    await writeFile(file('nodebell.db'), bytes);
    await open();
    await until('corrupt');
    await expect(send('two')).rejects.toMatchObject({ reason: 'corrupt' });
  });

  it('damaged pages that a query meets', async () => {
    await fill();
    const sqlite = new SqliteDatabase(file('nodebell.db'));
    const root = sqlite
      .prepare("select rootpage from sqlite_schema where name = 'notifications'")
      .pluck()
      .get() as number;
    sqlite.close();
    const bytes = await readFile(file('nodebell.db'));
    bytes.fill(0xa5, (root - 1) * 4096, root * 4096);
    await writeFile(file('nodebell.db'), bytes);
    await open();
    await expect(store!.db.selectFrom('notifications').selectAll().execute()).rejects.toMatchObject({
      code: 'SQLITE_CORRUPT',
    });
    expect(reason()).toBe('corrupt');
  });
});

describe('a full disk', () => {
  const mount = (context: TestContext): void => {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', directory], { stdio: 'pipe' });
    } catch (error) {
      context.skip(`a tmpfs cannot be mounted here: ${(error as Error).message}`);
    }
  };
  afterEach(async () => {
    await close();
    try {
      execFileSync('umount', [directory], { stdio: 'pipe' });
    } catch {
      // Not mounted.
    }
  });

  const reserved = () =>
    vi.waitFor(async () => expect((await stat(file('nodebell.reserve'))).size).toBe(LIMITS.reserveBytes.value), {
      timeout: 60_000,
    });

  it('is reported, sends are rejected, deleting works, and all works again when there is space', async (context) => {
    mount(context);
    await open();
    await reserved();
    const stored: number[] = [];
    const fill = async (): Promise<unknown> => {
      try {
        for (;;) {
          stored.push((await send('x', 'x'.repeat(50_000)))[0]!.id);
        }
      } catch (error) {
        return error;
      }
    };
    expect(await fill()).toMatchObject({ name: 'StoreUnavailable', reason: 'disk_full', retryAfter: 30 });
    expect(stored.length).toBeGreaterThan(20);
    expect(store!.state.failure).toMatchObject({ reason: 'disk_full', text: expect.stringMatching(/^Disk full/) });
    await expect(stat(file('nodebell.reserve'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(send('refused')).rejects.toMatchObject({ reason: 'disk_full' });
    expect(await count()).toBe(stored.length);

    // The trash holds what can be undone, so this needs space.
    const some = stored.splice(0, 30);
    await store!.writes.submit(remove, {
      ids: some,

      deletion: 'd',
      expiresTs: 2,
    });
    expect(await count()).toBe(stored.length);

    execFileSync('mount', ['-o', 'remount,size=160m', directory]);
    await until(undefined);
    await reserved();
    await send('after');
    expect(await count()).toBe(stored.length + 1);
    await close();
    const sqlite = new SqliteDatabase(file('nodebell.db'));
    expect(sqlite.pragma('quick_check', { simple: true })).toBe('ok');
    sqlite.close();
  });

  it('what was deleted makes room, also when the disk stays full', async (context) => {
    mount(context);
    await open();
    await reserved();
    const stored: number[] = [];
    while (reason() === undefined) {
      await send('x', 'x'.repeat(50_000)).then(
        ([row]) => stored.push(row!.id),
        () => undefined
      );
    }
    for (let start = 0; start < 300; start += 30) {
      const ids = stored.slice(start, start + 30);
      await store!.writes.submit(remove, {
        ids,

        deletion: `${start}`,
        expiresTs: 2,
      });
      await store!.writes.submit(purge, { now: 3, limit: 250 });
    }
    await until(undefined);
    await send('after', 'x'.repeat(50_000));
  });
});
