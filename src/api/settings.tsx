import { createContext, useContext } from 'react';
import { PLUGIN_ID } from '../routes';
import { requestGrafana } from './grafana';
import { queryOptions } from '@tanstack/react-query';
import { SERVICE } from '@nodebell/contract/api/service.ts';
import { call } from './client';

const SETTINGS = `/api/plugins/${PLUGIN_ID}/settings`;

/** The configuration of the app, readable by everyone with access to it. */
export interface BridgeSettings {
  bridgeUrl?: string;
}

export const BridgeSettingsContext = createContext<BridgeSettings>({});

/** Settings saved since the page was loaded; Grafana passes on the old ones until a reload. */
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
 * @throws Grafana's error
 */
export async function saveSettings({ bridgeToken, ...data }: Change): Promise<void> {
  const secret = bridgeToken === undefined ? {} : { secureJsonData: { bridgeToken } };
  await requestGrafana(SETTINGS, 'POST', { ...data, ...secret });
  saved = data.jsonData;
}

/** The clock of Grafana's server, from a response header; UTC milliseconds, to the second. */
export async function grafanaTime(): Promise<number | undefined> {
  const { headers } = await requestGrafana(SETTINGS, 'GET');
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}

/** The status and configuration of the bridge; for admins only. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => call(SERVICE.status, { signal }),
});
