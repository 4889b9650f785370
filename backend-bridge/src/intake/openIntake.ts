/** Webhooks of monitors, an Alertmanager, and heartbeats of senders. */
import type { SuppressionService } from '../delivery/suppression/service.ts';
import { KEEP_USE_EVERY_MS, type Senders } from '../platform/access/service.ts';
import type { Area, Core } from '../platform/core/area.ts';
import { viaGuard } from '../platform/http/via.ts';
import { alertmanagerHandlers } from './alertmanager/routes.ts';
import { AlertmanagerService } from './alertmanager/service.ts';
import { heartbeatHandlers, onCallHeartbeats } from './heartbeats/routes.ts';
import { Heartbeats } from './heartbeats/service.ts';
import { findMapping, listMappings } from './mapping/store.ts';
import { type WebhookDeps, webhookHandlers } from './webhooks/routes.ts';

export interface IntakeDeps {
  inbox: Pick<WebhookDeps, 'receive' | 'acknowledge'>;
  suppression: Pick<SuppressionService, 'reasons'>;
  senders: Pick<Senders, 'list'>;
  webhookSecret: string | undefined;
  /** Version of the bridge. */
  version: string;
}

export function openIntake(core: Core, { inbox, suppression, senders, webhookSecret, version }: IntakeDeps) {
  const { receive, acknowledge } = inbox;
  const { replica, log, now } = core;
  const heartbeats = new Heartbeats({
    ...core,
    tokens: () => senders.list(),
    receive,
    term: () => replica.leadership.term(),
    lagMs: replica.isAlone ? 0 : 2 * KEEP_USE_EVERY_MS,
  });
  const alertmanager = new AlertmanagerService(core, receive, suppression);
  return {
    heartbeats,
    alertmanager,
    mappings: () => listMappings(core.db),
    handlers: {
      ...heartbeatHandlers,
      ...onCallHeartbeats,
      ...alertmanagerHandlers({ service: alertmanager, version, now }),
      ...webhookHandlers({
        ...{ receive, acknowledge, webhookSecret, now, log },
        via: viaGuard(core.id),
        mapping: (name) => findMapping(core.db, name),
      }),
    },
    lead() {
      const stopHeartbeats = heartbeats.start();
      const stopAlerts = alertmanager.lead();
      return () => {
        stopAlerts();
        return stopHeartbeats();
      };
    },
  } satisfies Area<object> & Record<string, unknown>;
}
