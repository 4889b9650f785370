/** Components of Nodebell on Grafana's own pages. Their content is loaded when they are rendered. */
import type { PluginExtensionAddedComponentConfig } from '@grafana/data';
import { lazy, Suspense } from 'react';

const HomeCard = lazy(() => import(/* webpackChunkName: "homeCard" */ './HomeCard'));

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
