/** Which registered packages are nodes, and all that is needed to ask them. Pure. */
import { type ChainDriver, type ChainLimits } from '../../contract/chain.ts';
import { driverOf } from '../../contract/chainEndpoints.ts';
import type { PackageSummary } from '../../contract/package.ts';
import { addressOf, type ChainOverride } from './address.ts';
import type { NodeAddress } from './ask.ts';
import { DRIVERS } from './drivers/index.ts';
import type { RpcEnvironment } from './environment.ts';
import { limitsOf, type ThresholdOf } from './limits.ts';

/** A package that names a chain. */
export type ChainPackage = Pick<PackageSummary, 'dnpName' | 'version' | 'upstreamVersion' | 'icon' | 'links'> & {
  chain: NonNullable<PackageSummary['chain']>;
  revision: string;
};

export interface ChainSource {
  pkg: ChainPackage;
  /** Undefined: the bridge cannot ask such a node. */
  driver: ChainDriver | undefined;
  address: NodeAddress | undefined;
  /** Why it cannot be asked, in words. */
  obstacle: string | undefined;
  intervalMs: number;
  limits: ChainLimits;
  /** When this changes it is another node: what is remembered of it does not count any more. */
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
    const obstacle = `The bridge cannot ask nodes of the chain "${chain.driver}". It can ask: ${Object.keys(DRIVERS).join(', ')}.`;
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

/** How people call a package: its name without the registry's. */
export function shortName(dnpName: string): string {
  return dnpName.replace(/(\.(dnp|public))?\.[a-z0-9-]+\.eth$/i, '');
}
