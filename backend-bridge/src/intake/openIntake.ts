/** Webhooks of monitors, and heartbeats of senders. */
import type { Receive } from '../inbox/notifications/receive.ts';
import { KEEP_USE_EVERY_MS, type Senders } from '../platform/access/service.ts';
import type { Area, Core } from '../platform/core/area.ts';
import { viaGuard } from '../platform/http/via.ts';
import { heartbeatHandlers } from './heartbeats/routes.ts';
import { Heartbeats } from './heartbeats/service.ts';
import { webhookHandlers } from './webhooks/routes.ts';

export interface IntakeDeps {
  receive: Receive;
  senders: Pick<Senders, 'list'>;
  webhookSecret: string | undefined;
}

export function openIntake(core: Core, { receive, senders, webhookSecret }: IntakeDeps) {
  const { replica, log, now } = core;
  const heartbeats = new Heartbeats({
    ...core,
    tokens: () => senders.list(),
    receive,
    leads: () => replica.leadership.term() !== undefined,
    lagMs: replica.isAlone ? 0 : 2 * KEEP_USE_EVERY_MS,
  });
  return {
    heartbeats,
    handlers: {
      ...heartbeatHandlers,
      ...webhookHandlers({ receive, webhookSecret, via: viaGuard(core.id), now, log }),
    },
    lead: () => heartbeats.start(),
  } satisfies Area<object> & Record<string, unknown>;
}
