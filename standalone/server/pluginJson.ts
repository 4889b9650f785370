import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Roles of an organisation in Grafana, each including those before it. */
export const ROLES = ['Viewer', 'Editor', 'Admin'] as const;
export type Role = (typeof ROLES)[number];

/** One entry of plugin.json's `routes`. */
export interface ProxyRoute {
  path: string;
  method?: string;
  /** If set, the role is ignored. */
  reqAction?: string;
  reqRole?: Role;
  url: string;
  headers?: Array<{ name: string; content: string }>;
}

export interface PluginInclude {
  type: string;
  name: string;
  path?: string;
  role?: Role;
  /** If set, the role is ignored. */
  action?: string;
  addToNav?: boolean;
  defaultNav?: boolean;
  icon?: string;
}

/** One entry of plugin.json's `roles`: what it allows, and the roles of the organisation that have it. */
export interface PluginRole {
  role: { name: string; permissions: { action: string }[] };
  grants: Role[];
}

export interface PluginJson {
  id: string;
  name: string;
  type: string;
  info: { version: string; updated: string; description?: string; logos: { small: string; large: string } };
  includes: PluginInclude[];
  roles?: PluginRole[];
  routes: ProxyRoute[];
}

interface Plugins {
  pluginDir: string;
  /** Other apps, by their folders. */
  otherApps: ReadonlyMap<string, PluginJson>;
}

/**
 * The folder of the plugin with this id: the app's, or that of a panel inside it, which has an address of its own as in
 * Grafana. Undefined when there is none; a panel that is named and not built is none.
 */
export async function findPluginDir(
  { pluginDir, otherApps }: Plugins,
  app: PluginJson,
  id: string
): Promise<string | undefined> {
  if (id === app.id) {
    return pluginDir;
  }
  for (const [dir, other] of otherApps) {
    if (other.id === id) {
      return dir;
    }
  }
  for (const { type, path: file } of app.includes) {
    if (type === 'panel' && file) {
      const nested = path.join(pluginDir, file);
      const text = await readFile(nested, 'utf8').catch(() => undefined);
      if (text !== undefined && (JSON.parse(text) as { id: string }).id === id) {
        return path.dirname(nested);
      }
    }
  }
  return undefined;
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
