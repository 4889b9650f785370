/** Reads one entry of `endpoints`, with its alerts. */
import { readCondition } from '../../../contract/condition.ts';
import { PRIORITIES, type Priority } from '../../../contract/notification.ts';
import { compact } from '../../../contract/compact.ts';
import { Mapping } from '../members.ts';
import { plainValue } from '../source/source.ts';
import { readRange, readShared } from './common.ts';
import { validateConditions, readConditions } from './conditions.ts';
import { alertSchema, endpointSchema, METHODS } from './schema.ts';
import type { EndpointAlert, EndpointDefinition, Metric } from './types.ts';

const KNOWN = Object.keys(endpointSchema.shape);
/** Gatus' own members, and the deprecated name of correlationId, which has its own finding. */
const SILENT = [
  ...['graphql', 'dns', 'ssh', 'client', 'ui', 'store', 'always-run', 'maintenance-windows', 'extra-labels'],
  'correlation-id',
];

/** Members required by DAppNode's schema, and the effect of their absence. */
const REQUIRED = {
  name: 'The correlationId is shown instead.',
  enabled: 'Defaults to true.',
  url: 'Nothing is checked.',
  method: 'Defaults to GET.',
  interval: 'Defaults to the interval of the monitor.',
  group: 'Its notifications have the category other.',
  alerts: 'Nothing is sent.',
  definition: 'The name is shown instead.',
  priority: 'Defaults to low.',
  isBanner: 'Defaults to false.',
};

/** @returns undefined if it is unusable, with a finding */
export function readEndpoint(at: Mapping): EndpointDefinition | undefined {
  at.findUnknown(KNOWN, SILENT);
  at.requireMembers(REQUIRED);
  const { id, name, shared } = readShared(at);
  const conditions = readConditions(at);
  const metric = readMetric(at);
  const read = {
    ...shared,
    group: formatted(at, 'group', /^[a-zA-Z0-9_-]+$/, 'Expected letters, digits, _ and -, such as ethereum.'),
    url: formatted(at, 'url', /^\s*(https?|ftp):\/\/\S/i, 'Expected an http://, https:// or ftp:// URL.')?.trim(),
    interval: formatted(at, 'interval', /^[0-9]+[smhd]$/, 'Expected an integer followed by s, m, h or d, such as 30s.'),
    method: readMethod(at),
    body: at.text('body'),
    headers: at.mapping('headers')?.texts() ?? {},
    priority: readPriority(at),
    alerts: readAlerts(at),
  };
  const definition = at.mapping('definition');
  definition?.findUnknown(['title', 'description']);
  definition?.requireMembers({ title: 'The name is shown instead.', description: 'Nothing is shown.' });
  const [title, description] = [definition?.text('title'), definition?.text('description')];
  if (id === undefined || name === undefined || conditions === undefined || metric === null) {
    return undefined;
  }
  const [first] = conditions;
  validateConditions(at, conditions, metric);
  return compact<EndpointDefinition>({
    correlationId: id,
    name,
    ...read,
    conditions,
    condition: first === undefined ? undefined : readCondition(first),
    metric,
    title: title ?? name,
    description,
    extra: Object.fromEntries(
      [...at.node.members].flatMap(([key, { node }]) => (KNOWN.includes(key) ? [] : [[key, plainValue(node)]]))
    ),
    pointer: at.pointer,
  });
}

/** @returns null if it is unusable */
function readMetric(at: Mapping): Metric | undefined | null {
  const metric = at.mapping('metric');
  metric?.findUnknown(['min', 'max', 'unit']);
  return metric && (readRange(metric) ?? null);
}

function formatted(at: Mapping, name: string, format: RegExp, advice: string): string | undefined {
  const value = at.text(name);
  if (value !== undefined && !format.test(value)) {
    at.wrongValue(name, `Invalid ${name}`, advice);
  }
  return value;
}

function readMethod(at: Mapping): string {
  const method = at.text('method');
  if (method !== undefined && !METHODS.some((one) => one === method)) {
    at.wrongValue('method', 'Unsupported method', `Expected one of ${METHODS.join(', ')}.`);
  }
  return method?.toUpperCase() ?? 'GET';
}

function readPriority(at: Mapping): Priority | undefined {
  const value = at.text('priority');
  const priority = PRIORITIES.find((one) => one === value?.trim().toLowerCase());
  if (value !== undefined && priority !== value) {
    const otherwise = priority === undefined ? ' Defaults to low.' : '';
    at.wrongValue('priority', 'Invalid priority', `Expected one of ${PRIORITIES.join(', ')}.${otherwise}`);
  }
  return priority;
}

const ALERT_KNOWN = Object.keys(alertSchema.shape);
/** Gatus' own members. */
const ALERT_SILENT = ['minimum-reminder-interval', 'provider-override'];

/** Gatus' own defaults (alerting/alert/alert.go). */
const ALERT_DEFAULTS = { failureThreshold: 3, successThreshold: 2, sendOnResolved: false };
const ALERT_REQUIRED = {
  type: 'Defaults to custom.',
  enabled: 'Defaults to true.',
  description: 'Its notifications have no description.',
  'failure-threshold': `Defaults to ${ALERT_DEFAULTS.failureThreshold}.`,
  'success-threshold': `Defaults to ${ALERT_DEFAULTS.successThreshold}.`,
  'send-on-resolved': 'Defaults to false: the thread stays open.',
};

export function readAlerts(endpoint: Mapping): EndpointAlert[] {
  const items = endpoint.list('alerts');
  if (items && items.length !== 1) {
    const title = items.length === 0 ? 'No alert' : 'Several alerts';
    endpoint.add('alerts-count', title, `found ${items.length}. Expected exactly one.`, 'alerts');
  }
  return (items ?? []).flatMap((node, index) => {
    const [pointer, name] = [`${endpoint.pointer}/alerts/${index}`, `${endpoint.name}, alert`];
    if (node.kind !== 'map') {
      endpoint.report.add('member-type', pointer, node, 'Alert is not a mapping', `${name}: the alert is ignored.`);
      return [];
    }
    return [readAlert(new Mapping(endpoint.report, node, pointer, name))];
  });
}

function readAlert(at: Mapping): EndpointAlert {
  at.findUnknown(ALERT_KNOWN, ALERT_SILENT);
  at.requireMembers(ALERT_REQUIRED);
  const type = at.text('type') ?? 'custom';
  if (type !== 'custom') {
    at.wrongValue('type', 'Unsupported type', 'Expected custom, the only type that DAppNode supports.');
  }
  return {
    type,
    enabled: at.flag('enabled') ?? true,
    description: at.text('description') ?? '',
    failureThreshold: count(at, 'failure-threshold', ALERT_DEFAULTS.failureThreshold),
    successThreshold: count(at, 'success-threshold', ALERT_DEFAULTS.successThreshold),
    sendOnResolved: at.flag('send-on-resolved') ?? ALERT_DEFAULTS.sendOnResolved,
  };
}

function count(at: Mapping, name: string, fallback: number): number {
  const value = at.figure(name);
  if (value === undefined || (Number.isInteger(value) && value >= 1)) {
    return value ?? fallback;
  }
  at.wrongValue(name, `Invalid ${name}`, `Expected a positive integer. Defaults to ${fallback}.`);
  return fallback;
}
