import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CPU, watch } from '../thresholds/watched.testing.ts';
import { prometheusMonitor } from './rules.ts';

test('Prometheus is told to read what is new, until it does; and once after a start, since it may not have read what is there', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'nodebell-rules-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let refused = true;
  let read = 0;
  const reload = () => {
    if (refused) {
      return Promise.reject(new Error('not now'));
    }
    read += 1;
    return Promise.resolve();
  };
  const start = () => prometheusMonitor({ path: path.join(folder, 'rules.yaml'), reload });
  await expect(start().write([watch(CPU)])).rejects.toThrow('not now');

  const again = start();
  await expect(again.write([watch(CPU)])).rejects.toThrow('not now');
  refused = false;
  await again.write([watch(CPU)]);
  await again.write([watch(CPU)]);
  expect(read).toBe(1);
  await again.write([watch(CPU, { threshold: 81 })]);
  expect(read).toBe(2);
});
