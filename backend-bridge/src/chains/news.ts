/** Gathers which nodes have news, and tells them once a second while somebody listens. */
import type { ChainEvent, ChainNode } from '../../contract/chain.ts';
import { LIMITS } from '../../contract/limits.ts';

export interface News {
  /** There is news of a node, or it is gone. */
  of(dnpName: string): void;
  close(): void;
}

export interface NewsDeps {
  tell: (event: ChainEvent) => void;
  listening: () => boolean;
  /** UTC milliseconds. */
  now: () => number;
}

const TELL_MS = 1000;
const MAX_NODES = LIMITS.chainEventNodes.value;

/** @param node as it is now; undefined: it is no longer watched */
export function createNews({ tell, listening, now }: NewsDeps, node: (dnpName: string) => ChainNode | undefined): News {
  const names = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    const changed = listening() ? [...names].map((name) => ({ name, now: node(name) })) : [];
    names.clear();
    for (let first = 0; first < changed.length; first += MAX_NODES) {
      const some = changed.slice(first, first + MAX_NODES);
      tell({
        now: new Date(now()).toISOString(),
        nodes: some.flatMap((one) => one.now ?? []),
        removed: some.flatMap((one) => (one.now === undefined ? [one.name] : [])),
      });
    }
  };
  return {
    of(dnpName) {
      names.add(dnpName);
      timer ??= setTimeout(flush, TELL_MS).unref();
    },
    close: () => clearTimeout(timer),
  };
}
