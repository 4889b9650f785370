/** A store with alerts of Gatus, and a Gatus that reports their endpoints. */
import { onTestFinished } from 'vitest';
import '../../arrivals.ts';
import { GATUS_BODY } from '../../../contract/gatusWebhook.ts';
import { fromGatus } from '../../intake/webhooks/fromGatus.ts';
import { fillAsGatus } from '../../intake/webhooks/gatusFill.testing.ts';
import { type Gone, resolveGone } from '../../inbox/autoResolve/writes.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { openWorld } from '../../inbox/retention/retention.testing.ts';
import { FakeGatus } from '../monitors/gatus/fakeGatus.testing.ts';
import { monitored } from '../monitors/monitored.testing.ts';
import { gatusState } from './gatus.ts';
import { Vanished } from './service.ts';

const MINUTE = 60_000;
export const ok = (count: number) => Array.from({ length: count }, () => true);

/** Of a package. */
const endpoint = monitored(
  {
    correlationId: 'slow-web',
    alerts: [{ type: 'custom', enabled: true, description: '', 'failure-threshold': 1, 'success-threshold': 40 }],
  },
  { dnpName: 'slow' }
);

export async function open() {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { db, writes, clock } = world;
  const gatus = new FakeGatus();
  gatus.results.set('shop_other', ok(3));
  const steady = () => clock.elapsed;
  const when = () => ({ now: clock.wall, steady: steady(), destinations: undefined });
  const reader = async (of: FakeGatus) =>
    new Vanished({
      ...{ db, writes, steady, log: { warn: () => undefined } as never },
      state: gatusState(await of.listen(), () => Promise.resolve([endpoint])),
      resolve: async (gone: readonly Gone[]) => void (await writes.submit(resolveGone, { gone, ...when() })),
    });
  let vanished = await reader(gatus);
  return {
    db,
    writes,
    gatus,
    /** Restarts with the URL of another Gatus. */
    configure: async (other: FakeGatus) => {
      vanished = await reader(other);
    },
    /** A webhook of Gatus. */
    fires: async (name: string, template = GATUS_BODY) => {
      const read = fromGatus(fillAsGatus(template, { name, group: 'shop' }));
      const incoming = read.ok ? [read.value.incoming] : [];
      await writes.submit(receive, { incoming, ...when() });
    },
    /** Checks each minute. */
    pass: async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.wall += MINUTE;
        clock.elapsed += MINUTE;
        await vanished.check();
      }
    },
    states: async () => {
      const rows = await db
        .selectFrom('threads as t')
        .innerJoin('notifications as n', 'n.id', 't.head_id')
        .select(['n.title', 'n.body', 't.state'])
        .orderBy('t.id')
        .execute();
      return rows.map(({ title, body, state }) => (state === 'open' ? `${title} open` : `${title} ${body}`));
    },
  };
}
