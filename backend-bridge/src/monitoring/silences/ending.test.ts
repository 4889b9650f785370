/** Notices of silences and windows that end soon, over a real store. */
import { expect, onTestFinished, test } from 'vitest';
import '../../arrivals.ts';
import type { Silence } from '../../../contract/silence.ts';
import type { Maintenance } from '../../../contract/suppression.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { HOUR, openWorld, START } from '../../inbox/retention/retention.testing.ts';
import { reportEnding } from './ending.ts';

const at = (hours: number): string => new Date(START + hours * HOUR).toISOString();
const SILENCE: Silence = {
  ...{ id: 's', alertmanager: 'grafana', by: 'otto', comment: 'New disk', startsAt: at(-5), until: at(0.9) },
  ...{ matchers: [], alerts: [{ correlationId: 'c' }], state: 'active' as const },
};
const WINDOW: Maintenance = {
  ...{ id: 'w', name: 'Backup', matchers: 'a="1"', by: '', updatedAt: at(-5), state: 'active' as const },
  ...{ startsAt: at(-5), endsAt: at(0.5), from: null, until: at(0.5), threads: 3 },
};

async function reported(silences: Silence[], windows: Maintenance[], times = 1): Promise<string[]> {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { db, writes, clock } = world;
  for (let time = 0; time < times; time += 1) {
    await reportEnding({
      silencing: { list: () => Promise.resolve({ alertmanagers: [], silences }) },
      suppression: { list: () => Promise.resolve({ windows, rules: [] }) },
      async receive(incoming) {
        await writes.submit(receive, { incoming, now: clock.wall, steady: clock.elapsed });
        return [];
      },
      now: () => clock.wall,
    });
  }
  const rows = await db.selectFrom('notifications').select(['title', 'body']).orderBy('id').execute();
  return rows.map(({ title, body }) => `${title} | ${body}`);
}

test('one that ends within an hour and still suppresses something is reported, once', async () => {
  expect(await reported([SILENCE], [WINDOW], 3)).toEqual([
    `A silence ends soon: New disk | One alert still fires and will be sent from ${at(0.9)} on. Created by otto.`,
    `A maintenance window ends soon: Backup | 3 alerts still fire and will be sent from ${at(0.5)} on.`,
  ]);
});

test.each<[string, Partial<Silence>]>([
  ['ends later', { until: at(1.1) }],
  ['has ended', { until: at(-0.1) }],
  ['is shorter than two hours', { startsAt: at(-0.5) }],
  ['suppresses nothing', { alerts: [] }],
])('a silence that %s is not', async (_what, change) => {
  expect(await reported([{ ...SILENCE, ...change }], [])).toEqual([]);
});

test('a window that is not active, or never ends, is not', async () => {
  const pending = { ...WINDOW, state: 'pending' as const };
  expect(await reported([], [pending, { ...WINDOW, until: null }])).toEqual([]);
});
