import { lazy, Suspense } from 'react';
import { AppPlugin, type AppPluginMeta, type AppRootProps, type PluginConfigPageProps } from '@grafana/data';
import type { BridgeSettings } from './bridge/settings';
import { paletteLinks } from './palette';

// Grafana fetches this file for every user with access; the pages come when one of them is opened.
const App = lazy(() => import('./App'));
const ConfigPage = lazy(() => import(/* webpackChunkName: "config" */ './config/ConfigPage'));

const LazyApp = (props: AppRootProps<BridgeSettings>) => <App {...props} />;
const LazyConfigPage = (props: PluginConfigPageProps<AppPluginMeta<BridgeSettings>>) => (
  <Suspense fallback={null}>
    <ConfigPage {...props} />
  </Suspense>
);

export const plugin = new AppPlugin<BridgeSettings>().setRootPage(LazyApp).addConfigPage({
  title: 'Configuration',
  icon: 'cog',
  body: LazyConfigPage,
  id: 'configuration',
});

for (const link of paletteLinks) {
  plugin.addLink(link);
}
