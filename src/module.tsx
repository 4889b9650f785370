import { lazy } from 'react';
import { AppPlugin, type AppRootProps } from '@grafana/data';
import { paletteLinks } from './palette';

// Grafana fetches this file for every user with access; the pages come when one of them is opened.
const App = lazy(() => import('./App'));

const LazyApp = (props: AppRootProps) => <App {...props} />;

export const plugin = new AppPlugin<object>().setRootPage(LazyApp);

for (const link of paletteLinks) {
  plugin.addLink(link);
}
