import { config, hasPermission } from '@grafana/runtime';
import { OrgRole } from '@grafana/data';
import { type Action, ACTIONS, grafanaAction } from '@nodebell/contract/roles.ts';
import { PLUGIN_ID } from '../routes';

/**
 * Whether Grafana's proxy and the bridge permit an action to this user. Pages hide or disable the rest. Grafana grants anonymous
 * users the permissions of Viewers, but the bridge lets them change nothing.
 */
export function may(action: Action): boolean {
  const { changes } = ACTIONS[action];
  return hasPermission(grafanaAction(PLUGIN_ID, action)) && !(changes && !config.bootData.user.isSignedIn);
}

/** Whether the user may write dashboards, which are Grafana's own. */
export const mayCreateDashboards = (): boolean => hasPermission('dashboards:create');

/** Whether the user may see the rules of Grafana. Folders have permissions of their own, which Grafana checks. */
export const maySeeRules = (): boolean => hasPermission('alert.rules:read');

/** Whether the user may see the rules of at least one data source. */
export const maySeeExternalRules = (): boolean => hasPermission('alert.rules.external:read');

/** Whether the user may change rules of at least one folder. */
export const mayEditRules = (): boolean => hasPermission('alert.rules:write');

/** Whether the user may open the configuration page of the app. */
export function mayConfigure(): boolean {
  return config.bootData.user.orgRole === OrgRole.Admin || config.bootData.user.isGrafanaAdmin;
}
