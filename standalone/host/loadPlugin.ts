// The shared libraries come first: evaluated after SystemJS's AMD extra, lodash would find `define` and export nothing.
import { sharedModules } from './shared.ts';
import 'systemjs/dist/system.js';
import 'systemjs/dist/extras/amd.js';
import 'systemjs/dist/extras/named-register.js';
import type { AppPlugin, PanelPlugin } from '@grafana/data';
import type { AppMeta } from './bootData.ts';
import { loadTexts } from './texts.ts';
import { urlSegment, urlValue } from '../../backend-bridge/contract/url.ts';

interface PluginModule {
  __useDefault?: boolean;
  default?: PluginModule | Promise<PluginModule>;
  plugin?: AppPlugin | PanelPlugin;
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

let shared = false;

/** Loads a built module.js exactly as Grafana does: as AMD, through SystemJS, with the libraries of this page. */
async function load<T extends AppPlugin | PanelPlugin>(module: string): Promise<T> {
  if (!shared) {
    shareModules();
    shared = true;
  }
  const url = new URL(module, document.baseURI).href;
  const loaded: PluginModule = await System.import(url);
  // An AMD factory that awaits returns a promise of its exports, which SystemJS hands on as the default of a marked module.
  const { plugin } = loaded.__useDefault ? ((await loaded.default) ?? loaded) : loaded;
  if (!plugin) {
    throw new Error(`${url} exports no "plugin"`);
  }
  return plugin as T;
}

export async function loadPlugin(meta: AppMeta): Promise<AppPlugin> {
  if (meta.languages.length > 0) {
    await loadTexts(meta.id);
  }
  const plugin = await load<AppPlugin>(`${meta.module}?_cache=${urlValue(meta.info.version)}`);
  plugin.init(meta);
  plugin.meta = meta;
  return plugin;
}

/** A panel has an address of its own, below its id. */
export async function loadPanel(id: string): Promise<PanelPlugin> {
  await loadTexts(id);
  return load<PanelPlugin>(`/public/plugins/${urlSegment(id)}/module.js`);
}
