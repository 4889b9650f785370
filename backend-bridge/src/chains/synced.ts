/** Remembers across restarts which nodes have been in sync: only such a node can fall behind. */
import type { ChainsDeps } from './service.ts';
import type { NodeMemory } from './state.ts';

export interface Synced {
  /** At the first time: who had been in sync before the bridge was started. */
  learn(): Promise<void>;
  /** What is known of a node that is asked for the first time. */
  recall(dnpName: string, memory: NodeMemory): NodeMemory;
  /** Keeps that it is in sync. Never rejects: what the store cannot take is tried again at the next answer. */
  look(dnpName: string, memory: NodeMemory): Promise<void>;
  /** Of a package that is removed; the store forgets it with the package. */
  forget(dnpName: string): void;
}

export function createSynced({
  everSynced,
  keepSynced,
  log,
}: Pick<ChainsDeps, 'everSynced' | 'keepSynced' | 'log'>): Synced {
  let kept: Set<string> | undefined;
  return {
    async learn() {
      kept ??= new Set(await everSynced());
    },
    recall: (dnpName, memory) => ({ ...memory, inSync: kept?.has(dnpName) === true }),
    async look(dnpName, { inSync }) {
      if (inSync && kept?.has(dnpName) === false) {
        try {
          await keepSynced(dnpName);
          kept.add(dnpName);
        } catch (error) {
          log.error({ err: error }, 'that a node has been in sync could not be stored');
        }
      }
    },
    forget: (dnpName) => void kept?.delete(dnpName),
  };
}
