/** Registered packages that are nodes, and the data needed to poll them. Pure. */
import type { ChainLimits } from '../../../contract/chain.ts';
import { type ChainDriver, chainEndpoints, driverOf } from '../../../contract/chainEndpoints.ts';
import type { PackageSummary } from '../../../contract/package.ts';
import { addressOf, type ChainOverride, type RpcEnvironment } from './address.ts';
import { DRIVERS } from './drivers/index.ts';
import type { NodeAddress } from './request.ts';

/** A package that names a chain. */
export type ChainPackage = Pick<PackageSummary, 'dnpName' | 'version' | 'upstreamVersion' | 'icon' | 'links'> & {
  chain: NonNullable<PackageSummary['chain']>;
  revision: string;
  /** Ids of the package's own endpoints: the bridge sends no alerts of the same ids. */
  own: readonly string[];
};

export interface ChainSource {
  pkg: ChainPackage;
  /** Undefined: the bridge has no driver for the chain. */
  driver: ChainDriver | undefined;
  address: NodeAddress | undefined;
  /** Why it cannot be polled. */
  obstacle: string | undefined;
  intervalMs: number;
  limits: ChainLimits;
  /** A change means another node: its state is discarded. */
  identity: string;
}

export interface SourceParts {
  domain: string | undefined;
  overrides: ReadonlyMap<string, ChainOverride>;
  thresholdOf: ThresholdOf;
  environment: RpcEnvironment;
}

export function sourceOf(pkg: ChainPackage, { domain, overrides, thresholdOf, environment }: SourceParts): ChainSource {
  const { dnpName, chain } = pkg;
  const driver = driverOf(chain.driver);
  const override = overrides.get(dnpName);
  const limits = limitsOf(dnpName, chain.driver, thresholdOf);
  if (driver === undefined) {
    const obstacle = `Unsupported chain "${chain.driver}". Supported: ${Object.keys(DRIVERS).join(', ')}.`;
    return { pkg, driver, address: undefined, obstacle, intervalMs: 0, limits, identity: chain.driver };
  }
  const { port, interval } = DRIVERS[driver];
  const intervalMs = (override?.interval ?? interval) * 1000;
  const found = addressOf({ dnpName, chain, port, domain, override, environment });
  const address = 'url' in found ? found : undefined;
  const obstacle = 'url' in found ? undefined : found.unconfigured;
  return {
    pkg,
    driver,
    address,
    obstacle,
    intervalMs,
    limits,
    identity: JSON.stringify([driver, address, obstacle, intervalMs]),
  };
}

/** Display name of a package: its name without the registry. */
export function shortName(dnpName: string): string {
  return dnpName.replace(/(\.(dnp|public))?\.[a-z0-9-]+\.eth$/i, '');
}

/** @returns the threshold that an admin has configured; undefined: the default applies */
export type ThresholdOf = (dnpName: string, correlationId: string) => number | undefined;

/** Limits of an unsupported chain; unused. */
const NONE: ChainLimits = { behind: 0, stalledMinutes: 0, unreachableMinutes: 0, peers: 0 };

function limitsOf(dnpName: string, driver: string, thresholdOf: ThresholdOf): ChainLimits {
  const own = chainEndpoints({ chain: { driver } }).map(
    ({ limit, correlationId, threshold }) => [limit, thresholdOf(dnpName, correlationId) ?? threshold] as const
  );
  return { ...NONE, ...Object.fromEntries(own) };
}
