/** Where the plugin runs for pictures and measurements: the stand-in, or the Grafana at GRAFANA_URL. */
import { type BrowserContext, request } from '@playwright/test';
import { startConsole } from '../../../standalone/server/console.ts';

const APP = 'nodebell-notifications-app';
const DASHBOARD = 'nodebell-screenshots';
/** Rows of a dashboard. */
const ROWS = 10;

interface Panel {
  id: string;
  title: string;
  /** Width in the 24 columns of a dashboard. */
  columns: number;
  theme: 'dark' | 'light';
}

export interface Host {
  url: string;
  /** The session of an admin; undefined where nobody signs in. */
  storageState: Awaited<ReturnType<BrowserContext['storageState']>> | undefined;
  /** Selects the panel on the page of `openPanel`. */
  panelPart: string;
  /** @returns the path of a page that shows this panel */
  openPanel: (panel: Panel) => Promise<string>;
  close: () => Promise<void>;
}

interface Bridge {
  url: string;
  token: string;
}

async function openStandIn({ url: bridgeUrl, token: bridgeToken }: Bridge): Promise<Host> {
  const { url, close } = await startConsole({ port: 0, bridgeUrl, bridgeToken });
  return {
    ...{ url, storageState: undefined, panelPart: 'main section', close },
    openPanel: ({ id, title, columns, theme }) =>
      Promise.resolve(`/panel/${id}?${new URLSearchParams({ w: `${columns}`, h: `${ROWS}`, title, theme })}`),
  };
}

/** Configures the app to use this bridge, until it is closed if the app is provisioned. Throws if Grafana rejects the login or a request. */
async function openGrafana(url: string, bridge: Bridge): Promise<Host> {
  const { GRAFANA_ADMIN_USER: user = 'admin', GRAFANA_ADMIN_PASSWORD: password = 'admin' } = process.env;
  const session = await request.newContext({ baseURL: url });
  const call = async (method: string, path: string, data?: unknown) => {
    const response = await session.fetch(path, { method, data });
    if (!response.ok()) {
      throw new Error(`${method} ${path} failed with ${response.status()}: ${await response.text()}`);
    }
  };
  await call('POST', '/login', { user, password });
  await call('POST', `/api/plugins/${APP}/settings`, {
    enabled: true,
    pinned: true,
    jsonData: { bridgeUrl: bridge.url },
    secureJsonData: { bridgeToken: bridge.token },
  });
  return {
    url,
    storageState: await session.storageState(),
    panelPart: '[data-testid^="data-testid Panel header"]',
    async openPanel({ id, title, columns, theme }) {
      const panels = [{ id: 1, type: id, title, gridPos: { x: 0, y: 0, w: columns, h: ROWS } }];
      const dashboard = { uid: DASHBOARD, title: 'Nodebell', schemaVersion: 41, panels };
      await call('POST', '/api/dashboards/db', { dashboard, overwrite: true });
      return `/d/${DASHBOARD}?kiosk&theme=${theme}`;
    },
    async close() {
      await session.fetch(`/api/dashboards/uid/${DASHBOARD}`, { method: 'DELETE' });
      await call('POST', '/api/admin/provisioning/plugins/reload');
      await session.dispose();
    },
  };
}

export function openHost(bridge: Bridge): Promise<Host> {
  const { GRAFANA_URL } = process.env;
  return GRAFANA_URL ? openGrafana(GRAFANA_URL, bridge) : openStandIn(bridge);
}
