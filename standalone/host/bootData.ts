import type { AppPluginMeta, CurrentUserDTO, NavModelItem } from '@grafana/data';

/** Data that the server writes into the page (see ../server/bootData.ts) beside that read by @grafana/runtime. */
export interface HostBootData {
  user: CurrentUserDTO;
  navTree: NavModelItem[];
  settings: { buildInfo: { version: string } };
  nodebell: { app: AppPluginMeta & { languages: string[] } };
}

export const bootData = (window as unknown as { grafanaBootData: HostBootData }).grafanaBootData;
