/** Long lists of firing alerts and other work of the event loop. */
import { expect, test } from 'vitest';
import { shownAlerts } from './routes.ts';

const COUNT = 10;

test('other work runs while many alerts are compared with silences', async () => {
  let others = 0;
  let isRunning = true;
  const other = (): void => {
    others += 1;
    if (isRunning) {
      setImmediate(other);
    }
  };
  const alert = {
    labels: {},
    annotations: {},
    generatorURL: '',
    fingerprint: 'f',
    startsAt: 0,
    endsAt: 0,
    updatedAt: 0,
  };
  const silencedBy = (): string[] => {
    for (const end = performance.now() + 12; performance.now() < end;);
    return [];
  };
  setImmediate(other);
  const shown = await shownAlerts(
    {
      alerts: { list: () => Array.from({ length: COUNT }, () => alert) },
      silences: { silencedBy },
      reasons: () => Promise.resolve(Array.from({ length: COUNT }, () => ({ inhibitedBy: [], mutedBy: [] }))),
    } as unknown as Parameters<typeof shownAlerts>[0],
    { active: true, silenced: true, inhibited: true, filter: [] }
  );
  isRunning = false;
  expect(shown).toHaveLength(COUNT);
  expect(others).toBeGreaterThanOrEqual(COUNT / 2);
});
