/**
 * What is set, laid over what a package ships: per value the operator's file, else what an admin set, else the package's own.
 * Values are matched by package and correlationId, a threshold also by what it is a threshold of; never by position. Pure.
 */
import { type Condition, withValue } from '../../contract/condition.ts';
import type { SettingRow } from '../storage/schema.ts';
import type { ShippedEndpoint } from '../monitors/monitor.ts';

/** What is set for one package. */
export interface Overlay {
  /** The value in effect; undefined when nothing is set. The empty id is the package as a whole. */
  get(correlationId: string, member: SettingRow['member']): SettingRow | undefined;
  /** All that is in effect. */
  rows(): SettingRow[];
}

/** @param rows of one package */
export function overlayOf(rows: readonly SettingRow[]): Overlay {
  const byKey = new Map<string, SettingRow>();
  for (const row of rows) {
    const key = keyOf(row.correlation_id, row.member);
    if (row.file !== '' || !byKey.has(key)) {
      byKey.set(key, row);
    }
  }
  return {
    get: (correlationId, member) => byKey.get(keyOf(correlationId, member)),
    rows: () => [...byKey.values()],
  };
}

const keyOf = (correlationId: string, member: string): string => `${member} ${correlationId}`;

/** By package, for reading many. */
export function overlaysOf(rows: readonly SettingRow[]): Map<string, Overlay> {
  const lists = new Map<string, SettingRow[]>();
  for (const row of rows) {
    const list = lists.get(row.dnp_name);
    if (list === undefined) {
      lists.set(row.dnp_name, [row]);
    } else {
      list.push(row);
    }
  }
  return new Map([...lists].map(([name, list]) => [name, overlayOf(list)]));
}

export const NO_OVERLAY: Overlay = overlayOf([]);

/**
 * The threshold that was set, as long as it is one of this endpoint: its package may have put another condition first, or
 * turned it round, and then the number means something else.
 */
export function thresholdSet(shipped: ShippedEndpoint, overlay: Overlay): SettingRow | undefined {
  const row = overlay.get(shipped.correlationId, 'threshold');
  return row !== undefined && shipped.threshold !== undefined && fits(shipped, row) ? row : undefined;
}

export function fits({ condition }: ShippedEndpoint, { subject }: Pick<SettingRow, 'subject'>): boolean {
  return subject === null || subject === subjectOf(condition);
}

/** Of an endpoint that the package defines. */
export function enabledOf(shipped: ShippedEndpoint, overlay: Overlay): boolean {
  const row = overlay.get(shipped.correlationId, 'enabled');
  return row === undefined ? shipped.enabled : row.value !== 0;
}

export function packageEnabled(overlay: Overlay): boolean {
  return overlay.get('', 'enabled')?.value !== 0;
}

/** @returns undefined where there is no number to set */
export function thresholdOf(shipped: ShippedEndpoint, overlay: Overlay): number | undefined {
  return thresholdSet(shipped, overlay)?.value ?? shipped.threshold;
}

/** The first condition with the threshold in effect; every other byte is the package's. */
export function conditionOf(shipped: ShippedEndpoint, overlay: Overlay): string | undefined {
  const { condition, threshold } = shipped;
  const value = threshold === undefined ? undefined : thresholdOf(shipped, overlay);
  return condition && (value === undefined ? condition.text : withValue(condition.text, value));
}

const DIRECTIONS: Readonly<Record<string, string>> = { '<': 'most', '<=': 'most', '>': 'least', '>=': 'least' };

/**
 * Two conditions with the same subject mean the same by a number: the same quantity, in the same unit, limited from the same
 * side. A package that puts its conditions in another order, or turns one round, has another subject.
 * @returns one text; of an endpoint that the package checks itself, the empty one
 */
export function subjectOf(condition: Condition | undefined): string {
  if (condition === undefined) {
    return '';
  }
  const { left, operator = '', number } = condition;
  return [left.replace(/\s+/g, ' '), DIRECTIONS[operator] ?? operator, number?.unit ?? ''].join('\n');
}

const SIGNS: Readonly<Record<string, string>> = { most: '<=', least: '>=' };

/** A subject as people write it: its condition, without the number. `[BODY].cpu <=`, `[RESPONSE_TIME] <= ms` */
export function writtenSubject(subject: string): string {
  const [left = '', limit = '', unit = ''] = subject.split('\n');
  return [left, SIGNS[limit] ?? limit, unit].filter((part) => part !== '').join(' ');
}

/** @returns undefined for what {@link writtenSubject} does not write */
export function readSubject(text: string): string | undefined {
  const [, left = '', sign = '', unit = ''] = /^(\S.*) ([<>]=?|[=!]=)(?: (\S+))?$/.exec(text.trim()) ?? [];
  return left === '' ? undefined : [left.replace(/\s+/g, ' ').trim(), DIRECTIONS[sign] ?? sign, unit].join('\n');
}
