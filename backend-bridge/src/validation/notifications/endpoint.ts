/** Reads one entry of `endpoints`, with its alerts. */
import { readCondition } from '../../../contract/condition.ts';
import { PRIORITIES, type Priority } from '../../../contract/notification.ts';
import {
  figure,
  findUnknown,
  flag,
  listOf,
  mapOf,
  member,
  memberPointer,
  type Place,
  requireMembers,
  text,
  textsOf,
  wrongValue,
} from '../members.ts';
import { plainValue } from '../source/source.ts';
import { callToAction, correlationId, isBanner, readRange, requirements } from './common.ts';
import { validateConditions, readConditions } from './conditions.ts';
import type { EndpointAlert, EndpointDefinition, Metric } from './types.ts';

const KNOWN = [
  'name',
  'correlationId',
  'enabled',
  'group',
  'url',
  'method',
  'body',
  'headers',
  'interval',
  'conditions',
  'metric',
  'definition',
  'priority',
  'isBanner',
  'callToAction',
  'alerts',
  'requirements',
];
/** Gatus' own members, and the deprecated name of correlationId, which has its own finding. */
const SILENT = [
  'graphql',
  'dns',
  'ssh',
  'client',
  'ui',
  'store',
  'always-run',
  'maintenance-windows',
  'extra-labels',
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

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];

/** @returns undefined if it is unusable, with a finding */
export function readEndpoint(place: Place): EndpointDefinition | undefined {
  findUnknown(place, KNOWN, SILENT);
  requireMembers(place, REQUIRED);
  const id = correlationId(place, ['correlationId', 'correlation-id']);
  const conditions = readConditions(place);
  const metric = readMetric(place);
  const headers = mapOf(place, 'headers', `${place.name}, headers`);
  const read = {
    enabled: flag(place, 'enabled') ?? true,
    ...checked(place, {
      group: text(place, 'group'),
      url: text(place, 'url')?.trim(),
      interval: text(place, 'interval'),
    }),
    method: readMethod(place),
    ...given({ body: text(place, 'body') }),
    headers: headers ? textsOf(headers) : {},
    ...given({ priority: readPriority(place) }),
    isBanner: isBanner(place),
    ...given({ callToAction: callToAction(place), requirements: requirements(place) }),
    alerts: readAlerts(place),
  };
  const definition = mapOf(place, 'definition', `${place.name}, definition`);
  const shown = definition && { title: text(definition, 'title'), description: text(definition, 'description') };
  if (definition) {
    findUnknown(definition, ['title', 'description']);
    requireMembers(definition, { title: 'The name is shown instead.', description: 'Nothing is shown.' });
  }
  const name = text(place, 'name') ?? id;
  if (id === undefined || name === undefined || conditions === undefined || metric === null) {
    return undefined;
  }
  const [first] = conditions;
  validateConditions(place, conditions, metric);
  return {
    correlationId: id,
    name,
    ...read,
    conditions,
    ...given({ condition: first === undefined ? undefined : readCondition(first), metric }),
    title: shown?.title ?? name,
    ...given({ description: shown?.description }),
    extra: Object.fromEntries(
      [...place.map.members].flatMap(([key, { node }]) => (KNOWN.includes(key) ? [] : [[key, plainValue(node)]]))
    ),
    pointer: place.pointer,
  };
}

/** Omits undefined members. */
type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
function given<T extends object>(members: T): Given<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** @returns null if it is unusable */
function readMetric(place: Place): Metric | undefined | null {
  if (!member(place, 'metric')) {
    return undefined;
  }
  const metric = mapOf(place, 'metric', `${place.name}, metric`);
  if (!metric) {
    return undefined;
  }
  findUnknown(metric, ['min', 'max', 'unit']);
  return readRange(metric) ?? null;
}

function checked(place: Place, values: { group?: string; url?: string; interval?: string }) {
  const { group, interval, url } = values;
  if (group !== undefined && !/^[a-zA-Z0-9_-]+$/.test(group)) {
    wrongValue(place, 'group', 'Invalid group', 'Expected letters, digits, _ and -, such as ethereum.');
  }
  if (interval !== undefined && !/^[0-9]+[smhd]$/.test(interval)) {
    wrongValue(place, 'interval', 'Invalid interval', 'Expected an integer followed by s, m, h or d, such as 30s.');
  }
  if (url !== undefined && !/^(https?|ftp):\/\/\S/i.test(url)) {
    wrongValue(place, 'url', 'Invalid url', 'Expected an http://, https:// or ftp:// URL.');
  }
  return given(values);
}

function readMethod(place: Place): string {
  const method = text(place, 'method');
  if (method !== undefined && !METHODS.includes(method)) {
    wrongValue(place, 'method', 'Unsupported method', `Expected one of ${METHODS.join(', ')}.`);
  }
  return method?.toUpperCase() ?? 'GET';
}

function readPriority(place: Place): Priority | undefined {
  const value = text(place, 'priority');
  const priority = PRIORITIES.find((one) => one === value?.trim().toLowerCase());
  if (value !== undefined && priority !== value) {
    wrongValue(
      place,
      'priority',
      'Invalid priority',
      `Expected one of ${PRIORITIES.join(', ')}.${priority === undefined ? ' Defaults to low.' : ''}`
    );
  }
  return priority;
}

const ALERT_KNOWN = ['type', 'enabled', 'description', 'failure-threshold', 'success-threshold', 'send-on-resolved'];
/** Gatus' own members. */
const ALERT_SILENT = ['minimum-reminder-interval', 'provider-override'];

/** Gatus' own defaults (alerting/alert/alert.go). */
const ALERT_DEFAULTS = { failureThreshold: 3, successThreshold: 2, sendOnResolved: false };
const ALERT_REQUIRED = {
  enabled: 'Defaults to true.',
  description: 'Its notifications have no description.',
  'failure-threshold': `Defaults to ${ALERT_DEFAULTS.failureThreshold}.`,
  'success-threshold': `Defaults to ${ALERT_DEFAULTS.successThreshold}.`,
  'send-on-resolved': 'Defaults to false: the thread stays open.',
};

export function readAlerts(endpoint: Place): EndpointAlert[] {
  const items = listOf(endpoint, 'alerts');
  if (!items) {
    return [];
  }
  const pointer = memberPointer(endpoint, 'alerts');
  if (items.length !== 1) {
    const at = member(endpoint, 'alerts')?.node ?? endpoint.map;
    const detail = `${endpoint.name}: found ${items.length}. Expected exactly one.`;
    endpoint.report.add('alerts-count', pointer, at, items.length === 0 ? 'No alert' : 'Several alerts', detail);
  }
  return items.flatMap((node, index) => {
    const name = `${endpoint.name}, alert`;
    if (node.kind !== 'map') {
      endpoint.report.add(
        'member-type',
        `${pointer}/${index}`,
        node,
        'Alert is not a mapping',
        `${name}: the alert is ignored.`
      );
      return [];
    }
    return [readAlert({ report: endpoint.report, map: node, pointer: `${pointer}/${index}`, name })];
  });
}

function readAlert(place: Place): EndpointAlert {
  findUnknown(place, ALERT_KNOWN, ALERT_SILENT);
  requireMembers(place, { type: 'Defaults to custom.', ...ALERT_REQUIRED });
  const type = text(place, 'type') ?? 'custom';
  if (type !== 'custom') {
    wrongValue(place, 'type', 'Unsupported type', 'Expected custom, the only type that DAppNode supports.');
  }
  return {
    type,
    enabled: flag(place, 'enabled') ?? true,
    description: text(place, 'description') ?? '',
    failureThreshold: count(place, 'failure-threshold', ALERT_DEFAULTS.failureThreshold),
    successThreshold: count(place, 'success-threshold', ALERT_DEFAULTS.successThreshold),
    sendOnResolved: flag(place, 'send-on-resolved') ?? ALERT_DEFAULTS.sendOnResolved,
  };
}

function count(place: Place, name: string, fallback: number): number {
  const value = figure(place, name);
  if (value === undefined || (Number.isInteger(value) && value >= 1)) {
    return value ?? fallback;
  }
  wrongValue(place, name, `Invalid ${name}`, `Expected a positive integer. Defaults to ${fallback}.`);
  return fallback;
}
