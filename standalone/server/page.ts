import { hasAction, type Identity, includesRole } from './identity.ts';
import type { PluginInclude, PluginJson } from './pluginJson.ts';
import type { PluginSettings } from './settings.ts';
import { secureFields } from './settings.ts';

export type Theme = 'dark' | 'light';

interface PageContext {
  plugin: PluginJson;
  /** Other apps that run beside it. */
  otherApps: PluginJson[];
  settings: PluginSettings;
  identity: Identity;
  theme: Theme;
  /** Version of the libraries that the host page was built with. */
  grafanaVersion: string;
  /** Language in Grafana's format: "de-DE". */
  language: string;
}

const NO_SETTINGS: PluginSettings = { enabled: true, pinned: false, jsonData: {}, secureJsonData: {} };

export const pluginUrl = (id: string) => `/public/plugins/${id}`;

function appMeta({ plugin, settings }: Pick<PageContext, 'plugin' | 'settings'>) {
  const base = pluginUrl(plugin.id);
  const logos = { small: `${base}/${plugin.info.logos.small}`, large: `${base}/${plugin.info.logos.large}` };
  return {
    languages: [],
    ...plugin,
    info: { screenshots: [], links: [], ...plugin.info, logos },
    module: `${base}/module.js`,
    baseUrl: base,
    enabled: settings.enabled,
    pinned: settings.pinned,
    jsonData: settings.jsonData,
    secureJsonFields: secureFields(settings),
  };
}

/**
 * The menu as Grafana builds it (pkg/services/navtree/navtreeimpl/applinks.go): the app, and below it the pages that ask for an entry
 * and that the user may see. The entry of the app takes the place of its default page, which then has none, nor a title of its own.
 */
function navTree({ plugin, identity }: PageContext) {
  const maySee = ({ role, action }: PluginInclude): boolean =>
    action === undefined ? includesRole(identity.role, role ?? 'Viewer') : hasAction(plugin, identity, action);
  const pages = plugin.includes.filter((page) => page.type === 'page' && page.addToNav && maySee(page));
  const url = pages.find(({ defaultNav }) => defaultNav)?.path ?? `/a/${plugin.id}`;
  return [
    {
      id: `plugin-page-${plugin.id}`,
      text: plugin.name,
      img: `${pluginUrl(plugin.id)}/${plugin.info.logos.small}`,
      url,
      pluginId: plugin.id,
      children: pages
        .filter(({ path }) => path !== url)
        .map(({ name, path, icon }) => ({
          id: `standalone-plugin-page-${path}`,
          text: name,
          url: path,
          icon,
          pluginId: plugin.id,
        })),
    },
  ];
}

/** The permissions that `hasPermission` checks. */
function permissionsOf(plugin: PluginJson, identity: Identity): Record<string, true> {
  const known = (plugin.roles ?? []).flatMap(({ role }) => role.permissions.map(({ action }) => action));
  const own = known.filter((action) => hasAction(plugin, identity, action));
  const ofGrafana = [
    'plugins.app:access',
    ...(includesRole(identity.role, 'Editor') ? ['dashboards:create', 'alert.rules:write'] : []),
    'alert.rules:read',
    ...(identity.role === 'Admin' ? ['plugins:write'] : []),
  ];
  return Object.fromEntries([...ofGrafana, ...own].map((action) => [action, true]));
}

function bootData(context: PageContext) {
  const { identity, theme, language, plugin, grafanaVersion } = context;
  return {
    assets: { dark: '', light: '' },
    user: {
      isSignedIn: !identity.anonymous,
      id: identity.id,
      uid: identity.anonymous ? '' : `user-${identity.id}`,
      externalUserId: '',
      login: identity.login,
      email: `${identity.login}@localhost`,
      name: identity.name,
      orgCount: 1,
      orgId: 1,
      orgName: 'Main Org.',
      orgRole: identity.role,
      isGrafanaAdmin: identity.role === 'Admin',
      gravatarUrl: '',
      theme,
      lightTheme: theme === 'light',
      language,
      timezone: 'browser',
      weekStart: 'browser',
      permissions: permissionsOf(plugin, identity),
      analytics: { identifier: '' },
      authenticatedBy: 'password',
    },
    settings: {
      appUrl: '/',
      appSubUrl: '',
      namespace: 'default',
      buildInfo: { version: grafanaVersion, commit: '', env: 'production', edition: 'Open Source' },
      featureToggles: {},
      apps: { [plugin.id]: { id: plugin.id, path: `${pluginUrl(plugin.id)}/module.js`, preload: false } },
      panels: {},
      datasources: {},
      defaultDatasource: '',
    },
    navTree: navTree(context),
    nodebell: {
      app: appMeta(context),
      otherApps: context.otherApps.map((other) => appMeta({ plugin: other, settings: NO_SETTINGS })),
    },
  };
}

/** The page that Grafana's server would send: what the libraries read at import, then the script that starts them. */
export function renderPage(context: PageContext): string {
  // "<" alone could end the script element.
  const data = JSON.stringify(bootData(context)).replaceAll('<', '\\u003c');
  const background = context.theme === 'light' ? '#ffffff' : '#181b1f';
  return `<!doctype html>
<html lang="${context.language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <base href="/" />
    <title>${context.plugin.name}</title>
    <link rel="icon" type="image/svg+xml" href="${pluginUrl(context.plugin.id)}/${context.plugin.info.logos.small}" />
    <link rel="stylesheet" href="public/host/host.css" />
    <style>html, body { margin: 0; background: ${background}; }</style>
    <script>
      window.__grafana_public_path__ = '/public/';
      window.grafanaBootData = ${data};
    </script>
    <script type="module" src="public/host/host.js"></script>
  </head>
  <body>
    <div id="reactRoot"></div>
  </body>
</html>
`;
}

export const pluginSettingsAnswer = (context: Pick<PageContext, 'plugin' | 'settings'>) => ({
  ...appMeta(context),
  signature: 'unsigned',
  hasUpdate: false,
});
