import { createContext, useContext, type ReactNode } from 'react';
import { useNow } from '../components/timers';

const Now = createContext(0);

/** Ages are told to the second, but hundreds of them are not counted so finely. */
const MANY = 60;

interface Props {
  /** The clock of the bridge less that of the browser, in milliseconds. */
  ahead: number;
  nodes: number;
  children: ReactNode;
}

/** One clock for all that tells an age, so that time renders these words and nothing around them. */
export function ChainClock({ ahead, nodes, children }: Props) {
  const now = useNow(nodes > MANY ? 5000 : 1000);
  return <Now.Provider value={now + ahead}>{children}</Now.Provider>;
}

/** The present by the clock of the bridge, UTC milliseconds. */
export const useBridgeNow = (): number => useContext(Now);
