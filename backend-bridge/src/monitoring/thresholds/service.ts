/** The settings of packages and endpoints: reads and changes them. */
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../contract/audit.ts';
import type {
  Endpoint,
  EndpointOverview,
  EndpointPackage,
  EndpointPatch,
  PackageSwitchBody,
} from '../../../contract/endpoint.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { endpointChanges, packageChanges, unknownEndpoint } from './changes.ts';
import type { Reconciler } from '../monitors/reconciler.ts';
import { NO_OVERLAY, type Overlay, overlayOf, overlaysOf, thresholdOf } from './overlay.ts';
import { presentEndpoint, presentPackage, type Surroundings, monitoredEndpoint } from './present.ts';
import { shippedOff } from './shipped.ts';
import type { SettingsStore } from './store.ts';
import type { ShippedEndpoint, MonitoredEndpoint } from '../monitors/monitor.ts';
import type { ShippedPackage } from './shipped.ts';
import type { SettingChange } from './writes.ts';
import { changeSettings, setShippedOff } from './writes.ts';

export interface ThresholdsDeps {
  store: SettingsStore;
  writes: Pick<WriteQueue, 'submit'>;
  /** Every registered package, by name. */
  packages: () => Promise<ShippedPackage[]>;
  /** With the results of the replica that syncs the monitors. */
  reconciler: () => Promise<Pick<Reconciler, 'effectsOf' | 'states' | 'has'>>;
  hasHistory: (endpoint: MonitoredEndpoint) => boolean;
  problems: () => Promise<ReadonlyMap<string, EndpointPackage['problems']>>;
  /** UTC milliseconds. */
  now: () => number;
}

export type Thresholds = ReturnType<typeof createThresholds>;

export function createThresholds(deps: ThresholdsDeps) {
  const { store, writes } = deps;
  const find = (dnpName: string): Promise<Found> => findPackage(deps, dnpName);
  /** @returns the package with the change */
  const save = ({ shipped }: Found, changes: SettingChange[], by: Actor | undefined): Promise<Found> =>
    submit(deps, shipped.dnpName, changes, by).then(() => findPackage(deps, shipped.dnpName, shipped));

  return {
    async overview(): Promise<EndpointOverview> {
      const [packages, rows, muted] = await Promise.all([deps.packages(), store.all(), store.mutedCategories()]);
      const overlays = overlaysOf(rows);
      const surroundings = await surroundingsOf(deps, packages, muted);
      return {
        packages: packages
          .filter(({ dnpName, endpoints }) => endpoints.length > 0 || overlays.has(dnpName))
          .map((one) => presentPackage(one, overlays.get(one.dnpName) ?? NO_OVERLAY, surroundings)),
        monitors: surroundings.monitors,
      };
    },
    /** @throws HttpProblem 404 */
    async ofPackage(dnpName: string): Promise<EndpointPackage> {
      const found = await find(dnpName);
      return presentPackage(found.shipped, found.overlay, found.around);
    },
    /**
     * @param by the user, if known
     * @throws HttpProblem 400, 404; 409 if a file provisions it
     */
    async setEndpoint(
      dnpName: string,
      correlationId: string,
      patch: EndpointPatch,
      by: Actor | undefined
    ): Promise<Endpoint> {
      const found = await find(dnpName);
      const after = await save(found, endpointChanges(found, endpointOf(found, correlationId), patch), by);
      return presentEndpoint(dnpName, endpointOf(after, correlationId), after.overlay, after.around);
    },
    /** @throws HttpProblem 400 if an id is not a leftover, 404, 409 */
    async setPackage(dnpName: string, change: PackageSwitchBody, by: Actor | undefined): Promise<EndpointPackage> {
      const found = await find(dnpName);
      const after = await save(found, packageChanges(found, change), by);
      return presentPackage(after.shipped, after.overlay, after.around);
    },
    /** The endpoints with their settings applied, of all packages or of one. */
    monitored: (only?: string): Promise<MonitoredEndpoint[]> => monitoredEndpoints(deps, only),
    /** @throws HttpProblem 404 */
    async monitoredOne(dnpName: string, correlationId: string): Promise<MonitoredEndpoint> {
      const found = await find(dnpName);
      return monitoredEndpoint(dnpName, endpointOf(found, correlationId), found.overlay, found.around);
    },
    /** The settings of a package, registered or not. */
    overlay: async (dnpName: string): Promise<Overlay> => overlayOf(await store.ofPackage(dnpName)),
    /** Undefined: the endpoint has no threshold. */
    async thresholdOf(dnpName: string, correlationId: string): Promise<number | undefined> {
      const shipped = (await deps.packages()).find((one) => one.dnpName === dnpName);
      const endpoint = shipped?.endpoints.find((one) => one.correlationId === correlationId);
      return endpoint && thresholdOf(endpoint, overlayOf(await store.ofPackage(dnpName)));
    },
    /** Updates the table of endpoints that packages switch off, which the writer thread uses. Once after the start. */
    async keepShippedOff(): Promise<void> {
      const kept = await store.shippedOff();
      const wrong = (await deps.packages()).flatMap(({ dnpName, endpoints }) => {
        const off = shippedOff(endpoints);
        return isDeepStrictEqual(new Set(off), new Set(kept.get(dnpName))) ? [] : [{ dnpName, off }];
      });
      if (wrong.length > 0) {
        await writes.submit(setShippedOff, wrong);
      }
    },
  };
}

interface Found {
  shipped: ShippedPackage;
  overlay: Overlay;
  around: Surroundings;
}

/** @param saved the package as it was when its settings were saved, in case it was removed since */
async function findPackage(deps: ThresholdsDeps, dnpName: string, saved?: ShippedPackage): Promise<Found> {
  const [packages, rows, muted] = await Promise.all([
    deps.packages(),
    deps.store.ofPackage(dnpName),
    deps.store.mutedCategories(),
  ]);
  const shipped = packages.find((one) => one.dnpName === dnpName) ?? saved;
  if (shipped === undefined) {
    throw new HttpProblem('not-found', `No package with the name ${dnpName} is registered.`);
  }
  return { shipped, overlay: overlayOf(rows), around: await surroundingsOf(deps, packages, muted) };
}

async function monitoredEndpoints(deps: ThresholdsDeps, only: string | undefined): Promise<MonitoredEndpoint[]> {
  const { store } = deps;
  const [packages, rows, muted] = await Promise.all([
    deps.packages(),
    only === undefined ? store.all() : store.ofPackage(only),
    store.mutedCategories(),
  ]);
  const overlays = overlaysOf(rows);
  const world = worldOf(packages, muted);
  const wanted = only === undefined ? packages : packages.filter(({ dnpName }) => dnpName === only);
  return wanted.flatMap(({ dnpName, endpoints }) =>
    endpoints.map((one) => monitoredEndpoint(dnpName, one, overlays.get(dnpName) ?? NO_OVERLAY, world))
  );
}

/** @throws HttpProblem 404, 409 if the package was removed, or a file provisions the setting, since it was read */
async function submit(
  { writes, now }: ThresholdsDeps,
  dnpName: string,
  changes: SettingChange[],
  by: Actor | undefined
): Promise<void> {
  const change = { changes, registered: dnpName, by: by ?? null, now: now() };
  const { conflict, removed } = await writes.submit(changeSettings, change);
  if (conflict !== null) {
    throw new HttpProblem(
      'conflict',
      `${conflict} now provisions this setting; nothing was changed. Change it in that file.`
    );
  }
  if (removed) {
    throw new HttpProblem('not-found', `The package ${dnpName} was removed in the meantime; nothing was saved.`);
  }
}

async function surroundingsOf(
  deps: ThresholdsDeps,
  packages: readonly ShippedPackage[],
  mutedCategories: Set<string>
): Promise<Surroundings & Pick<EndpointOverview, 'monitors'>> {
  const [reconciler, problems] = await Promise.all([deps.reconciler(), deps.problems()]);
  const monitors = reconciler.states();
  return {
    ...worldOf(packages, mutedCategories),
    monitors,
    effectsOf: (endpoint) => reconciler.effectsOf(endpoint),
    hasHistory: deps.hasHistory,
    isForGatus: monitors.length === 0 || reconciler.has('gatus'),
    problemsOf: ({ file: owner }) =>
      ((owner === undefined ? undefined : problems.get(owner)) ?? []).map(({ file, line, column, detail }) => ({
        file,
        line,
        column,
        detail,
      })),
  };
}

function worldOf(packages: readonly ShippedPackage[], mutedCategories: Set<string>) {
  const versions = new Map(packages.map(({ dnpName, version }) => [dnpName, version]));
  return { versionOf: (name: string) => versions.get(name), mutedCategories };
}

function endpointOf({ shipped }: Found, correlationId: string): ShippedEndpoint {
  const endpoint = shipped.endpoints.find((one) => one.correlationId === correlationId);
  if (endpoint === undefined) {
    throw new HttpProblem('not-found', unknownEndpoint(correlationId, shipped.endpoints));
  }
  return endpoint;
}
