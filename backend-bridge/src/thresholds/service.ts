/** The settings of packages and endpoints: what they are, and changing them. */
import type {
  Endpoint,
  EndpointOverview,
  EndpointPackage,
  EndpointPatch,
  PackageSwitchBody,
} from '../../contract/endpoint.ts';
import { HttpProblem } from '../http/problem.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import { endpointChanges, packageChanges } from './changes.ts';
import { unknownEndpoint } from './check.ts';
import type { Effects } from '../monitors/reconciler.ts';
import { NO_OVERLAY, type Overlay, overlayOf, overlaysOf, thresholdOf } from './overlay.ts';
import { presentEndpoint, presentPackage, type Surroundings, watchedEndpoint } from './present.ts';
import { shippedOff } from './shipped.ts';
import type { SettingsStore } from './store.ts';
import type { ShippedEndpoint, ShippedPackage, WatchedEndpoint } from './types.ts';
import type { SettingChange } from './writes.ts';
import { changeSettings, keepShippedOff } from './writes.ts';

export interface Thresholds {
  overview(): Promise<EndpointOverview>;
  /** @throws HttpProblem 404 */
  ofPackage(dnpName: string): Promise<EndpointPackage>;
  /**
   * @param by who, where that is known
   * @throws HttpProblem 400, 404, 409 for what a file provisions
   */
  setEndpoint(dnpName: string, correlationId: string, patch: EndpointPatch, by: string | undefined): Promise<Endpoint>;
  /** @throws HttpProblem 400 for what is no leftover, 404, 409 */
  setPackage(dnpName: string, change: PackageSwitchBody, by: string | undefined): Promise<EndpointPackage>;
  /** As they are to be watched: every endpoint of every package, or of one. */
  watched(dnpName?: string): Promise<WatchedEndpoint[]>;
  /** @throws HttpProblem 404 */
  watchedOne(dnpName: string, correlationId: string): Promise<WatchedEndpoint>;
  /** For other rooms: what is set for one package, registered or not. */
  overlay(dnpName: string): Promise<Overlay>;
  /** The threshold in effect of one endpoint; undefined where there is none. */
  thresholdOf(dnpName: string, correlationId: string): Promise<number | undefined>;
  /** What the packages ship switched off, kept for the writer: compared once after the start. */
  keepShippedOff(): Promise<void>;
}

export interface ThresholdsDeps {
  store: SettingsStore;
  writes: Pick<WriteQueue, 'submit'>;
  /** Every registered package, by name. */
  packages: () => Promise<ShippedPackage[]>;
  effects: () => Pick<Effects, 'of' | 'monitors' | 'has'>;
  /** Whether what its value has been can be asked for. */
  hasHistory: (watched: WatchedEndpoint) => boolean;
  problems: () => ReadonlyMap<string, EndpointPackage['problems']>;
  /** UTC milliseconds. */
  now: () => number;
}

export function createThresholds(deps: ThresholdsDeps): Thresholds {
  const { store, writes, now } = deps;
  const around = (packages: readonly ShippedPackage[], mutedCategories: Set<string>): Surroundings => {
    const effects = deps.effects();
    const problems = deps.problems();
    const monitors = effects.monitors();
    return {
      ...worldOf(packages, mutedCategories),
      effectsOf: (watched) => effects.of(watched),
      hasHistory: deps.hasHistory,
      isForGatus: monitors.length === 0 || effects.has('gatus'),
      problemsOf: ({ file: owner }) =>
        ((owner === undefined ? undefined : problems.get(owner)) ?? []).map(({ file, line, column, detail }) => ({
          file,
          line,
          column,
          detail,
        })),
    };
  };
  const find = async (dnpName: string): Promise<Found> => {
    const [packages, rows, muted] = await Promise.all([
      deps.packages(),
      store.ofPackage(dnpName),
      store.mutedCategories(),
    ]);
    const shipped = packages.find((one) => one.dnpName === dnpName);
    if (shipped === undefined) {
      throw new HttpProblem('not-found', `No package with the name ${dnpName} is registered.`);
    }
    return { shipped, overlay: overlayOf(rows), around: around(packages, muted) };
  };
  const submit = async (changes: SettingChange[], by: string | undefined): Promise<void> => {
    const { conflict } = await writes.submit(changeSettings, { changes, by: by ?? null, now: now() });
    if (conflict !== null) {
      throw new HttpProblem(
        'conflict',
        `${conflict} has come to set this; nothing was changed, and only there it can be.`
      );
    }
  };

  return {
    async overview() {
      const [packages, rows, muted] = await Promise.all([deps.packages(), store.all(), store.mutedCategories()]);
      const overlays = overlaysOf(rows);
      const surroundings = around(packages, muted);
      return {
        packages: packages
          .filter(({ dnpName, endpoints }) => endpoints.length > 0 || overlays.has(dnpName))
          .map((one) => presentPackage(one, overlays.get(one.dnpName) ?? NO_OVERLAY, surroundings)),
        monitors: deps.effects().monitors(),
      };
    },
    async ofPackage(dnpName) {
      const found = await find(dnpName);
      return presentPackage(found.shipped, found.overlay, found.around);
    },
    async setEndpoint(dnpName, correlationId, patch, by) {
      const found = await find(dnpName);
      const endpoint = endpointOf(found, correlationId);
      await submit(endpointChanges(found, endpoint, patch), by);
      const after = await find(dnpName);
      return presentEndpoint(dnpName, endpointOf(after, correlationId), after.overlay, after.around);
    },
    async setPackage(dnpName, change, by) {
      await submit(packageChanges(await find(dnpName), change), by);
      const after = await find(dnpName);
      return presentPackage(after.shipped, after.overlay, after.around);
    },
    async watched(only) {
      const [packages, rows, muted] = await Promise.all([
        deps.packages(),
        only === undefined ? store.all() : store.ofPackage(only),
        store.mutedCategories(),
      ]);
      const overlays = overlaysOf(rows);
      const world = worldOf(packages, muted);
      const asked = only === undefined ? packages : packages.filter(({ dnpName }) => dnpName === only);
      return asked.flatMap(({ dnpName, endpoints }) =>
        endpoints.map((one) => watchedEndpoint(dnpName, one, overlays.get(dnpName) ?? NO_OVERLAY, world))
      );
    },
    async watchedOne(dnpName, correlationId) {
      const found = await find(dnpName);
      return watchedEndpoint(dnpName, endpointOf(found, correlationId), found.overlay, found.around);
    },
    overlay: async (dnpName) => overlayOf(await store.ofPackage(dnpName)),
    async thresholdOf(dnpName, correlationId) {
      const shipped = (await deps.packages()).find((one) => one.dnpName === dnpName);
      const endpoint = shipped?.endpoints.find((one) => one.correlationId === correlationId);
      return endpoint && thresholdOf(endpoint, overlayOf(await store.ofPackage(dnpName)));
    },
    async keepShippedOff() {
      const kept = await store.shippedOff();
      const wrong = (await deps.packages()).flatMap(({ dnpName, endpoints }) => {
        const off = shippedOff(endpoints);
        return sameIds(off, kept.get(dnpName) ?? []) ? [] : [{ dnpName, off }];
      });
      if (wrong.length > 0) {
        await writes.submit(keepShippedOff, wrong);
      }
    },
  };
}

interface Found {
  shipped: ShippedPackage;
  overlay: Overlay;
  around: Surroundings;
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

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}
