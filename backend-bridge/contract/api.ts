/** Every operation of the HTTP API, by id: `api/` has a file for each subject. */
import { ACTIONS } from './api/actions.ts';
import { ALERTMANAGER } from './api/alertmanager.ts';
import { CATEGORIES } from './api/categories.ts';
import { CHAINS } from './api/chains.ts';
import { CHANNELS } from './api/channels.ts';
import { EVENTS } from './api/events.ts';
import { FOREIGN } from './api/foreign.ts';
import { MAINTENANCE } from './api/maintenance.ts';
import { NOTIFICATIONS } from './api/notifications.ts';
import { PACKAGES } from './api/packages.ts';
import { PUSH } from './api/push.ts';
import { RESPOND } from './api/respond.ts';
import { RETENTION } from './api/retention.ts';
import { SCHEDULES } from './api/schedules.ts';
import { SERVICE } from './api/service.ts';
import { THRESHOLDS } from './api/thresholds.ts';
import { ADMIN_TOKEN, TOKENS } from './api/tokens.ts';
import { WEBHOOKS } from './api/webhooks.ts';
import type { Operation } from './operation.ts';

export const API = {
  ...NOTIFICATIONS,
  ...RESPOND,
  ...ACTIONS,
  ...MAINTENANCE,
  ...EVENTS,
  ...WEBHOOKS,
  ...FOREIGN,
  ...ALERTMANAGER,
  ...CATEGORIES,
  ...PACKAGES,
  ...THRESHOLDS,
  ...CHAINS,
  ...TOKENS,
  ...ADMIN_TOKEN,
  ...PUSH,
  ...CHANNELS,
  ...SCHEDULES,
  ...RETENTION,
  ...SERVICE,
};

/** All operations as a list. */
export const OPERATIONS: readonly Operation[] = Object.values(API);
