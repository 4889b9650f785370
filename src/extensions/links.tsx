/**
 * Links of Nodebell on Grafana's own pages. Grafana registers them while the plugin is loaded, under the English titles declared in
 * plugin.json; `configure` translates them whenever they are rendered. It is synchronous and called often, so it sends no requests.
 * A release of Grafana without the extension point ignores the entry.
 */
import { AppEvents, type PluginExtensionAddedLinkConfig, type PluginExtensionEventHelpers } from '@grafana/data';
import { hasPermission, locationService } from '@grafana/runtime';
import type { IconName } from '@grafana/ui';
import { lazy, Suspense, type ReactNode } from 'react';
import { t } from '../i18n/t';
import pluginJson from '../../plugin.json' with { type: 'json' };
import { PLUGIN_ID, pathTo } from '../routes';
import { readAlert, readPanel } from './contexts';
import { clockTime, recallUnread } from '../components/unread';
import { toast } from '../api/toast';

const LinksDialog = lazy(() => import(/* webpackChunkName: "links" */ '../packages/LinksDialog'));
const AlertThread = lazy(() => import(/* webpackChunkName: "origin" */ './AlertThread'));
const PanelThread = lazy(() => import(/* webpackChunkName: "origin" */ './PanelThread'));

type Helpers = PluginExtensionEventHelpers<object>;

/** English title, description and extension point, as declared. */
const declared = (title: string) => pluginJson.extensions.addedLinks.find((link) => link.title === title)!;

/** Grafana 12 and 13.0 sort by `category`, later ones by `group`. */
const inPalette = (title: string) => ({ ...declared(title), category: 'Nodebell', group: { name: 'Nodebell' } });

/** Grafana only logs an error of a click handler, so it is shown here. */
const guarded =
  (handle: (helpers: Helpers) => void): PluginExtensionAddedLinkConfig['onClick'] =>
  (_, helpers) => {
    try {
      handle(helpers);
    } catch (thrown) {
      const title = t('extensions.failed', 'Nodebell could not open this');
      toast(AppEvents.alertError, title, thrown instanceof Error ? thrown.message : String(thrown));
    }
  };

/**
 * An entry of the palette that opens a page. Grafana runs `onClick` and prevents the navigation of the link itself, so an entry with
 * only a `path` does nothing when it is selected. `locationService` adds the sub-path that Grafana is served from.
 */
const toPage = (
  title: string,
  icon: IconName,
  path: string,
  configure: PluginExtensionAddedLinkConfig['configure']
): PluginExtensionAddedLinkConfig => ({
  ...inPalette(title),
  icon,
  path,
  onClick: guarded(() => locationService.push(path)),
  configure,
});

/** Values of texts with the last known number of unread notifications. */
function unreadValues() {
  const unread = recallUnread();
  return unread && { unread: unread.count, time: clockTime(unread.at) };
}

/** Opens a dialog whose contents come with it. */
function open({ openModal }: Helpers, title: string, contents: (onDismiss: (() => void) | undefined) => ReactNode) {
  const body = ({ onDismiss }: { onDismiss?: () => void }) => (
    <Suspense fallback={null}>{contents(onDismiss)}</Suspense>
  );
  openModal({ title, width: 640, body });
}

const paletteLinks: PluginExtensionAddedLinkConfig[] = [
  toPage('Nodebell: Inbox', 'bell', pathTo.inbox, () => {
    const values = unreadValues();
    return {
      title: values
        ? t('extensions.palette.inbox-unread', 'Nodebell: Inbox: {{unread, number}} unread at {{time}}', values)
        : t('extensions.palette.inbox', 'Nodebell: Inbox'),
      description: t('extensions.palette.inbox-description', 'Notifications from monitors and packages'),
    };
  }),
  toPage('Nodebell: Thresholds', 'sliders-v-alt', pathTo.thresholds, () => ({
    title: t('extensions.palette.thresholds', 'Nodebell: Thresholds'),
    description: t('extensions.palette.thresholds-description', 'Alert thresholds of each package'),
  })),
  toPage('Nodebell: Packages', 'apps', pathTo.packages, () => ({
    title: t('extensions.palette.packages', 'Nodebell: Packages'),
    description: t('extensions.palette.packages-description', 'Registered packages and their manifests'),
  })),
  toPage('Nodebell: Chains', 'link', pathTo.chains, () => ({
    title: t('extensions.palette.chains', 'Nodebell: Chains'),
    description: t('extensions.palette.chains-description', 'Sync status of each node'),
  })),
  toPage('Nodebell: Report', 'graph-bar', pathTo.report, () => ({
    title: t('extensions.palette.report', 'Nodebell: Report'),
    description: t('extensions.palette.report-description', 'Noisiest alerts by week'),
  })),
  toPage('Nodebell: Silences', 'bell-slash', pathTo.silences, () => ({
    title: t('extensions.palette.silences', 'Nodebell: Silences'),
    description: t('extensions.palette.silences-description', 'Silences and maintenance windows'),
  })),
  toPage('Nodebell: Channels', 'envelope', pathTo.channels, () =>
    hasPermission(`${PLUGIN_ID}.push:own`)
      ? {
          title: t('extensions.palette.channels', 'Nodebell: Channels'),
          description: hasPermission(`${PLUGIN_ID}.bridge:admin`)
            ? t('extensions.palette.channels-description', 'Where notifications go besides the inbox')
            : t('extensions.palette.channels-own', 'Your devices and quiet hours'),
        }
      : undefined
  ),
  {
    ...inPalette('Nodebell: Package links'),
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
  ...declared('Show in inbox'),
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
  ...declared('Panel notifications'),
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
  ...declared('Nodebell: open the inbox'),
  icon: 'bell',
  path: pathTo.inbox,
  configure: () => {
    const values = unreadValues();
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
  ...declared('Nodebell inbox'),
  icon: 'bell',
  path: pathTo.inbox,
  configure: () => ({
    title: t('extensions.card.title', 'Nodebell inbox'),
    description: t('extensions.card.description', 'Unread and critical notifications from alerts and packages'),
  }),
};

export const extensionLinks = [...paletteLinks, alertLink, panelLink, sidebarLink, cardLink];
