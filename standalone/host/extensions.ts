/** Plugin extensions for Grafana's own pages, resolved by Grafana's rules. */
import type {
  AppPlugin,
  PluginExtensionAddedComponentConfig,
  PluginExtensionAddedLinkConfig,
  PluginExtensionOpenModalOptions,
} from '@grafana/data';
import { BehaviorSubject } from 'rxjs';
import { bootData } from './bootData.ts';
import { readOnly } from './readOnly.ts';

/** A link as shown at an extension point. */
export interface PointLink {
  title: string;
  description: string;
  icon: PluginExtensionAddedLinkConfig['icon'];
  path: string | undefined;
  click: ((openModal: (options: PluginExtensionOpenModalOptions) => void) => void) | undefined;
}

/** The plugin, once it is loaded. */
export const extending = new BehaviorSubject<AppPlugin | undefined>(undefined);

const PATHS = `/a/${bootData.nodebell.app.id}/`;
/** Members that `configure` may override; Grafana ignores the rest with a warning. */
const OVERRIDABLE = new Set(['title', 'description', 'path', 'onClick', 'icon', 'category', 'group', 'openInNewTab']);

/** Contexts of Grafana's pages come from stores whose contents are frozen; the context itself is not. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

function toLink(config: PluginExtensionAddedLinkConfig, point: string, context: object): PointLink[] {
  const overrides = config.configure ? config.configure(context) : {};
  if (overrides === undefined) {
    return []; // hidden here
  }
  const unknown = Object.keys(overrides).filter((name) => !OVERRIDABLE.has(name));
  const path = overrides.path ?? config.path;
  if (unknown.length > 0 || (path !== undefined && !path.startsWith(PATHS))) {
    throw new Error(`"${config.title}" at ${point}: overrides ${unknown.join(', ')}, path ${path}`);
  }
  const { onClick } = config;
  return [
    {
      title: overrides.title ?? config.title,
      description: overrides.description ?? config.description ?? '',
      icon: overrides.icon ?? config.icon,
      path,
      click:
        onClick &&
        ((openModal) => {
          const helpers = {
            context,
            extensionPointId: point,
            openModal,
            openSidebar: () => undefined,
            closeSidebar: () => undefined,
            toggleSidebar: () => undefined,
          };
          // Errors are only logged, like in Grafana.
          try {
            void onClick(undefined, helpers);
          } catch (error) {
            console.error(error);
          }
        }),
    },
  ];
}

/** The links of an extension point. */
export function linksAt(plugin: AppPlugin, point: string, context: object): PointLink[] {
  Object.values(context).forEach(frozen);
  const passed = readOnly(context);
  return plugin.addedLinkConfigs
    .filter(({ targets }) => targets.includes(point))
    .flatMap((config) => toLink(config, point, passed));
}

/** The components of an extension point. */
export function componentsAt(plugin: AppPlugin, point: string): PluginExtensionAddedComponentConfig[] {
  return plugin.addedComponentConfigs.filter(({ targets }) => targets.includes(point));
}
