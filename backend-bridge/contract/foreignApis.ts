/** Paths of other programs' APIs at the bridge: their clients change only the address of the server. docs/connect-senders.md. */
export { ALERTMANAGER_BASE } from './alertmanagerBase.ts';

export const PAGERDUTY_BASE = '/v2/enqueue';
export const NTFY_BASE = '/ntfy';
export const GOTIFY_BASE = '/gotify';
export const ONCALL_BASE = '/integrations/v1';
/** Types of integrations of Grafana OnCall, as they are in its URLs. */
export const ONCALL_TYPES = ['grafana_alerting', 'grafana', 'alertmanager', 'webhook', 'formatted_webhook'] as const;
