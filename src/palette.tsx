/**
 * Nodebell in Grafana's command palette. Grafana takes what a plugin registers while it is loaded, by fixed titles that
 * plugin.json declares; so the pages are there one by one, and the links of packages, which come and go, behind one entry.
 */
import type { PluginExtensionAddedLinkConfig } from '@grafana/data';
import { lazy, Suspense } from 'react';
import { pathTo } from './routes';

const LinksDialog = lazy(() => import(/* webpackChunkName: "links" */ './packages/LinksDialog'));

const ofPalette = { targets: ['grafana/commandpalette/action'], category: 'Nodebell' };

export const paletteLinks: PluginExtensionAddedLinkConfig[] = [
  {
    ...ofPalette,
    title: 'Nodebell: Inbox',
    description: 'Notifications of monitors and packages',
    icon: 'bell',
    path: pathTo.inbox,
  },
  {
    ...ofPalette,
    title: 'Nodebell: Thresholds',
    description: 'When each package notifies you',
    icon: 'sliders-v-alt',
    path: pathTo.thresholds,
  },
  {
    ...ofPalette,
    title: 'Nodebell: Packages',
    description: 'What is registered, described by its manifest',
    icon: 'apps',
    path: pathTo.packages,
  },
  {
    ...ofPalette,
    title: 'Nodebell: Chains',
    description: 'How far each node has synced',
    icon: 'link',
    path: pathTo.chains,
  },
  {
    ...ofPalette,
    title: 'Nodebell: Links of packages',
    description: 'Find and open a link of any package',
    icon: 'external-link-alt',
    onClick: (_, { openModal }) =>
      openModal({
        title: 'Links of packages',
        width: 640,
        body: ({ onDismiss }) => (
          <Suspense fallback={null}>
            <LinksDialog onDismiss={onDismiss} />
          </Suspense>
        ),
      }),
  },
];
