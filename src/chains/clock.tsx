import { createContext, useContext, type ReactNode } from 'react';
import { useNow } from '../components/timers';

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
