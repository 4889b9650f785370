import { lazy, Suspense } from 'react';
import { AppPlugin, type AppPluginMeta, type AppRootProps, type PluginConfigPageProps } from '@grafana/data';
import { locationService } from '@grafana/runtime';
import type { BridgeSettings } from './api/settings';
import { exposedComponents, extensionComponents } from './extensions/components';
import { extensionLinks } from './extensions/links';
import { whenIdle } from './toasts/start';
import { startTranslations } from './i18n/start';
import { t } from './i18n/t';
import { pathTo, PLUGIN_ID } from './routes';

await startTranslations(PLUGIN_ID);

// Grafana fetches this file for every user with access; the pages come when one of them is opened.
const App = lazy(() => {
  if ((locationService.getLocation() as { pathname: string }).pathname.startsWith(pathTo.inbox)) {
    // Beside the frame of the pages, not after it. An error is that of the page, which imports it again.
    import(/* webpackChunkName: "inbox" */ './inbox/Inbox').catch(() => undefined);
  }
  return import('./App');
});
const ConfigPage = lazy(() => import(/* webpackChunkName: "config" */ './config/ConfigPage'));

const LazyApp = (props: AppRootProps<BridgeSettings>) => <App {...props} />;
const LazyConfigPage = (props: PluginConfigPageProps<AppPluginMeta<BridgeSettings>>) => (
  <Suspense fallback={null}>
    <ConfigPage {...props} />
  </Suspense>
);

const configPage = (): Parameters<AppPlugin['addConfigPage']>[0] => ({
  title: t('config.page.tab', 'Configuration'),
  icon: 'cog',
  body: LazyConfigPage,
  id: 'configuration',
});

export const plugin = new AppPlugin<BridgeSettings>().setRootPage(LazyApp).addConfigPage(configPage());

extensionLinks.forEach((link) => plugin.addLink(link));
extensionComponents.forEach((component) => plugin.addComponent(component));
exposedComponents.forEach((component) => plugin.exposeComponent(component));
whenIdle();
