/** What the operator's files say of nodes. Kept in memory, since it holds secrets; it is read again at each start. */
import type { ChainOverride } from './address.ts';

export interface ProvisionedChain extends ChainOverride {
  dnpName: string;
}

export interface ChainOverrides {
  /** What one file says now; what it said before is forgotten. */
  provision(file: string, chains: readonly ProvisionedChain[]): void;
  /** The file that speaks of a package. */
  owner(dnpName: string): string | undefined;
  /** By package. */
  all(): ReadonlyMap<string, ChainOverride>;
}

/** @param onChange after each change */
export function createChainOverrides(onChange: () => void): ChainOverrides {
  const byPackage = new Map<string, { file: string; override: ChainOverride }>();
  return {
    provision(file, chains) {
      const before = [...byPackage].filter(([, one]) => one.file === file);
      before.forEach(([name]) => byPackage.delete(name));
      chains.forEach(({ dnpName, ...override }) => byPackage.set(dnpName, { file, override }));
      if (before.length > 0 || chains.length > 0) {
        onChange();
      }
    },
    owner: (dnpName) => byPackage.get(dnpName)?.file,
    all: () => new Map([...byPackage].map(([name, { override }]) => [name, override])),
  };
}
