/** Registered packages with their icons, dashboards and volumes, and the bridge in place of DAppNode's notifier. */
import type { RequestHandler } from 'express';
import { LIMITS } from '../../contract/limits.ts';
import type { Inbox } from '../inbox/notifications/inbox.ts';
import type { NotificationStore } from '../inbox/notifications/store.ts';
import { createSettingsStore } from '../monitoring/thresholds/store.ts';
import type { Thresholds } from '../monitoring/thresholds/service.ts';
import { createRecorder } from '../platform/audit/record.ts';
import type { Area, Core } from '../platform/core/area.ts';
import { readAddressRules } from '../platform/http/addresses.ts';
import { createOutbound, type Outbound } from '../platform/http/outbound.ts';
import { validatePackage } from '../validation/package/validatePackage.ts';
import { type CompatDeps, createCompat, type DappnodeSettings } from './dappnode/compat.ts';
import { dashboardCards } from './dashboards/dashboards.ts';
import { dashboardHandlers } from './dashboards/routes.ts';
import { iconHandlers } from './icons/routes.ts';
import { createIcons } from './icons/service.ts';
import { FETCH_LIMIT, FETCH_TIMEOUT, packageHandlers } from './registry/routes.ts';
import { createRegistry, shippedPackages } from './registry/service.ts';
import { createPackageStore } from './registry/store.ts';
import type { Gone } from '../inbox/autoResolve/writes.ts';
import { resolveUpdateNotices } from './updateNotices.ts';
import { backupHandlers } from './volumes/routes.ts';
import { createBackups } from './volumes/service.ts';

/** The registry, with the settings of its packages. Opened first: monitoring reads them. */
export function openRegistry({ db, writes, now }: Core, nodeVersion: string | undefined) {
  const settings = createSettingsStore(db);
  const registry = createRegistry({
    store: createPackageStore(db),
    settings,
    writes,
    // Called by name: the build loads them with the first package.
    validate: (texts, options) => validatePackage(texts, options),
    dashboardsOf: (registered) => dashboardCards(registered),
    nodeVersion,
    now,
  });
  return { settings, registry, shipped: () => shippedPackages(registry) };
}

export interface PackagesDeps extends Pick<ReturnType<typeof openRegistry>, 'registry'> {
  inbox: Inbox;
  store: NotificationStore;
  thresholds: Thresholds;
  /** Resolves threads. */
  resolve: (gone: readonly Gone[]) => Promise<void>;
  push: CompatDeps['push'];
  /** Rate limit of sends. */
  limit: RequestHandler;
  settings: {
    dataDir: string;
    /** Address to listen on. */
    host: string;
    /** Allowed destinations beyond the public internet. */
    outboundAllow: readonly string[];
    compat?: DappnodeSettings | undefined;
  };
}

export async function openPackages(
  core: Core,
  { registry, inbox, store, thresholds, resolve, push, limit, settings }: PackagesDeps
) {
  const { writes, reads, gate, log, now } = core;
  const { dataDir, host, outboundAllow } = settings;
  const outbound = (timeoutMs: number, maxBytes: number): Outbound =>
    createOutbound({ allow: readAddressRules(outboundAllow), timeoutMs, maxBytes });
  const backups = createBackups({ find: (dnpName) => registry.find(dnpName), dataDir, now, log });
  await backups.recover(await registry.filesDirs());
  const icons = createIcons({ outbound: outbound(LIMITS.iconFetchTime.value, LIMITS.iconBytes.value), log });
  const compat =
    settings.compat && createCompat(settings.compat, { reads, inbox, store, push, limit, gate, host, registry, log });
  return {
    compat,
    handlers: {
      ...packageHandlers({ registry, thresholds, outbound: outbound(FETCH_TIMEOUT, FETCH_LIMIT) }),
      ...iconHandlers({ store, registry, icons }),
      ...dashboardHandlers(registry),
      ...backupHandlers(backups, createRecorder(writes, now)),
    },
    lead() {
      const stopNotices = resolveUpdateNotices(core, resolve);
      const stopCompat = compat?.lead();
      return () => {
        stopNotices();
        return stopCompat?.();
      };
    },
  } satisfies Area<object> & Record<string, unknown>;
}
