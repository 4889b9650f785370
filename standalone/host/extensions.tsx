/** Plugin extensions, resolved by Grafana's rules. */
import {
  type AppPlugin,
  type ComponentTypeWithExtensionMeta,
  PluginContextProvider,
  type PluginExtensionAddedLinkConfig,
  type PluginExtensionLink,
  type PluginExtensionOpenModalOptions,
  PluginExtensionTypes,
} from '@grafana/data';
import { type ComponentType, useEffect, useMemo, useState } from 'react';
import { BehaviorSubject } from 'rxjs';
import { useOpenModal } from './frame/useOpenModal.tsx';
import { readOnly } from './readOnly.ts';

/** The plugins, once they are loaded. */
export const extending = new BehaviorSubject<AppPlugin[]>([]);

/** Members that `configure` may override; Grafana ignores the rest with a warning. */
const OVERRIDABLE = new Set(['title', 'description', 'path', 'onClick', 'icon', 'category', 'group', 'openInNewTab']);

interface Point {
  extensionPointId: string;
  context?: object;
}

function usePlugins(): AppPlugin[] {
  const [plugins, setPlugins] = useState(extending.value);
  useEffect(() => {
    const subscription = extending.subscribe(setPlugins);
    return () => subscription.unsubscribe();
  }, []);
  return plugins;
}

const idOf = ({ meta }: AppPlugin, title: string) => `${meta.id} ${title}`;

/** Overrides of a link at a point, from `configure`; undefined: the link is hidden. @throws Error for overrides that Grafana ignores */
function overridesOf({ meta }: AppPlugin, config: PluginExtensionAddedLinkConfig, point: Required<Point>) {
  if (config.path === undefined && config.onClick === undefined) {
    throw new Error(`"${config.title}": Either "path" or "onClick" is required.`);
  }
  const overrides = config.configure ? config.configure(point.context) : {};
  const unknown = Object.keys(overrides ?? {}).filter((name) => !OVERRIDABLE.has(name));
  const path = overrides?.path ?? config.path;
  if (unknown.length > 0 || (path !== undefined && !path.startsWith(`/a/${meta.id}/`))) {
    throw new Error(`"${config.title}" at ${point.extensionPointId}: overrides ${unknown.join(', ')}, path ${path}`);
  }
  return overrides;
}

function toLink(
  plugin: AppPlugin,
  config: PluginExtensionAddedLinkConfig,
  point: Required<Point>,
  openModal: (options: PluginExtensionOpenModalOptions) => void
): PluginExtensionLink[] {
  const overrides = overridesOf(plugin, config, point);
  if (overrides === undefined) {
    return [];
  }
  const path = overrides.path ?? config.path;
  const { onClick } = config;
  const icon = overrides.icon ?? config.icon;
  const sidebar = { openSidebar: () => undefined, closeSidebar: () => undefined, toggleSidebar: () => undefined };
  return [
    {
      id: idOf(plugin, config.title),
      type: PluginExtensionTypes.link,
      pluginId: plugin.meta.id,
      title: overrides.title ?? config.title,
      description: overrides.description ?? config.description ?? '',
      ...(icon && { icon }),
      ...(path !== undefined && { path }),
      ...(onClick && {
        onClick: (event) => {
          // Errors are only logged, like in Grafana.
          try {
            void onClick(event, { ...point, openModal, ...sidebar });
          } catch (error) {
            console.error(error);
          }
        },
      }),
    },
  ];
}

/** The links of an extension point. */
export function usePluginLinks({ extensionPointId, context = {} }: Point) {
  const openModal = useOpenModal();
  const point = { extensionPointId, context: readOnly(context) };
  const links = usePlugins().flatMap((plugin) =>
    plugin.addedLinkConfigs
      .filter(({ targets }) => targets.includes(extensionPointId))
      .flatMap((config) => toLink(plugin, config, point, (options) => openModal(plugin.meta, options)))
  );
  return { isLoading: false, links };
}

/** A component in the context of its plugin. */
function within<Props extends object>({ meta }: AppPlugin, Component: ComponentType<Props>): ComponentType<Props> {
  return function Within(props) {
    return (
      <PluginContextProvider meta={meta}>
        <Component {...props} />
      </PluginContextProvider>
    );
  };
}

/** The components of an extension point. */
export function usePluginComponents<Props extends object>({ extensionPointId }: Point) {
  const plugins = usePlugins();
  const components = useMemo(
    () =>
      plugins.flatMap((plugin) =>
        plugin.addedComponentConfigs
          .filter(({ targets }) => targets.includes(extensionPointId))
          .map(({ title, description, component }) => {
            const meta = { id: idOf(plugin, title), type: PluginExtensionTypes.component, pluginId: plugin.meta.id };
            return Object.assign(within(plugin, component), {
              meta: { ...meta, title, description },
            }) as ComponentTypeWithExtensionMeta<Props>;
          })
      ),
    [plugins, extensionPointId]
  );
  return { isLoading: false, components };
}

/** A component that a plugin exposes. */
export function usePluginComponent<Props extends object>(id: string) {
  const plugins = usePlugins();
  const component = useMemo(() => {
    const plugin = plugins.find(({ exposedComponentConfigs }) => exposedComponentConfigs.some((one) => one.id === id));
    const exposed = plugin?.exposedComponentConfigs.find((one) => one.id === id);
    return plugin && exposed ? within(plugin, exposed.component as ComponentType<Props>) : null;
  }, [plugins, id]);
  return { isLoading: false, component };
}
