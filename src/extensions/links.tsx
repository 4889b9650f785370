/**
 * Links of Nodebell on Grafana's own pages. Grafana registers them while the plugin is loaded, under the English titles declared in
 * plugin.json; `configure` translates them whenever they are rendered. It is synchronous and called often, so it sends no requests.
 * A release of Grafana without the extension point ignores the entry.
 */
import { AppEvents, type PluginExtensionAddedLinkConfig, type PluginExtensionEventHelpers } from '@grafana/data';
import { getAppEvents, hasPermission, locationService } from '@grafana/runtime';
import { lazy, Suspense, type ReactNode } from 'react';
import { t } from '../i18n/t';
import { PLUGIN_ID, pathTo } from '../routes';
import { readAlert, readPanel } from './contexts';
import { clockTime, recallUnread } from '../components/unread';

const LinksDialog = lazy(() => import(/* webpackChunkName: "links" */ '../packages/LinksDialog'));
const AlertThread = lazy(() => import(/* webpackChunkName: "origin" */ './AlertThread'));
const PanelThread = lazy(() => import(/* webpackChunkName: "origin" */ './PanelThread'));

type Helpers = PluginExtensionEventHelpers<object>;

/** Grafana 12 and 13.0 sort by `category`, later ones by `group`. */
const ofPalette = { targets: ['grafana/commandpalette/action'], category: 'Nodebell', group: { name: 'Nodebell' } };

/** Grafana only logs an error of a click handler, so it is shown here. */
const guarded =
  (handle: (helpers: Helpers) => void): PluginExtensionAddedLinkConfig['onClick'] =>
  (_, helpers) => {
    try {
      handle(helpers);
    } catch (thrown) {
      const title = t('extensions.failed', 'Nodebell could not open this');
      getAppEvents().publish({
        type: AppEvents.alertError.name,
        payload: [title, thrown instanceof Error ? thrown.message : String(thrown)],
      });
    }
  };

/**
 * An entry of the palette that opens a page. Grafana runs `onClick` and prevents the navigation of the link itself, so an entry with
 * only a `path` does nothing when it is selected. `locationService` adds the sub-path that Grafana is served from.
 */
const leadsTo = (path: string) => ({ path, onClick: guarded(() => locationService.push(path)) });

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
    description: 'Notifications from monitors and packages',
    icon: 'bell',
    ...leadsTo(pathTo.inbox),
    configure: () => {
      const unread = recallUnread();
      const values = unread && { unread: unread.count, time: clockTime(unread.at) };
      return {
        title: values
          ? t('extensions.palette.inbox-unread', 'Nodebell: Inbox: {{unread, number}} unread at {{time}}', values)
          : t('extensions.palette.inbox', 'Nodebell: Inbox'),
        description: t('extensions.palette.inbox-description', 'Notifications from monitors and packages'),
      };
    },
  },
  {
    ...ofPalette,
    title: 'Nodebell: Thresholds',
    description: 'Alert thresholds of each package',
    icon: 'sliders-v-alt',
    ...leadsTo(pathTo.thresholds),
    configure: () => ({
      title: t('extensions.palette.thresholds', 'Nodebell: Thresholds'),
      description: t('extensions.palette.thresholds-description', 'Alert thresholds of each package'),
    }),
  },
  {
    ...ofPalette,
    title: 'Nodebell: Packages',
    description: 'Registered packages and their manifests',
    icon: 'apps',
    ...leadsTo(pathTo.packages),
    configure: () => ({
      title: t('extensions.palette.packages', 'Nodebell: Packages'),
      description: t('extensions.palette.packages-description', 'Registered packages and their manifests'),
    }),
  },
  {
    ...ofPalette,
    title: 'Nodebell: Chains',
    description: 'Sync status of each node',
    icon: 'link',
    ...leadsTo(pathTo.chains),
    configure: () => ({
      title: t('extensions.palette.chains', 'Nodebell: Chains'),
      description: t('extensions.palette.chains-description', 'Sync status of each node'),
    }),
  },
  {
    ...ofPalette,
    title: 'Nodebell: Report',
    description: 'Noisiest alerts by week',
    icon: 'graph-bar',
    ...leadsTo(pathTo.report),
    configure: () => ({
      title: t('extensions.palette.report', 'Nodebell: Report'),
      description: t('extensions.palette.report-description', 'Noisiest alerts by week'),
    }),
  },
  {
    ...ofPalette,
    title: 'Nodebell: Silences',
    description: 'Silences and maintenance windows',
    icon: 'bell-slash',
    ...leadsTo(pathTo.silences),
    configure: () => ({
      title: t('extensions.palette.silences', 'Nodebell: Silences'),
      description: t('extensions.palette.silences-description', 'Silences and maintenance windows'),
    }),
  },
  {
    ...ofPalette,
    title: 'Nodebell: Channels',
    description: 'Where notifications go besides the inbox',
    icon: 'envelope',
    ...leadsTo(pathTo.channels),
    configure: () =>
      hasPermission(`${PLUGIN_ID}.push:own`)
        ? {
            title: t('extensions.palette.channels', 'Nodebell: Channels'),
            description: hasPermission(`${PLUGIN_ID}.bridge:admin`)
              ? t('extensions.palette.channels-description', 'Where notifications go besides the inbox')
              : t('extensions.palette.channels-own', 'Your devices and quiet hours'),
          }
        : undefined,
  },
  {
    ...ofPalette,
    title: 'Nodebell: Package links',
    description: 'Find and open the links of any package',
    icon: 'external-link-alt',
    configure: () => ({
      title: t('extensions.palette.links', 'Nodebell: Package links'),
      description: t('extensions.palette.links-description', 'Find and open the links of any package'),
    }),
    onClick: guarded((helpers) =>
      open(helpers, t('extensions.links.title', 'Package links'), (onDismiss) => <LinksDialog onDismiss={onDismiss} />)
    ),
  },
];

/** A link beside an alert to its notifications. Grafana also calls `configure` without an instance. */
const alertLink: PluginExtensionAddedLinkConfig = {
  targets: ['grafana/alerting/instance/action'],
  title: 'Show in inbox',
  description: 'Notifications for this alert',
  icon: 'bell',
  configure: () => ({
    title: t('extensions.alert.link', 'Show in inbox'),
    description: t('extensions.alert.description', 'Notifications for this alert'),
  }),
  onClick: guarded((helpers) => {
    const alert = readAlert(helpers.context);
    if (!alert) {
      throw new Error(t('extensions.alert.no-labels', 'Grafana did not pass any labels of this alert.'));
    }
    open(helpers, t('extensions.alert.title', 'Notifications for this alert'), (onDismiss) => (
      <AlertThread alert={alert} onDismiss={onDismiss} />
    ));
  }),
};

/** An item in the menu of a panel, which shows at most 24 characters. */
const panelLink: PluginExtensionAddedLinkConfig = {
  targets: ['grafana/dashboard/panel/menu'],
  title: 'Panel notifications',
  description: 'Notifications for this panel, or a new alert rule',
  icon: 'bell',
  configure: (context) =>
    readPanel(context) && {
      title: t('extensions.panel.link', 'Panel notifications'),
      description: t('extensions.panel.description', 'Notifications for this panel, or a new alert rule'),
    },
  onClick: guarded((helpers) => {
    const panel = readPanel(helpers.context);
    if (!panel) {
      throw new Error(t('extensions.panel.unsaved', 'Save the dashboard first.'));
    }
    open(helpers, t('extensions.panel.title', 'Notifications for this panel'), (onDismiss) => (
      <PanelThread panel={panel} onDismiss={onDismiss} />
    ));
  }),
};

/** Grafana 13.2 and later: a button in the bar beside a dashboard, with a short title; one that is declared has ten letters at least. */
const sidebarLink: PluginExtensionAddedLinkConfig = {
  targets: ['grafana/dashboard/sidebar/v1'],
  title: 'Nodebell: open the inbox',
  description: 'Notifications from monitors and packages',
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
        : t('extensions.sidebar.description', 'Notifications from monitors and packages'),
    };
  },
};

/** A card on the page of Grafana's section Alerts & IRM, where there is one. */
const cardLink: PluginExtensionAddedLinkConfig = {
  targets: ['grafana/dynamic/nav-landing-page/nav-id-alerts-and-incidents/cards/v1'],
  title: 'Nodebell inbox',
  description: 'Unread and critical notifications from alerts and packages',
  icon: 'bell',
  path: pathTo.inbox,
  configure: () => ({
    title: t('extensions.card.title', 'Nodebell inbox'),
    description: t('extensions.card.description', 'Unread and critical notifications from alerts and packages'),
  }),
};

export const extensionLinks = [...paletteLinks, alertLink, panelLink, sidebarLink, cardLink];
