/** A store with alerts of Gatus, and a Gatus that reports their endpoints. */
import { GATUS_BODY } from '../../../contract/gatusWebhook.ts';
import { fromGatus } from '../../intake/webhooks/fromGatus.ts';
import { fillAsGatus } from '../../intake/webhooks/gatusFill.testing.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { FakeGatus } from '../monitors/gatus/fakeGatus.testing.ts';
import { monitored } from '../monitors/monitored.testing.ts';
import { gatusState } from './gatus.ts';
import { openVanished } from './world.testing.ts';

export const ok = (count: number) => Array.from({ length: count }, () => true);

/** Its alert needs more successes than others. */
const endpoint = monitored(
  {
    correlationId: 'slow-web',
    alerts: [{ type: 'custom', enabled: true, description: '', 'failure-threshold': 1, 'success-threshold': 40 }],
  },
  { dnpName: 'slow' }
);

export async function open() {
  const { db, writes, when, start, pass, threads } = await openVanished();
  const gatus = new FakeGatus();
  gatus.results.set('shop_other', ok(3));
  const reader = async (of: FakeGatus) => start(gatusState(await of.listen(), () => Promise.resolve([endpoint])));
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
    pass: (minutes: number) => pass(vanished, minutes),
    states: async () =>
      (await threads()).map(({ title, body, state }) => (state === 'open' ? `${title} open` : `${title} ${body}`)),
  };
}
