import { config } from '@grafana/runtime';
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import type { BridgeEvent } from '@nodebell/contract/event.ts';
import { PLUGIN_ID } from '../routes';
import { BRIDGE_BASE } from './client';
import { openChannel, shareStream, type SharedStream } from './events';
import { toSearch } from './query';
import type { Source, StreamStatus } from './stream';

const Events = createContext<SharedStream | undefined>(undefined);

function connect(lastEventId: number | undefined): Source {
  const url = `${config.appSubUrl}${BRIDGE_BASE}/events${toSearch({ lastEventId })}`;
  return new EventSource(url) as unknown as Source;
}

/** Joins the event stream while mounted. */
export function EventsProvider({ children }: { children: ReactNode }) {
  const [stream, setStream] = useState<SharedStream>();
  useEffect(() => {
    // Users and organisations see different inboxes through the same origin, so they do not share a channel.
    const { orgId, id } = config.bootData.user;
    const joined = shareStream({ channel: openChannel(`${PLUGIN_ID}:${config.appSubUrl}:${orgId}:${id}`), connect });
    setStream(joined);
    return () => joined.close();
  }, []);
  return <Events.Provider value={stream}>{children}</Events.Provider>;
}

/**
 * Hears events while mounted.
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
