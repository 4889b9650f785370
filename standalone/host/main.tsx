// First, so that the libraries are evaluated before SystemJS (see the file).
import { loadPlugin } from './loadPlugin.ts';
import { type AppPlugin, createTheme, type EventBusSrv, PluginContextProvider, ThemeContext } from '@grafana/data';
import { config, locationService, LocationServiceProvider } from '@grafana/runtime';
import { Alert, GlobalStyles, ModalRoot, ModalsProvider, PortalContainer } from '@grafana/ui';
import { type ReactNode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'react-router-dom';
import { CompatRouter, Route, Routes, useLocation } from 'react-router-dom-v5-compat';
import { bootData } from './bootData.ts';
import { extending } from './extensions.tsx';
import { followLinks } from './followLinks.ts';
import { Frame } from './frame/Frame.tsx';
import { PANEL_PAGE, PanelPage } from './frame/PanelPage.tsx';
import { CONFIG_PAGE, PluginConfig } from './frame/PluginConfig.tsx';
import { POINT_PAGE, PointPage } from './frame/PointPage.tsx';
import { Toasts } from './frame/Toasts.tsx';
import { registerServices } from './services.ts';
import { initTexts } from './texts.ts';

const { app, otherApps } = bootData.nodebell;
const theme = config.theme2 ?? createTheme({ colors: { mode: bootData.user.theme === 'light' ? 'light' : 'dark' } });

function PluginRoot({ plugin }: { plugin: AppPlugin }) {
  const { pathname, search } = useLocation();
  const { root: Root, meta } = plugin;
  if (!Root) {
    return <Alert severity="error" title="The plugin has no root page" />;
  }
  const query = Object.fromEntries(new URLSearchParams(search));
  return (
    <PluginContextProvider meta={meta}>
      <Root meta={meta} basename={`/a/${meta.id}`} onNavChanged={() => undefined} query={query} path={pathname} />
    </PluginContextProvider>
  );
}

const Elsewhere = () => (
  <Alert severity="info" title="Not part of this page">
    Only Nodebell runs here. In Grafana this link leads to one of Grafana&apos;s own pages.
  </Alert>
);

function Host({ children, events }: { children: ReactNode; events: EventBusSrv }) {
  return (
    <ThemeContext.Provider value={theme}>
      <LocationServiceProvider service={locationService}>
        <Router history={locationService.getHistory()}>
          <CompatRouter>
            <ModalsProvider>
              <GlobalStyles />
              <Frame>{children}</Frame>
              <Toasts events={events} />
              <ModalRoot />
              <PortalContainer />
            </ModalsProvider>
          </CompatRouter>
        </Router>
      </LocationServiceProvider>
    </ThemeContext.Provider>
  );
}

async function start() {
  await initTexts(bootData.user.language, app.languages);
  const events = registerServices(bootData.user);
  const root = createRoot(document.getElementById('reactRoot')!);
  // After React, whose listeners are on the root.
  document.addEventListener('click', followLinks);
  const show = (page: ReactNode) => root.render(<Host events={events}>{page}</Host>);
  try {
    const plugins = await Promise.all([app, ...otherApps].map(loadPlugin));
    extending.next(plugins);
    show(
      <Suspense fallback={null}>
        <Routes>
          {plugins.map((plugin) => (
            <Route key={plugin.meta.id} path={`/a/${plugin.meta.id}/*`} element={<PluginRoot plugin={plugin} />} />
          ))}
          <Route path={CONFIG_PAGE} element={<PluginConfig plugin={plugins[0]!} />} />
          <Route path={`${PANEL_PAGE}*`} element={<PanelPage />} />
          <Route path={`${POINT_PAGE}*`} element={<PointPage />} />
          <Route path="*" element={<Elsewhere />} />
        </Routes>
      </Suspense>
    );
  } catch (error) {
    show(
      <Alert severity="error" title="The plugin could not be loaded">
        {String(error)}
      </Alert>
    );
  }
}

void start();
