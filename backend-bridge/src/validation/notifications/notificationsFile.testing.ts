/** A notifications file without findings, for tests to modify. */
import { compact } from '../../../contract/compact.ts';
import { stringify } from 'yaml';
import type { Finding } from '../../../contract/finding.ts';
import { validateNotifications } from './validateNotifications.ts';

export const ALERT = {
  type: 'custom',
  enabled: true,
  description: 'CPU above [CONDITION_VALUE]',
  'failure-threshold': 2,
  'success-threshold': 1,
  'send-on-resolved': true,
};
export const ENDPOINT = {
  name: 'CPU',
  correlationId: 'dms-cpu',
  enabled: true,
  group: 'hardware',
  url: 'http://prometheus.dms.dappnode:9090/api/v1/query?query=up',
  method: 'GET',
  interval: '30s',
  conditions: ['[BODY].data.result[0].value[1] <= 80', '[CONNECTED] == true'],
  metric: { min: 0, max: 100, unit: '%' },
  definition: { title: 'CPU usage', description: 'When it is **high**.' },
  priority: 'medium',
  isBanner: false,
  alerts: [ALERT],
};
export const CUSTOM = {
  name: 'Updates',
  description: 'When there is one.',
  correlationId: 'core-update',
  enabled: true,
  isBanner: false,
};

export type Changes = Record<string, unknown>;
const changed = (base: object, changes: Changes): object => compact({ ...base, ...changes });
export const validateEndpoint = (endpoint: Changes, more: Changes = {}) =>
  validateNotifications(stringify({ endpoints: [changed(ENDPOINT, endpoint)], ...more }));
export const validateCustom = (custom: Changes) =>
  validateNotifications(stringify({ customEndpoints: [changed(CUSTOM, custom)] }));
export const short = ({ rule, verdict, pointer }: Finding): string => `${verdict} ${rule} ${pointer}`;
