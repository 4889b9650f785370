import { config } from '@grafana/runtime';
import { PLUGIN_ID } from '../routes';

/** A local storage key for the current user and organisation, which have inboxes of their own at the same address. */
export function personKey(what: string): string {
  const { orgId, id } = config.bootData.user;
  return `${PLUGIN_ID}.${what}.${config.appSubUrl ?? ''}.${orgId}.${id}`;
}
