import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import type { BridgeEvent } from '@nodebell/contract/event.ts';
import type { SharedStream } from './events';
import { joinEvents } from './joinEvents';
import type { StreamStatus } from './stream';

const Events = createContext<Pick<SharedStream, 'subscribe'> | undefined>(undefined);

/** Joins the event stream while mounted. */
export function EventsProvider({ children }: { children: ReactNode }) {
  const [stream, setStream] = useState<Pick<SharedStream, 'subscribe'>>();
  useEffect(() => {
    const joined = joinEvents();
    setStream(joined);
    return () => joined.close();
  }, []);
  return <Events.Provider value={stream}>{children}</Events.Provider>;
}

/**
 * Receives events while mounted.
 * @returns whether the stream is open
 */
export function useBridgeEvents(onEvent: (event: BridgeEvent) => void): StreamStatus {
  const stream = useContext(Events);
  const [status, setStatus] = useState<StreamStatus>('connecting');
  const latest = useRef(onEvent);
  useEffect(() => {
    latest.current = onEvent;
  });
  useEffect(() => stream?.subscribe({ onEvent: (event) => latest.current(event), onStatus: setStatus }), [stream]);
  return status;
}
