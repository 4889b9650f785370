/**
 * Links of Nodebell on Grafana's own pages. Grafana takes what a plugin registers while it is loaded, under fixed English titles
 * that plugin.json declares; `configure` words them anew wherever they are drawn. It is called in between and often, so it asks
 * nobody. Where a Grafana has no such place, nothing comes of the entry.
 */
import type { PluginExtensionAddedLinkConfig, PluginExtensionEventHelpers } from '@grafana/data';
import { lazy, Suspense, type ReactNode } from 'react';
import { t } from '../i18n/t';
import { pathTo } from '../routes';
import { readAlert, readPanel } from './contexts';
import { clockTime, recallUnread } from './unread';

const LinksDialog = lazy(() => import(/* webpackChunkName: "links" */ '../packages/LinksDialog'));
const AlertThread = lazy(() => import(/* webpackChunkName: "origin" */ './AlertThread'));
const PanelThread = lazy(() => import(/* webpackChunkName: "origin" */ './PanelThread'));

type Helpers = PluginExtensionEventHelpers<object>;

/** Grafana 12 and 13.0 sort by `category`, later ones by `group`. */
const ofPalette = { targets: ['grafana/commandpalette/action'], category: 'Nodebell', group: { name: 'Nodebell' } };

/** Opens a dialog whose contents come with it. */
function open({ openModal }: Helpers, title: string, contents: (onDismiss: (() => void) | undefined) => ReactNode) {
  const body = ({ onDismiss }: { onDismiss?: () => void }) => (
    <Suspense fallback={null}>{contents(onDismiss)}</Suspense>
  );
  openModal({ title, width: 640, body });
}

const paletteLinks: PluginExtensionAddedLinkConfig[] = [
  {
    ...ofPalette,
    title: 'Nodebell: Inbox',
    description: 'Notifications of monitors and packages',
    icon: 'bell',
    path: pathTo.inbox,
    configure: () => {
      const unread = recallUnread();
      const values = unread && { unread: unread.count, time: clockTime(unread.at) };
      return {
        title: values
          ? t('extensions.palette.inbox-unread', 'Nodebell: Inbox: {{unread, number}} unread at {{time}}', values)
          : t('extensions.palette.inbox', 'Nodebell: Inbox'),
        description: t('extensions.palette.inbox-description', 'Notifications of monitors and packages'),
      };
    },
  },
  {
    ...ofPalette,
    title: 'Nodebell: Thresholds',
    description: 'When each package notifies you',
    icon: 'sliders-v-alt',
    path: pathTo.thresholds,
    configure: () => ({
      title: t('extensions.palette.thresholds', 'Nodebell: Thresholds'),
      description: t('extensions.palette.thresholds-description', 'When each package notifies you'),
    }),
  },
  {
    ...ofPalette,
    title: 'Nodebell: Packages',
    description: 'What is registered, described by its manifest',
    icon: 'apps',
    path: pathTo.packages,
    configure: () => ({
      title: t('extensions.palette.packages', 'Nodebell: Packages'),
      description: t('extensions.palette.packages-description', 'What is registered, described by its manifest'),
    }),
  },
  {
    ...ofPalette,
    title: 'Nodebell: Chains',
    description: 'How far each node has synced',
    icon: 'link',
    path: pathTo.chains,
    configure: () => ({
      title: t('extensions.palette.chains', 'Nodebell: Chains'),
      description: t('extensions.palette.chains-description', 'How far each node has synced'),
    }),
  },
  {
    ...ofPalette,
    title: 'Nodebell: Links of packages',
    description: 'Find and open a link of any package',
    icon: 'external-link-alt',
    configure: () => ({
      title: t('extensions.palette.links', 'Nodebell: Links of packages'),
      description: t('extensions.palette.links-description', 'Find and open a link of any package'),
    }),
    onClick: (_, helpers) =>
      open(helpers, t('extensions.links.title', 'Links of packages'), (onDismiss) => (
        <LinksDialog onDismiss={onDismiss} />
      )),
  },
];

/** Beside an alert: to what has come of it. Asked without an instance, it says that there is such a link. */
const alertLink: PluginExtensionAddedLinkConfig = {
  targets: ['grafana/alerting/instance/action'],
  title: 'Show in inbox',
  description: 'The notifications of this alert',
  icon: 'bell',
  configure: () => ({
    title: t('extensions.alert.link', 'Show in inbox'),
    description: t('extensions.alert.description', 'The notifications of this alert'),
  }),
  onClick: (_, helpers) => {
    const alert = readAlert(helpers.context);
    if (alert) {
      open(helpers, t('extensions.alert.title', 'This alert in the inbox'), (onDismiss) => (
        <AlertThread alert={alert} onDismiss={onDismiss} />
      ));
    }
  },
};

/** In a panel's menu, which has room for 24 letters. */
const panelLink: PluginExtensionAddedLinkConfig = {
  targets: ['grafana/dashboard/panel/menu'],
  title: 'Notify me of this panel',
  description: 'Its notifications in the inbox, or a new alert rule for it',
  icon: 'bell',
  configure: (context) =>
    readPanel(context) && {
      title: t('extensions.panel.link', 'Notify me of this panel'),
      description: t('extensions.panel.description', 'Its notifications in the inbox, or a new alert rule for it'),
    },
  onClick: (_, helpers) => {
    const panel = readPanel(helpers.context);
    if (panel) {
      open(helpers, t('extensions.panel.title', 'Notifications of this panel'), (onDismiss) => (
        <PanelThread panel={panel} onDismiss={onDismiss} />
      ));
    }
  },
};

/** Grafana 13.2 and later: a button in the bar beside a dashboard, with a short title; one that is declared has ten letters at least. */
const sidebarLink: PluginExtensionAddedLinkConfig = {
  targets: ['grafana/dashboard/sidebar/v1'],
  title: 'Nodebell: open the inbox',
  description: 'Notifications of monitors and packages',
  icon: 'bell',
  path: pathTo.inbox,
  configure: () => {
    const unread = recallUnread();
    const values = unread && { unread: unread.count, time: clockTime(unread.at) };
    return {
      title: values
        ? t('extensions.sidebar.inbox-unread', 'Inbox: {{unread, number}}', values)
        : t('extensions.sidebar.inbox', 'Inbox'),
      description: values
        ? t('extensions.sidebar.unread-at', '{{unread, number}} unread at {{time}}', values)
        : t('extensions.sidebar.description', 'Notifications of monitors and packages'),
    };
  },
};

/** A card on the page of Grafana's section Alerts & IRM, where there is one. */
const cardLink: PluginExtensionAddedLinkConfig = {
  targets: ['grafana/dynamic/nav-landing-page/nav-id-alerts-and-incidents/cards/v1'],
  title: 'Nodebell inbox',
  description: 'What alerts and packages report, kept until it is read',
  icon: 'bell',
  path: pathTo.inbox,
  configure: () => ({
    title: t('extensions.card.title', 'Nodebell inbox'),
    description: t('extensions.card.description', 'What alerts and packages report, kept until it is read'),
  }),
};

export const extensionLinks = [...paletteLinks, alertLink, panelLink, sidebarLink, cardLink];
