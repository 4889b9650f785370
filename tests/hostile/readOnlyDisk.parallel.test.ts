/** A file system that the kernel makes read-only after an error, while the bridge has its SQLite database open on it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { StoreFailureReason } from '../../backend-bridge/contract/status.ts';
import { FAILURE_TEXTS } from '../../backend-bridge/src/platform/storage/storeError.ts';
import { runBridge, type RunningBridge } from '../bench/bridge.ts';
import { startSenders } from '../proofs/senders.ts';
import { compare, recount } from '../proofs/stored.ts';

/** Only against hanging. */
const HANGING = { timeout: 60_000, interval: 100 };
const SENDERS = 4;
/** Large: most of each fsync is writing data, which is when ext4 loses it without an error. */
const BODY_CHARS = 60_000;
const DISK_BYTES = 192 * 2 ** 20;
/** SQLite reports the one or the other, by the error of the kernel (EROFS or EIO). */
const REASONS: readonly StoreFailureReason[] = ['read_only', 'io_error'];

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) {
    await one();
  }
});

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe' });

/** An ext4 in a file. @throws where it cannot be mounted */
function mountDisk(image: string, disk: string): { breakDown(): void; unmount(): void } {
  run('mount', '-o', 'loop,errors=remount-ro', image, disk);
  const device = basename(run('findmnt', '-no', 'SOURCE', disk).trim());
  return {
    breakDown: () => writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, '1'),
    unmount: () => run('umount', disk),
  };
}

async function startBridge(dataDir: string, settings: Record<string, string> = {}): Promise<RunningBridge> {
  const bridge = await runBridge(dataDir, { NODEBELL_LOG_LEVEL: 'silent', ...settings });
  undo.push(() => bridge.kill('SIGKILL'));
  return bridge;
}

test('a disk that becomes read-only is reported, and nothing acknowledged is missing on the repaired one', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'nodebell-disk-'));
  undo.push(() => rmSync(folder, { recursive: true }));
  const [image, disk] = [join(folder, 'image'), join(folder, 'disk')];
  mkdirSync(disk);
  writeFileSync(image, '');
  truncateSync(image, DISK_BYTES);
  let mounted: ReturnType<typeof mountDisk> | undefined;
  try {
    run('mkfs.ext4', '-q', '-F', image);
    mounted = mountDisk(image, disk);
  } catch (error) {
    context.skip(`an ext4 cannot be mounted here: ${(error as Error).message}`);
  }
  undo.push(() => mounted?.unmount());
  const dataDir = join(disk, 'data');
  const bridge = await startBridge(dataDir);
  const senders = startSenders({ urls: [bridge.url], senders: SENDERS, bodyChars: BODY_CHARS });
  await vi.waitFor(() => expect(senders.acknowledged.length).toBeGreaterThan(10 * SENDERS), HANGING);

  mounted!.breakDown();
  await vi.waitFor(() => expect(senders.statuses.get(503) ?? 0).toBeGreaterThan(SENDERS), HANGING);
  const ready = await fetch(`${bridge.url}/readyz`);
  const texts = REASONS.map((reason) => FAILURE_TEXTS[reason]);
  expect([ready.status, ((await ready.json()) as { detail: string }).detail]).toEqual([503, expect.toBeOneOf(texts)]);
  expect((await bridge.get('/api/v1/notifications?limit=10')).status).toBe(200);

  await bridge.kill('SIGTERM');
  mounted!.unmount();
  mounted = undefined;
  // 1: errors were corrected.
  try {
    run('e2fsck', '-fy', image);
  } catch (error) {
    expect((error as { status: number }).status).toBe(1);
  }
  mounted = mountDisk(image, disk);
  const again = await startBridge(dataDir, { NODEBELL_PORT: new URL(bridge.url).port });
  const before = senders.acknowledged.length;
  await vi.waitFor(() => expect(senders.acknowledged.length).toBeGreaterThan(before + SENDERS), HANGING);
  await senders.end();
  expect(await compare((path) => again.get(path), senders.acknowledged)).toEqual([]);
  await again.kill('SIGTERM');
  expect(await recount(join(dataDir, 'nodebell.db'))).toEqual([]);
});
