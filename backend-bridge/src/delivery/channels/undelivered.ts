/** Operations on what could not be delivered. */
import type { CHANNELS } from '../../../contract/api/channels.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { PumpDeps } from './pump.ts';
import { discardAllUndelivered, discardUndelivered, resendAllUndelivered } from './pageWrites.ts';
import { resendUndelivered } from './writes.ts';

type Operations = Pick<
  Handlers<typeof CHANNELS>,
  'listUndelivered' | 'sendUndelivered' | 'sendAllUndelivered' | 'discardUndelivered' | 'discardAllUndelivered'
>;

/** @param placesNamed names in the outbox of this channel, or of all */
export function undeliveredHandlers(
  { store, writes, now, steady }: Pick<PumpDeps, 'store' | 'writes' | 'now' | 'steady'>,
  placesNamed: (channel: string | undefined) => string[]
): Operations {
  return {
    listUndelivered: ({ query }) => store.undelivered(query),
    sendUndelivered: async ({ params: { id }, by }) =>
      requireFound(await writes.submit(resendUndelivered, { id, by, now: now(), steady: steady() }), id),
    sendAllUndelivered: async ({ query, by }) => {
      const channels = placesNamed(query.channel);
      return { count: await writes.submit(resendAllUndelivered, { channels, by, now: now(), steady: steady() }) };
    },
    discardUndelivered: async ({ params: { id }, by }) =>
      requireFound(await writes.submit(discardUndelivered, { id, by, now: now() }), id),
    discardAllUndelivered: async ({ query: { channel }, by }) => {
      const channels = channel === undefined ? undefined : placesNamed(channel);
      return { count: await writes.submit(discardAllUndelivered, { channels, by, now: now() }) };
    },
  };
}

/** @throws HttpProblem 404 */
function requireFound(isFound: boolean, id: number): void {
  if (!isFound) {
    throw new HttpProblem('not-found', `No undelivered notification has the id ${id}.`);
  }
}
