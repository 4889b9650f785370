// The shared libraries come first: evaluated after SystemJS's AMD extra, lodash would find `define` and export nothing.
import { sharedModules } from './shared.ts';
import 'systemjs/dist/system.js';
import 'systemjs/dist/extras/amd.js';
import 'systemjs/dist/extras/named-register.js';
import type { AppPlugin, AppPluginMeta } from '@grafana/data';

interface PluginModule {
  __useDefault?: boolean;
  default?: PluginModule;
  plugin?: AppPlugin;
}

function shareModules() {
  const imports: Record<string, string> = {};
  for (const [name, module] of Object.entries(sharedModules)) {
    const id = `package:${name}`;
    imports[name] = id;
    System.set(id, module);
  }
  System.addImportMap({ imports });
}

/** Loads the built module.js exactly as Grafana does: as AMD, through SystemJS, with the libraries of this page. */
export async function loadPlugin(meta: AppPluginMeta): Promise<AppPlugin> {
  shareModules();
  const url = new URL(`${meta.module}?_cache=${encodeURIComponent(meta.info.version)}`, document.baseURI).href;
  const loaded: PluginModule = await System.import(url);
  // An AMD factory that awaits returns a promise; SystemJS marks such a module, and the exports are one level down.
  const { plugin } = loaded.__useDefault ? (loaded.default ?? loaded) : loaded;
  if (!plugin) {
    throw new Error(`${url} exports no "plugin"`);
  }
  plugin.init(meta);
  plugin.meta = meta;
  return plugin;
}
