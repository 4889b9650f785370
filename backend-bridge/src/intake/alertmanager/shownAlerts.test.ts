/** Long lists of firing alerts and silences. */
import { expect, test, vi } from 'vitest';
import { shownAlerts } from './routes.ts';
import { Silences, type SilencesDeps } from './silences.ts';

const COUNT = 10;
const ALERT = {
  labels: { instance: 'a' },
  annotations: {},
  generatorURL: '',
  fingerprint: 'f',
  startsAt: 0,
  endsAt: 0,
  updatedAt: 0,
};

/** A list of equal alerts. */
const show = (silences: object) =>
  shownAlerts(
    {
      alerts: { list: () => Array.from({ length: COUNT }, () => ALERT) },
      silences,
      reasons: () => Promise.resolve(Array.from({ length: COUNT }, () => ({ inhibitedBy: [], mutedBy: [] }))),
    } as unknown as Parameters<typeof shownAlerts>[0],
    { active: true, silenced: true, inhibited: true, filter: [] }
  );

test('other work runs while many alerts are compared with silences', async () => {
  let others = 0;
  let isRunning = true;
  const other = (): void => {
    others += 1;
    if (isRunning) {
      setImmediate(other);
    }
  };
  const covers = (): boolean => {
    for (const end = performance.now() + 12; performance.now() < end;);
    return false;
  };
  setImmediate(other);
  const shown = await show({ active: () => [{ silence: { id: 's' }, covers }] });
  isRunning = false;
  expect(shown).toHaveLength(COUNT);
  expect(others).toBeGreaterThanOrEqual(COUNT / 2);
});

test('which silences are active is determined once for all alerts', async () => {
  const now = vi.fn(() => 0);
  const silences = new Silences({ writes: { submit: () => Promise.resolve() }, now } as unknown as SilencesDeps);
  const matchers = [{ name: 'instance', value: 'a', isRegex: false, isEqual: true }];
  const wanted = { matchers, startsAt: new Date(0).toISOString(), endsAt: new Date(1000).toISOString() };
  const id = await silences.set({ ...wanted, createdBy: 'anna', comment: '' }, null);
  now.mockClear();
  const shown = await show(silences);
  expect(shown.map(({ status }) => status.silencedBy)).toEqual(Array(COUNT).fill([id]));
  expect(now).toHaveBeenCalledTimes(1);
});
