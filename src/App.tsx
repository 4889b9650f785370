import type { AppRootProps } from '@grafana/data';
import { LoadingPlaceholder } from '@grafana/ui';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { createQueryClient } from './bridge/queryClient';
import { BridgeSettingsContext, type BridgeSettings } from './bridge/settings';
import { routes } from './routes';

const InboxPage = lazy(() => import(/* webpackChunkName: "inbox" */ './inbox/InboxPage'));

export default function App({ meta }: AppRootProps<BridgeSettings>) {
  const [client] = useState(createQueryClient);
  return (
    <BridgeSettingsContext.Provider value={meta.jsonData ?? {}}>
      <QueryClientProvider client={client}>
        <Suspense fallback={<LoadingPlaceholder text="" />}>
          <Routes>
            <Route path={routes.inbox} element={<InboxPage />} />
            <Route path="*" element={<ToInbox />} />
          </Routes>
        </Suspense>
      </QueryClientProvider>
    </BridgeSettingsContext.Provider>
  );
}

/** An address without a page may carry filters all the same. */
function ToInbox() {
  const { search } = useLocation();
  return <Navigate to={{ pathname: routes.inbox, search }} replace />;
}
