import {
  type CurrentUserDTO,
  type DataSourceInstanceSettings,
  EventBusSrv,
  standardEditorsRegistry,
} from '@grafana/data';
import {
  type DataSourceSrv,
  DataSourceWithBackend,
  locationService,
  setAppEvents,
  setBackendSrv,
  setChromeHeaderHeightHook,
  setCurrentUser,
  setDataSourceSrv,
  setEchoSrv,
  setLocationSrv,
  setPluginComponentHook,
  setPluginComponentsHook,
  setPluginFunctionsHook,
  setPluginLinksHook,
  setReturnToPreviousHook,
} from '@grafana/runtime';
import { setPluginPage } from 'runtime-plugin-page';
import { HostBackendSrv } from './backendSrv.ts';
import { usePluginComponent, usePluginComponents, usePluginLinks } from './extensions.tsx';
import { HostPage } from './frame/HostPage.tsx';
import { HEADER_HEIGHT } from './frame/sizes.ts';

/** Kinds of options that a panel may name. This host edits none, so none is drawn. */
const EDITORS = [
  ...['text', 'number', 'slider', 'boolean', 'select', 'multi-select', 'radio', 'strings', 'color', 'unit', 'timezone'],
  ...['field-name', 'dashboard-uid'],
];

/** Every data source exists, and passes its queries to the server. */
const settingsOf = ({ uid }: { uid: string }) =>
  ({ id: 1, uid, type: uid, name: uid, jsonData: {}, meta: {} }) as unknown as DataSourceInstanceSettings;

const dataSources = {
  get: (ref: { uid: string }) => Promise.resolve(new DataSourceWithBackend(settingsOf(ref))),
  getInstanceSettings: settingsOf,
  getList: () => [],
};

/** Grafana passes these to @grafana/runtime at startup; without them, its functions throw. */
export function registerServices(user: CurrentUserDTO): EventBusSrv {
  const events = new EventBusSrv();
  setAppEvents(events);
  setBackendSrv(new HostBackendSrv(events));
  setCurrentUser(user);
  setDataSourceSrv(dataSources as unknown as DataSourceSrv);
  setLocationSrv(locationService);
  setEchoSrv({ addBackend: () => undefined, addEvent: () => undefined, flush: () => undefined });
  setChromeHeaderHeightHook(() => HEADER_HEIGHT);
  setReturnToPreviousHook(() => () => undefined);
  setPluginPage(HostPage);
  setPluginLinksHook(usePluginLinks);
  setPluginComponentHook(usePluginComponent);
  setPluginComponentsHook(usePluginComponents);
  setPluginFunctionsHook(() => ({ isLoading: false, functions: [] }));
  standardEditorsRegistry.setInit(() => EDITORS.map((id) => ({ id, name: id, editor: () => null })));
  return events;
}
