import { useQuery } from '@tanstack/react-query';
import { type ReactNode, createContext, useContext } from 'react';
import { chainsQuery, useLiveChains } from './queries';
import { useNow } from '../components/timers';

/** Keeps node data live for its children, on pages that show nodes among other things. */
export function LiveChains({ children }: { children: ReactNode }) {
  const { data, error } = useQuery(chainsQuery());
  useLiveChains(error !== null);
  return (
    <ChainClock clockOffset={data?.clockOffset ?? 0} nodes={data?.nodes.length ?? 0}>
      {children}
    </ChainClock>
  );
}

/** The node of a package; undefined while nodes are loading and for packages that are not nodes. */
export function useNode(dnpName: string) {
  const { data } = useQuery({
    ...chainsQuery(),
    select: ({ nodes }) => nodes.find((node) => node.dnpName === dnpName),
  });
  return data;
}

const Now = createContext(0);

/** Up to this many nodes, ages are updated every second; above it, every five seconds. */
const MANY = 60;

interface Props {
  /** Clock of the bridge minus clock of the browser, in milliseconds. */
  clockOffset: number;
  nodes: number;
  children: ReactNode;
}

/** One clock for all ages below it; only components that read it rerender as time passes. */
export function ChainClock({ clockOffset, nodes, children }: Props) {
  const now = useNow(nodes > MANY ? 5000 : 1000);
  return <Now.Provider value={now + clockOffset}>{children}</Now.Provider>;
}

/** Current time by the clock of the bridge, in UTC milliseconds. */
export const useBridgeNow = (): number => useContext(Now);
