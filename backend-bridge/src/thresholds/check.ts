/** Judges what somebody wants to set. Pure. */
import type { PackageSettings } from '../../contract/endpoint.ts';
import { withUnit } from '../../contract/endpoint.ts';
import { nearest } from '../../contract/nearest.ts';
import type { ProblemError } from '../../contract/problem.ts';
import { findBadText, show, toPointer } from '../../contract/text.ts';
import { type Overlay, thresholdSet } from './overlay.ts';
import { subjectOf } from './subject.ts';
import type { ShippedEndpoint } from './types.ts';
import type { SettingChange } from './writes.ts';

export interface CheckedSettings {
  changes: SettingChange[];
  mistakes: ProblemError[];
  /** Ids that the package does not define: kept for when it does, or a mistake, as who asks decides. */
  unknown: string[];
}

export interface CheckOptions {
  dnpName: string;
  /** Undefined: the package is not registered, and nothing can be checked. */
  endpoints: readonly ShippedEndpoint[] | undefined;
  overlay: Overlay;
  /** The provisioning file that sets it; empty: an admin does. */
  file: string;
  /** Where the settings stand in what was handed in. */
  at: readonly PropertyKey[];
}

/** What is out of range stays allowed as long as it is what is set already, so that what was exported can be imported. */
export function checkSettings(settings: PackageSettings, options: CheckOptions): CheckedSettings {
  const { dnpName, endpoints, file, at } = options;
  const checked: CheckedSettings = { changes: [], mistakes: [], unknown: [] };
  const set = (
    correlation_id: string,
    member: SettingChange['member'],
    value: number,
    shipped?: ShippedEndpoint
  ): void => void checked.changes.push(changeOf({ dnp_name: dnpName, correlation_id, member, file }, value, shipped));
  if (settings.enabled !== undefined) {
    set('', 'enabled', Number(settings.enabled));
  }
  for (const [id, { enabled, threshold }] of Object.entries(settings.endpoints ?? {})) {
    const place = [...at, 'endpoints', id];
    const shipped = endpoints?.find(({ correlationId }) => correlationId === id);
    checked.mistakes.push(...findBadText(id).map((mistake) => ({ ...mistake, pointer: toPointer(place) })));
    if (endpoints !== undefined && shipped === undefined) {
      checked.unknown.push(id);
    }
    if (enabled !== undefined) {
      set(id, 'enabled', Number(enabled), shipped);
    }
    if (threshold !== undefined) {
      const mistake = shipped && thresholdMistake(shipped, threshold, options.overlay, [...place, 'threshold']);
      checked.mistakes.push(...(mistake ? [mistake] : []));
      set(id, 'threshold', threshold, shipped);
    }
  }
  return checked;
}

export function changeOf(
  key: Pick<SettingChange, 'dnp_name' | 'correlation_id' | 'member' | 'file'>,
  value: number | null,
  shipped: ShippedEndpoint | undefined
): SettingChange {
  if (value === null || shipped === undefined) {
    return { ...key, value, shipped: null, subject: null };
  }
  return key.member === 'enabled'
    ? { ...key, value, shipped: Number(shipped.enabled), subject: null }
    : { ...key, value, shipped: shipped.threshold ?? null, subject: subjectOf(shipped.condition) };
}

/** @returns undefined when it can be set */
export function thresholdMistake(
  shipped: ShippedEndpoint,
  value: number,
  overlay: Overlay,
  place: readonly PropertyKey[]
): ProblemError | undefined {
  const pointer = toPointer(place);
  const { metric, threshold, condition, correlationId } = shipped;
  if (threshold === undefined || metric === undefined) {
    const why = condition?.readOnly ?? 'The package gives no range for it (metric).';
    return {
      pointer,
      found: show(value),
      allowed: 'nothing',
      detail: `${correlationId} has no threshold that can be set. ${why}`,
    };
  }
  if ((value >= metric.min && value <= metric.max) || thresholdSet(shipped, overlay)?.value === value) {
    return undefined;
  }
  const allowed = `a number from ${withUnit(metric.min, undefined)} to ${withUnit(metric.max, metric.unit)}`;
  return {
    pointer,
    found: show(value),
    allowed,
    detail: `The threshold of ${correlationId} is ${allowed}; found ${withUnit(value, metric.unit)}.`,
  };
}

/** Words for an id that a package does not define. */
export function unknownEndpoint(id: string, endpoints: readonly ShippedEndpoint[]): string {
  const ids = endpoints.map(({ correlationId }) => correlationId);
  const meant = nearest(id, ids);
  const shown = ids.slice(0, 20).join(', ');
  return meant === undefined
    ? `There is no endpoint ${show(id)}; there ${ids.length === 0 ? 'is none' : `is ${shown}`}.`
    : `There is no endpoint ${show(id)}; did you mean ${meant}?`;
}
