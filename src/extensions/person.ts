import { config } from '@grafana/runtime';
import { PLUGIN_ID } from '../routes';

/** A key of the browser's store for whoever looks: users and organisations have inboxes of their own at the same address. */
export function personKey(what: string): string {
  const { orgId, id } = config.bootData.user;
  return `${PLUGIN_ID}.${what}.${config.appSubUrl ?? ''}.${orgId}.${id}`;
}
