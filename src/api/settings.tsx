import { createContext, useContext } from 'react';
import { PLUGIN_ID } from '../routes';
import { requestGrafana } from './grafana';

const SETTINGS = `/api/plugins/${PLUGIN_ID}/settings`;

/** What the configuration of the app says; everybody with access to the app may read it. */
export interface BridgeSettings {
  bridgeUrl?: string;
}

export const BridgeSettingsContext = createContext<BridgeSettings>({});

/** Grafana hands a page the settings as they were when it was loaded, until the browser loads everything anew. */
let saved: BridgeSettings | undefined;

/** The address of the bridge as Grafana reaches it; undefined while the app is not configured. */
export function useBridgeUrl(): string | undefined {
  const given = useContext(BridgeSettingsContext);
  return (saved ?? given).bridgeUrl?.trim() || undefined;
}

interface Change {
  enabled: boolean;
  pinned: boolean;
  /** All of it: Grafana replaces what it has. */
  jsonData: BridgeSettings;
  /** Left out: the token stays as it is. */
  bridgeToken?: string;
}

/**
 * Saves the configuration of the app, as Grafana's own pages do.
 * @throws Grafana's refusal
 */
export async function saveSettings({ bridgeToken, ...data }: Change): Promise<void> {
  const secret = bridgeToken === undefined ? {} : { secureJsonData: { bridgeToken } };
  await requestGrafana(SETTINGS, 'POST', { ...data, ...secret });
  saved = data.jsonData;
}

/** The clock of Grafana's server, from the head of an answer; UTC milliseconds, to the second. */
export async function grafanaTime(): Promise<number | undefined> {
  const { headers } = await requestGrafana(SETTINGS, 'GET');
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}
