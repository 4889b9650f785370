import { lazy } from 'react';
import { AppPlugin, type AppRootProps } from '@grafana/data';

// Grafana fetches this file for every user with access; the pages come when one of them is opened.
const App = lazy(() => import('./App'));

const LazyApp = (props: AppRootProps) => <App {...props} />;

export const plugin = new AppPlugin<object>().setRootPage(LazyApp);
