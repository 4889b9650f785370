/** Delivery to channels and devices, and from linked bridges. */
import type { ReadState } from '../inbox/readers/service.ts';
import { batchHandlers } from '../inbox/notifications/batch.ts';
import { isFiring } from '../inbox/notifications/ownAlerts.ts';
import type { Receive } from '../inbox/notifications/receive.ts';
import type { Vault } from '../platform/access/vault.ts';
import type { Area, Core } from '../platform/core/area.ts';
import type { Charge } from '../platform/http/rateLimit.ts';
import { createRouting } from './channels/routing.ts';
import { createSameBridgeAlert } from './channels/sameBridge.ts';
import { Channels } from './channels/service.ts';
import { OutboxStore } from './channels/store.ts';
import { scheduleHandlers } from './channels/scheduleHandlers.ts';
import { pushHandlers } from './push/routes.ts';
import { createPush } from './push/service.ts';
import { createPushStore } from './push/store.ts';
import { maintenanceHandlers } from './suppression/routes.ts';
import { type ActiveSilences, SuppressionService } from './suppression/service.ts';

/** Which notifications go where. Opened first: the inbox compares arrivals with it. */
/** @param silences are opened later, before the first arrival */
export async function openRouting(core: Core, silences: () => ActiveSilences) {
  const { db, replica } = core;
  const outbox = new OutboxStore(db);
  const devices = createPushStore(db);
  const routing = await createRouting(outbox, () => devices.places());
  const suppression = new SuppressionService({ ...core, feed: replica.feed, routes: routing, silences });
  return { outbox, devices, routing, suppression };
}

export interface DeliveryDeps {
  receive: Receive;
  charge: Charge;
  readState: ReadState;
  vault: Vault | undefined;
  /** Allowed destinations beyond the public internet. */
  allow: readonly string[];
}

export function openDelivery(
  core: Core,
  { outbox, devices, routing, suppression }: Awaited<ReturnType<typeof openRouting>>,
  { receive, charge, readState, vault, allow }: DeliveryDeps
) {
  const { db, replica, log, now, steady } = core;
  const { feed, leadership } = replica;
  const network = { allow, now };
  const push = createPush({ ...core, store: devices, outbox, routing, feed, readState, network });
  const channels = new Channels({
    ...core,
    store: outbox,
    bridge: core.id,
    routing,
    feed,
    receive,
    leads: () => leadership.term() !== undefined,
    vault,
    push,
    network,
  });
  return {
    channels,
    push,
    suppression,
    handlers: {
      ...maintenanceHandlers(suppression),
      ...channels.handlers(),
      ...scheduleHandlers(routing, core.now),
      ...pushHandlers(push),
      ...batchHandlers({
        receive,
        charge,
        log,
        bridge: core.id,
        onSameBridge: createSameBridgeAlert({ isFiring: (one) => isFiring(db, one), receive, steady, log }),
      }),
    },
    lead() {
      const stops: (() => void | Promise<void>)[] = [channels.start(), push.start(), suppression.lead()];
      return async () => {
        for (const stop of stops) {
          await stop();
        }
      };
    },
  } satisfies Area<object> & Record<string, unknown>;
}
