/** Large requests of Alertmanager's API and other work of the event loop. */
import { expect, it } from 'vitest';
import { emptyStore } from '../../emptyStore.testing.ts';
import { OpenAlerts } from './openAlerts.ts';

const COUNT = 10;
const busy = (): void => {
  for (const end = performance.now() + 12; performance.now() < end;);
};

it.each([
  ['validated', { onRead: busy, onNote: () => undefined }],
  ['converted', { onRead: () => undefined, onNote: busy }],
])('other work runs between alerts that are %s', async (_name, { onRead, onNote }) => {
  const { db } = await emptyStore();
  let others = 0;
  let isRunning = false;
  const other = (): void => {
    others += 1;
    if (isRunning) {
      setImmediate(other);
    }
  };
  const alerts = new OpenAlerts({
    db,
    writes: { submit: () => Promise.resolve([] as never) },
    receive: (incoming) => {
      isRunning = false;
      expect(incoming).toHaveLength(COUNT);
      return Promise.resolve([]);
    },
    onRead: () => Promise.resolve(),
    isAlone: true,
    now: Date.now,
    steady: () => performance.now(),
    log: { info: onNote, warn: () => undefined },
  });
  await alerts.sync();
  const posted = Array.from({ length: COUNT }, (_, index) => ({
    get labels() {
      onRead();
      // Unknown, which is noted.
      return { alertname: `A${index}`, severity: 'odd' };
    },
  }));
  isRunning = true;
  setImmediate(other);
  expect(await alerts.post(posted, { sender: undefined, key: 'k' })).toEqual([]);
  expect(others).toBeGreaterThanOrEqual(COUNT);
});
