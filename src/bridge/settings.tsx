import { createContext, useContext } from 'react';

/** What the configuration of the app says; everybody with access to the app may read it. */
export interface BridgeSettings {
  bridgeUrl?: string;
}

export const BridgeSettingsContext = createContext<BridgeSettings>({});

/** The address of the bridge as Grafana reaches it; undefined while the app is not configured. */
export const useBridgeUrl = (): string | undefined => useContext(BridgeSettingsContext).bridgeUrl?.trim() || undefined;
