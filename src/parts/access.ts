import { config } from '@grafana/runtime';
import { OrgRole } from '@grafana/data';

/** What Grafana's proxy lets this user do; anything else is hidden rather than refused. */
export function mayChange(): boolean {
  const role = config.bootData.user.orgRole;
  return role === OrgRole.Editor || role === OrgRole.Admin;
}

/** Whether the user may open the configuration page of the app. */
export function mayConfigure(): boolean {
  return config.bootData.user.orgRole === OrgRole.Admin || config.bootData.user.isGrafanaAdmin;
}

/** Whether Grafana's proxy takes this user for an admin of the organisation. */
export const isAdmin = (): boolean => config.bootData.user.orgRole === OrgRole.Admin;
