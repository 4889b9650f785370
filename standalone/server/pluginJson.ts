import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Role } from './identity.ts';

/** One entry of plugin.json's `routes`. */
export interface ProxyRoute {
  path: string;
  method?: string;
  reqRole?: Role;
  url: string;
  headers?: Array<{ name: string; content: string }>;
}

export interface PluginInclude {
  type: string;
  name: string;
  path?: string;
  role?: Role;
  addToNav?: boolean;
  defaultNav?: boolean;
  icon?: string;
}

export interface PluginJson {
  id: string;
  name: string;
  type: string;
  info: { version: string; updated: string; description?: string; logos: { small: string; large: string } };
  includes: PluginInclude[];
  routes: ProxyRoute[];
}

/** Read at each use, so that a new build shows without a restart. */
export async function readPluginJson(pluginDir: string): Promise<PluginJson> {
  const file = path.join(pluginDir, 'plugin.json');
  try {
    return JSON.parse(await readFile(file, 'utf8')) as PluginJson;
  } catch (cause) {
    throw new Error(`cannot read ${file}: is the plugin built? (npm run build)`, { cause });
  }
}
