import { config, hasPermission } from '@grafana/runtime';
import { OrgRole } from '@grafana/data';
import { type Action, ACTIONS, grafanaAction } from '@nodebell/contract/roles.ts';
import { PLUGIN_ID } from '../routes';

/**
 * What Grafana's proxy and the bridge let this user do; anything else is hidden or only shown rather than refused. Grafana grants
 * anonymous visitors what it grants Viewers, and the bridge changes nothing for them.
 */
export function may(action: Action): boolean {
  const { changes } = ACTIONS[action];
  return hasPermission(grafanaAction(PLUGIN_ID, action)) && !(changes && !config.bootData.user.isSignedIn);
}

/** Whether the user may write dashboards, which are Grafana's own. */
export const mayCreateDashboards = (): boolean => hasPermission('dashboards:create');

/** Whether the user may open the configuration page of the app. */
export function mayConfigure(): boolean {
  return config.bootData.user.orgRole === OrgRole.Admin || config.bootData.user.isGrafanaAdmin;
}
