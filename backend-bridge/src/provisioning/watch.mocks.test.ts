import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { watchFiles } from './watch.ts';

/** Fake of chokidar; ready at once unless configured otherwise. */
class FakeWatcher extends EventEmitter {
  closed = false;
  close(): Promise<void> {
    this.closed = true;
    this.removeAllListeners();
    return faults.close ? Promise.reject(new Error('EIO')) : Promise.resolve();
  }
}
const begun: { paths: string[]; watcher: FakeWatcher }[] = [];
const faults = { watch: false, close: false, ready: false };

vi.mock('chokidar', () => ({
  watch: (paths: string[]) => {
    if (faults.watch) {
      throw new Error('EMFILE');
    }
    const watcher = new FakeWatcher();
    begun.push({ paths, watcher });
    if (!faults.ready) {
      setImmediate(() => watcher.emit('ready'));
    }
    return watcher;
  },
}));

beforeEach(() => {
  begun.length = 0;
  Object.assign(faults, { watch: false, close: false, ready: false });
});

const NEVER = 1_000_000;

/** @param named the paths of each reload; the last is repeated */
async function start(named: string[][], timing: Parameters<typeof watchFiles>[1] = {}) {
  let looks = 0;
  const reload = (): Promise<string[]> => {
    looks += 1;
    return Promise.resolve(named[Math.min(looks, named.length) - 1]!);
  };
  const watching = await watchFiles(reload, { settleMs: 1, lookAgainMs: NEVER, ...timing });
  onTestFinished(() => watching.close());
  return {
    watching,
    looks: () => looks,
    change: (file: string) => begun.at(-1)!.watcher.emit('all', 'change', file),
    more: (than: number) => vi.waitFor(() => expect(looks).toBeGreaterThan(than), { timeout: 60_000 }),
  };
}
const moment = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('what is looked at again', () => {
  it.each([
    ['a file in a folder that is named', '/etc/nodebell/all.yaml'],
    ['the folder itself', '/etc/nodebell'],
    ['the folder above', '/etc'],
    ['a file that is named elsewhere', '/secrets/token'],
    ['what the link of a mounted secret leads to', '/secrets/..data'],
  ])('%s', async (_what, changed) => {
    const { looks, change, more } = await start([['/etc/nodebell', '/secrets/token']]);
    const before = looks();
    change(changed);
    await more(before);
  });

  it.each(['/etc/passwd', '/secrets/other', '/etc/nodebell.db-wal'])(
    'not what stands beside it: %s',
    async (changed) => {
      const { looks, change } = await start([['/etc/nodebell', '/secrets/token']]);
      const before = looks();
      change(changed);
      await moment(50);
      expect(looks()).toBe(before);
    }
  );

  it('what is written to all the time, before it is quiet', async () => {
    const { looks, change, more } = await start([['/etc/nodebell']], { settleMs: NEVER, longestSettleMs: 50 });
    const before = looks();
    const writing = setInterval(() => change('/etc/nodebell/log'), 5);
    onTestFinished(() => clearInterval(writing));
    await more(before + 1);
  });

  it('what has changed while the watcher was not ready yet', async () => {
    faults.ready = true;
    const { looks, more } = await start([['/etc/nodebell']], { readyMs: 1 });
    const before = looks();
    begun[0]!.watcher.emit('ready');
    await more(before);
  });
});

describe('what goes wrong', () => {
  it('when it begins to watch is tried again, and is nobody’s end', async () => {
    faults.watch = true;
    const { more } = await start([['/a'], ['/a'], ['/b']], { lookAgainMs: 5 });
    expect(begun).toEqual([]);
    await more(2);
    faults.watch = false;
    await vi.waitFor(() => expect(begun.at(-1)?.paths).toEqual(['/', '/b']), { timeout: 60_000 });
  });

  it('when a watcher is closed does not keep another from watching, nor the bridge from ending', async () => {
    faults.close = true;
    const { watching } = await start([['/a'], ['/b']]);
    expect(begun.map(({ paths, watcher }) => [paths.at(-1), watcher.closed])).toEqual([
      ['/a', true],
      ['/b', false],
    ]);
    await watching.close();
    expect(begun[1]!.watcher.closed).toBe(true);
  });

  it('after a watcher was closed ends nothing', async () => {
    await start([['/a'], ['/b']]);
    expect(begun[0]!.watcher.closed).toBe(true);
    expect(() => begun[0]!.watcher.emit('error', new Error('EIO'))).not.toThrow();
  });
});
