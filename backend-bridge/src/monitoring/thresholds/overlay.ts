/**
 * Settings as an overlay over the defaults of a package: per value the provisioning file, else the admin, else the package. Values are
 * matched by package and correlationId, thresholds also by subject; never by position. Pure.
 */
import { type Condition, withValue } from '../../../contract/condition.ts';
import type { SettingRow } from '../../platform/storage/schema.ts';
import type { ShippedEndpoint } from '../monitors/monitor.ts';

/** The settings of one package. */
export interface Overlay {
  /** Undefined: the default applies. The empty id means the package itself. */
  get(correlationId: string, member: SettingRow['member']): SettingRow | undefined;
  /** All that apply. */
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

/** Settings by package. */
export const overlaysOf = (rows: readonly SettingRow[]): Map<string, Overlay> =>
  new Map([...Map.groupBy(rows, (row) => row.dnp_name)].map(([name, list]) => [name, overlayOf(list)]));

export const NO_OVERLAY: Overlay = overlayOf([]);

/**
 * The configured threshold, if it has the subject of the endpoint: the package may have changed its first condition, so that the number
 * would mean something else.
 */
export function thresholdSet(shipped: ShippedEndpoint, overlay: Overlay): SettingRow | undefined {
  const row = overlay.get(shipped.correlationId, 'threshold');
  return row !== undefined && shipped.threshold !== undefined && fits(shipped, row) ? row : undefined;
}

export function fits(
  { condition }: Pick<ShippedEndpoint, 'condition'>,
  { subject }: Pick<SettingRow, 'subject'>
): boolean {
  return subject === null || subject === subjectOf(condition);
}

export function enabledOf(shipped: ShippedEndpoint, overlay: Overlay): boolean {
  const row = overlay.get(shipped.correlationId, 'enabled');
  return row === undefined ? shipped.enabled : row.value !== 0;
}

export function packageEnabled(overlay: Overlay): boolean {
  return overlay.get('', 'enabled')?.value !== 0;
}

/** @returns undefined if there is none */
export function thresholdOf(shipped: ShippedEndpoint, overlay: Overlay): number | undefined {
  return thresholdSet(shipped, overlay)?.value ?? shipped.threshold;
}

/** The first condition with the configured threshold; every other byte is the package's. */
export function conditionOf(shipped: ShippedEndpoint, overlay: Overlay): string | undefined {
  const { condition, threshold } = shipped;
  const value = threshold === undefined ? undefined : thresholdOf(shipped, overlay);
  return condition && (value === undefined ? condition.text : withValue(condition.text, value));
}

const DIRECTIONS: Readonly<Record<string, string>> = { '<': 'most', '<=': 'most', '>': 'least', '>=': 'least' };

/**
 * Subject of a threshold: a quantity, its unit and the direction. A number is applied only to a condition with the same subject.
 * @returns the empty string for custom endpoints
 */
export function subjectOf(condition: Condition | undefined): string {
  if (condition === undefined) {
    return '';
  }
  const { left, operator = '', number } = condition;
  return [left.replace(/\s+/g, ' '), DIRECTIONS[operator] ?? operator, number?.unit ?? ''].join('\n');
}

const SIGNS: Readonly<Record<string, string>> = { most: '<=', least: '>=' };

/** A subject in exports: its condition without the number, such as `[BODY].cpu <=` or `[RESPONSE_TIME] <= ms`. */
export function writtenSubject(subject: string): string {
  const [left = '', limit = '', unit = ''] = subject.split('\n');
  return [left, SIGNS[limit] ?? limit, unit].filter((part) => part !== '').join(' ');
}

/** The inverse of {@link writtenSubject}. @returns undefined if the text is not one */
export function readSubject(text: string): string | undefined {
  const [, left = '', sign = '', unit = ''] = /^(\S.*) ([<>]=?|[=!]=)(?: (\S+))?$/.exec(text.trim()) ?? [];
  return left === '' ? undefined : [left.replace(/\s+/g, ' ').trim(), DIRECTIONS[sign] ?? sign, unit].join('\n');
}
