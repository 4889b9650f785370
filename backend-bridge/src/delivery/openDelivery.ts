/** Delivery to channels and devices, and from linked bridges. */
import type { ReadState } from '../inbox/readers/service.ts';
import { batchHandlers } from '../inbox/notifications/batch.ts';
import { isFiring } from '../inbox/notifications/ownAlerts.ts';
import type { Inbox } from '../inbox/notifications/inbox.ts';
import type { Receive } from '../inbox/notifications/receive.ts';
import { openVault } from '../platform/access/vault.ts';
import type { Area, Core } from '../platform/core/area.ts';
import type { Charge } from '../platform/http/rateLimit.ts';
import { MessageActions } from './actions/service.ts';
import { createRouting } from './channels/routing.ts';
import { createSameBridgeAlert } from './channels/sameBridge.ts';
import { Channels } from './channels/service.ts';
import { OutboxStore } from './channels/store.ts';
import { scheduleHandlers } from './channels/scheduleHandlers.ts';
import { overrideHandlers } from './channels/overrideHandlers.ts';
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
  inbox: Pick<Inbox, 'mark'>;
  settings: Parameters<typeof openVault>[0] & {
    readState?: ReadState | undefined;
    /** Allowed destinations beyond the public internet. */
    outboundAllow: readonly string[];
    /** Address at which phones reach the bridge; undefined: none is known. */
    publicUrl?: string | undefined;
  };
}

export function openDelivery(
  core: Core,
  { outbox, devices, routing, suppression }: Awaited<ReturnType<typeof openRouting>>,
  { receive, charge, inbox, settings }: DeliveryDeps
) {
  const { db, replica, log, now, steady } = core;
  const { feed, leadership } = replica;
  const { readState = 'each', publicUrl } = settings;
  const vault = openVault(settings);
  const network = { allow: settings.outboundAllow, now };
  const push = createPush({ ...core, store: devices, outbox, routing, feed, readState, network });
  const actions = new MessageActions({
    ...core,
    routing,
    inbox,
    vault,
    publicUrl,
    settings: () => channels.senders.settings(),
  });
  const channels: Channels = new Channels({
    ...core,
    actions,
    ...{ store: outbox, bridge: core.id, routing, feed, receive },
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
      ...overrideHandlers({ ...core, routing }),
      ...pushHandlers(push),
      ...actions.handlers(),
      ...batchHandlers({
        receive,
        charge,
        log,
        bridge: core.id,
        onSameBridge: createSameBridgeAlert({ isFiring: (one) => isFiring(db, one), receive, steady, log }),
      }),
    },
    close: () => [channels, suppression].forEach((one) => one.close()),
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
