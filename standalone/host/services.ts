import { type CurrentUserDTO, EventBusSrv, standardEditorsRegistry } from '@grafana/data';
import {
  locationService,
  setAppEvents,
  setBackendSrv,
  setChromeHeaderHeightHook,
  setCurrentUser,
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
import { HostPage } from './frame/HostPage.tsx';
import { HEADER_HEIGHT } from './frame/sizes.ts';

/** Kinds of options that a panel may name. This host edits none, so none is drawn. */
const EDITORS = [
  ...['text', 'number', 'slider', 'boolean', 'select', 'multi-select', 'radio', 'strings', 'color', 'unit', 'timezone'],
  ...['field-name', 'dashboard-uid'],
];

/** Grafana passes these to @grafana/runtime at startup; without them, its functions throw. */
export function registerServices(user: CurrentUserDTO): EventBusSrv {
  const events = new EventBusSrv();
  setAppEvents(events);
  setBackendSrv(new HostBackendSrv(events));
  setCurrentUser(user);
  setLocationSrv(locationService);
  setEchoSrv({ addBackend: () => undefined, addEvent: () => undefined, flush: () => undefined });
  setChromeHeaderHeightHook(() => HEADER_HEIGHT);
  setReturnToPreviousHook(() => () => undefined);
  setPluginPage(HostPage);
  // Nothing extends this host: every extension point is there and empty.
  setPluginLinksHook(() => ({ isLoading: false, links: [] }));
  setPluginComponentHook(() => ({ isLoading: false, component: null }));
  setPluginComponentsHook(() => ({ isLoading: false, components: [] }));
  setPluginFunctionsHook(() => ({ isLoading: false, functions: [] }));
  standardEditorsRegistry.setInit(() => EDITORS.map((id) => ({ id, name: id, editor: () => null })));
  return events;
}
