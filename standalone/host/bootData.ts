import type { AppPluginMeta, CurrentUserDTO, NavModelItem } from '@grafana/data';

export type AppMeta = AppPluginMeta & { languages: string[] };

/** Data that the server writes into the page (see ../server/bootData.ts) beside that read by @grafana/runtime. */
export interface HostBootData {
  user: CurrentUserDTO;
  navTree: NavModelItem[];
  settings: { buildInfo: { version: string } };
  nodebell: { app: AppMeta; otherApps: AppMeta[] };
}

export const bootData = (window as unknown as { grafanaBootData: HostBootData }).grafanaBootData;
