/**
 * The registry: which packages are registered, in which version, with which files. What is decided is decided on a row that was
 * read; the writer refuses when it has changed since, and then it is decided again.
 */
import type { judgePackage } from '../validation/validatePackage.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import type { SettingsStore } from '../thresholds/store.ts';
import { createProvisioner } from './provision.ts';
import { createReading, type PackageReading } from './reading.ts';
import { createRegistering, type PackageRegistering } from './registering.ts';
import { createShelf } from './shelf.ts';
import type { PackageStore } from './store.ts';
import type { DashboardsOf, ProvisionedRegistry, Submit } from './types.ts';

export interface Registry extends PackageReading, PackageRegistering, ProvisionedRegistry {}

export interface RegistryDeps {
  store: PackageStore;
  writes: Pick<WriteQueue, 'submit'>;
  judge: typeof judgePackage;
  dashboardsOf: DashboardsOf;
  /** Of the node that the bridge runs for; undefined where nobody has said it. */
  nodeVersion: string | undefined;
  /** What is set for packages, also for those that are not registered. */
  settings: Pick<SettingsStore, 'ofPackage' | 'mutedCategories'>;
  /** UTC milliseconds. */
  now: () => number;
}

export function createRegistry(deps: RegistryDeps): Registry {
  const { store, judge, now } = deps;
  const shelf = createShelf(deps);
  const submit: Submit = async (changes) =>
    (await deps.writes.submit('changePackages', { puts: [], removals: [], ...changes })).conflict;
  const { describe, judgeBody, ...reading } = createReading({ ...deps, shelf });
  return {
    ...reading,
    ...createRegistering({ store, settings: deps.settings, submit, now, describe, judgeBody }),
    ...createProvisioner({ store, judge, now, submit, world: (also) => shelf.world(also) }),
  };
}
