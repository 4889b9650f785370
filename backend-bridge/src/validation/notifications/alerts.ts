/** The alerts of an endpoint. */
import {
  figure,
  findUnknown,
  flag,
  listOf,
  member,
  memberPointer,
  type Place,
  requireMembers,
  text,
  wrongValue,
} from '../yaml/members.ts';
import type { EndpointAlert } from './types.ts';

const KNOWN = ['type', 'enabled', 'description', 'failure-threshold', 'success-threshold', 'send-on-resolved'];
/** Gatus' own. */
const SILENT = ['minimum-reminder-interval', 'provider-override'];

/** Gatus' own defaults (alerting/alert/alert.go). */
const DEFAULTS = { failureThreshold: 3, successThreshold: 2, sendOnResolved: false };
const REQUIRED = {
  enabled: 'It is taken as enabled.',
  description: 'Its notifications have no text of their own.',
  'failure-threshold': `${DEFAULTS.failureThreshold} is used.`,
  'success-threshold': `${DEFAULTS.successThreshold} is used.`,
  'send-on-resolved': 'false is used: its thread stays open.',
};

export function readAlerts(endpoint: Place): EndpointAlert[] {
  const items = listOf(endpoint, 'alerts');
  if (!items) {
    return [];
  }
  const pointer = memberPointer(endpoint, 'alerts');
  if (items.length !== 1) {
    const at = member(endpoint, 'alerts')?.node ?? endpoint.map;
    const detail = `${endpoint.name}: found ${items.length}. The node wants exactly one.`;
    endpoint.report.add('alerts-count', pointer, at, `${items.length === 0 ? 'No alert' : 'Several alerts'}`, detail);
  }
  return items.flatMap((node, index) => {
    const name = `${endpoint.name}, alert`;
    if (node.kind !== 'map') {
      endpoint.report.add(
        'member-type',
        `${pointer}/${index}`,
        node,
        'An alert is not a map',
        `${name}: it is left out.`
      );
      return [];
    }
    return [readAlert({ report: endpoint.report, map: node, pointer: `${pointer}/${index}`, name })];
  });
}

function readAlert(place: Place): EndpointAlert {
  findUnknown(place, KNOWN, SILENT);
  requireMembers(place, { type: 'custom is used.', ...REQUIRED });
  const type = text(place, 'type') ?? 'custom';
  if (type !== 'custom') {
    wrongValue(place, 'type', 'type is not custom', 'The node knows no other type of alert.');
  }
  return {
    type,
    enabled: flag(place, 'enabled') ?? true,
    description: text(place, 'description') ?? '',
    failureThreshold: count(place, 'failure-threshold', DEFAULTS.failureThreshold),
    successThreshold: count(place, 'success-threshold', DEFAULTS.successThreshold),
    sendOnResolved: flag(place, 'send-on-resolved') ?? DEFAULTS.sendOnResolved,
  };
}

function count(place: Place, name: string, fallback: number): number {
  const value = figure(place, name);
  if (value === undefined || (Number.isInteger(value) && value >= 1)) {
    return value ?? fallback;
  }
  wrongValue(place, name, `${name} is not a number of checks`, `Write a whole number from 1; ${fallback} is used.`);
  return fallback;
}
