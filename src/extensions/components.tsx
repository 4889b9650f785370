/** Components of Nodebell on Grafana's own pages and on those of other apps. Their content is loaded when they are rendered. */
import type { PluginExtensionAddedComponentConfig, PluginExtensionExposedComponentConfig } from '@grafana/data';
import { ErrorBoundaryAlert } from '@grafana/ui';
import { type ComponentType, lazy, Suspense } from 'react';
import { INBOX, UNREAD_COUNT } from '../extensionApi';

const HomeCard = lazy(() => import(/* webpackChunkName: "homeCard" */ './HomeCard'));
const loadExposed = () => import(/* webpackChunkName: "exposed" */ './Exposed');
const Inbox = lazy(async () => ({ default: (await loadExposed()).ExposedInbox }));
const UnreadCount = lazy(async () => ({ default: (await loadExposed()).ExposedUnreadCount }));

export const extensionComponents: PluginExtensionAddedComponentConfig[] = [
  {
    targets: ['grafana/alerting/home'],
    title: 'Nodebell inbox',
    description: 'Unread count and the latest critical notifications',
    component: () => (
      <Suspense fallback={null}>
        <HomeCard />
      </Suspense>
    ),
  },
];

/** An error, or a failed download, is shown in its place on the page of another app. */
const guarded = <Props extends object>(Component: ComponentType<Props>) =>
  function Guarded(props: Props) {
    return (
      <ErrorBoundaryAlert>
        <Suspense fallback={null}>
          <Component {...props} />
        </Suspense>
      </ErrorBoundaryAlert>
    );
  };

export const exposedComponents: PluginExtensionExposedComponentConfig[] = [
  {
    id: INBOX,
    title: 'Nodebell inbox',
    description: 'Threads, open ones first, with a link to the inbox',
    component: guarded(Inbox),
  },
  {
    id: UNREAD_COUNT,
    title: 'Nodebell unread count',
    description: 'Number of unread threads, as a link to them',
    component: guarded(UnreadCount),
  },
];
