import type { AppRootProps } from '@grafana/data';
import { PluginPage } from '@grafana/runtime';
import { LoadingPlaceholder } from '@grafana/ui';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { EventsProvider } from './api/EventsProvider';
import { createQueryClient } from './api/queryClient';
import { BridgeSettingsContext, useBridgeUrl, type BridgeSettings } from './api/settings';
import { NotSetUp } from './components/NotSetUp';
import { pageOf, usePageNav } from './components/usePageNav';
import { usePush } from './push/usePush';
import { routes } from './routes';

const InboxPage = lazy(() => import(/* webpackChunkName: "inbox" */ './inbox/Inbox'));
const ThresholdsPage = lazy(() => import(/* webpackChunkName: "thresholds" */ './thresholds/list/ThresholdsPage'));
const ChainsPage = lazy(() => import(/* webpackChunkName: "chains" */ './chains/list/ChainsPage'));
const ChannelsPage = lazy(() => import(/* webpackChunkName: "channels" */ './channels/ChannelsPage'));
const Devices = lazy(async () => ({
  default: (await import(/* webpackChunkName: "channels" */ './push/Devices')).Devices,
}));
const SilencesPage = lazy(() => import(/* webpackChunkName: "silences" */ './silences/SilencesPage'));
const OnCallPage = lazy(() => import(/* webpackChunkName: "on-call" */ './onCall/OnCallPage'));
const ReportPage = lazy(() => import(/* webpackChunkName: "report" */ './report/ReportPage'));
const PackagesPage = lazy(() => import(/* webpackChunkName: "packages" */ './packages/list/PackagesPage'));
const PackagePage = lazy(() => import(/* webpackChunkName: "package" */ './packages/detail/PackagePage'));
const WizardPage = lazy(() => import(/* webpackChunkName: "wizard" */ './packages/wizard/WizardPage'));

export default function App({ meta }: AppRootProps<BridgeSettings>) {
  const [client] = useState(createQueryClient);
  return (
    <BridgeSettingsContext.Provider value={meta.jsonData ?? {}}>
      <QueryClientProvider client={client}>
        <Suspense fallback={<LoadingPlaceholder text="" />}>
          <Pages />
        </Suspense>
      </QueryClientProvider>
    </BridgeSettingsContext.Provider>
  );
}

/** Every page needs a bridge, and all of them share its event stream. */
function Pages() {
  const bridgeUrl = useBridgeUrl();
  const pageNav = usePageNav(pageOf(useLocation().pathname));
  if (bridgeUrl === undefined) {
    return (
      <PluginPage pageNav={pageNav}>
        <NotSetUp />
      </PluginPage>
    );
  }
  return (
    <EventsProvider>
      <PushEvents />
      <Routes>
        <Route path={routes.inbox} element={<InboxPage bridgeUrl={bridgeUrl} />} />
        <Route path={routes.thresholds} element={<ThresholdsPage bridgeUrl={bridgeUrl} />} />
        <Route path={routes.chains} element={<ChainsPage bridgeUrl={bridgeUrl} />} />
        <Route path={routes.channels} element={<ChannelsPage bridgeUrl={bridgeUrl} devices={<Devices />} />} />
        <Route path={routes.silences} element={<SilencesPage bridgeUrl={bridgeUrl} />} />
        <Route path={routes.onCall} element={<OnCallPage bridgeUrl={bridgeUrl} />} />
        <Route path={routes.report} element={<ReportPage bridgeUrl={bridgeUrl} />} />
        <Route path={routes.packages} element={<PackagesPage bridgeUrl={bridgeUrl} />} />
        <Route path={routes.addPackage} element={<WizardPage key="add" />} />
        <Route path={routes.updatePackage} element={<WizardPage key="update" />} />
        <Route path={routes.package} element={<PackagePage bridgeUrl={bridgeUrl} />} />
        <Route path="*" element={<ToInbox />} />
      </Routes>
    </EventsProvider>
  );
}

function PushEvents() {
  usePush();
  return null;
}

/** Keep the filters of a URL without a page. */
function ToInbox() {
  const { search } = useLocation();
  return <Navigate to={{ pathname: routes.inbox, search }} replace />;
}
