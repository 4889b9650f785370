/** Validates settings from the API, an import or a provisioning file, and turns them into changes of the stored ones. Pure. */
import { withUnit } from '../../../contract/condition.ts';
import type { EndpointPatch, PackageSwitchBody } from '../../../contract/endpoint.ts';
import type { ProblemError } from '../../../contract/problem.ts';
import type { ExchangedSettings } from '../../../contract/settings.ts';
import { findBadText, show, toPointer } from '../../../contract/text.ts';
import { HttpProblem, invalid } from '../../platform/http/problem.ts';
import type { ShippedEndpoint } from '../monitors/monitor.ts';
import type { SettingRow } from '../../platform/storage/schema.ts';
import { nearest } from '../../validation/source/messages.ts';
import { type Overlay, readSubject, subjectOf, thresholdSet } from './overlay.ts';
import { leftoversOf } from './present.ts';
import type { ShippedPackage } from './shipped.ts';
import type { SettingChange } from './writes.ts';

/** A registered package and its settings. */
export interface Settable {
  shipped: ShippedPackage;
  overlay: Overlay;
}

/** @throws HttpProblem 400; 409 if a file provisions it */
export function endpointChanges(
  { shipped, overlay }: Settable,
  endpoint: ShippedEndpoint,
  patch: EndpointPatch
): SettingChange[] {
  const { correlationId } = endpoint;
  const key = { dnp_name: shipped.dnpName, correlation_id: correlationId, file: '' };
  const changes: SettingChange[] = [];
  if (patch.enabled !== undefined) {
    rejectProvisioned(overlay.get(correlationId, 'enabled'), 'The switch of this endpoint');
    const value = patch.enabled === null ? null : Number(patch.enabled);
    changes.push(changeOf({ ...key, member: 'enabled' }, value, endpoint));
  }
  if (patch.threshold !== undefined) {
    rejectProvisioned(overlay.get(correlationId, 'threshold'), 'The threshold of this endpoint');
    const mistake =
      patch.threshold === null ? undefined : thresholdMistake(endpoint, patch.threshold, overlay, ['threshold']);
    if (mistake) {
      throw invalid([mistake], 'the body');
    }
    changes.push(changeOf({ ...key, member: 'threshold' }, patch.threshold, endpoint));
  }
  return changes;
}

/** @throws HttpProblem 400 if an id is not a leftover; 409 if a file provisions it */
export function packageChanges(
  { shipped, overlay }: Settable,
  { enabled, forget = [] }: PackageSwitchBody
): SettingChange[] {
  const { dnpName, endpoints } = shipped;
  const changes: SettingChange[] = [];
  if (enabled !== undefined) {
    rejectProvisioned(overlay.get('', 'enabled'), 'This package');
    const key = { dnp_name: dnpName, correlation_id: '', member: 'enabled', file: '' } as const;
    changes.push({ ...key, value: enabled === null ? null : Number(enabled), shipped: 1, subject: null });
  }
  const leftovers = new Map(leftoversOf(endpoints, overlay).map((one) => [one.correlationId, one]));
  const mistakes = forget.flatMap((id, index) => (leftovers.has(id) ? [] : [noLeftover(id, index)]));
  if (mistakes.length > 0) {
    throw invalid(mistakes, 'the body');
  }
  for (const id of new Set(forget)) {
    for (const member of ['enabled', 'threshold'] as const) {
      if (leftovers.get(id)?.[member] !== undefined) {
        rejectProvisioned(overlay.get(id, member), `The stored setting of ${id}`);
        const key = { dnp_name: dnpName, correlation_id: id, member, file: '' };
        changes.push({ ...key, value: null, shipped: null, subject: null });
      }
    }
  }
  return changes;
}

function noLeftover(id: string, index: number): ProblemError {
  const allowed = 'the correlationId of one of its leftovers';
  const detail = `${show(id)} is not a leftover; ${allowed} is expected.`;
  return { pointer: toPointer(['forget', index]), found: show(id), allowed, detail };
}

function rejectProvisioned(row: SettingRow | undefined, what: string): void {
  if (row !== undefined && row.file !== '') {
    throw new HttpProblem('conflict', `${what} is provisioned by ${row.file} and can only be changed there.`);
  }
}

export interface CheckedSettings {
  changes: SettingChange[];
  mistakes: ProblemError[];
  /** Thresholds out of range, which are not among the changes; the caller leaves them out or rejects all. */
  rejected: ProblemError[];
  /** Ids that the package does not define; the caller stores or rejects them. */
  unknown: string[];
  /** Ids whose threshold has another subject than the endpoint has now: stored, and not applied. */
  unfit: string[];
}

export interface CheckOptions {
  dnpName: string;
  /** Undefined: the package is not registered, and its settings are not validated. */
  endpoints: readonly ShippedEndpoint[] | undefined;
  overlay: Overlay;
  /** The provisioning file; empty: set by an admin. */
  file: string;
  /** The path of the settings in the input. */
  at: readonly PropertyKey[];
}

/** A value out of range is allowed if it is the current one, so that every export can be imported. */
export function checkSettings(settings: ExchangedSettings, options: CheckOptions): CheckedSettings {
  const { dnpName, endpoints, file, at } = options;
  const checked: CheckedSettings = { changes: [], mistakes: [], rejected: [], unknown: [], unfit: [] };
  const set = (
    correlation_id: string,
    member: SettingChange['member'],
    value: number,
    shipped?: ShippedEndpoint
  ): void => void checked.changes.push(changeOf({ dnp_name: dnpName, correlation_id, member, file }, value, shipped));
  if (settings.enabled !== undefined) {
    set('', 'enabled', Number(settings.enabled));
  }
  for (const [id, { enabled, threshold, of }] of Object.entries(settings.endpoints ?? {})) {
    const place = [...at, 'endpoints', id];
    const shipped = endpoints?.find(({ correlationId }) => correlationId === id);
    checked.mistakes.push(
      ...nameless(id, place),
      ...findBadText(id).map((mistake) => ({ ...mistake, pointer: toPointer(place) }))
    );
    if (endpoints !== undefined && shipped === undefined) {
      checked.unknown.push(id);
    }
    if (enabled !== undefined) {
      set(id, 'enabled', Number(enabled), shipped);
    }
    if (threshold !== undefined) {
      const { change, mistakes = [], rejected, unfit } = checkThreshold({ id, threshold, of, place }, shipped, options);
      checked.mistakes.push(...mistakes);
      if (rejected) {
        checked.rejected.push(rejected);
      } else {
        checked.changes.push(change);
      }
      checked.unfit.push(...(unfit === true ? [id] : []));
    }
  }
  return checked;
}

interface GivenThreshold {
  id: string;
  threshold: number;
  of: string | undefined;
  place: readonly PropertyKey[];
}

/** A threshold with another subject than that of the endpoint is stored without validation. */
function checkThreshold(
  { id, threshold, of, place }: GivenThreshold,
  shipped: ShippedEndpoint | undefined,
  { dnpName, file, overlay }: CheckOptions
): { change: SettingChange; mistakes?: ProblemError[]; rejected?: ProblemError | undefined; unfit?: boolean } {
  const key = { dnp_name: dnpName, correlation_id: id, member: 'threshold', file } as const;
  const subject = of === undefined ? undefined : readSubject(of);
  const change = changeOf(key, threshold, shipped);
  if (of !== undefined && subject === undefined) {
    return { change, mistakes: [noSubject(of, [...place, 'of'])] };
  }
  if (subject !== undefined && (shipped?.threshold === undefined || subject !== change.subject)) {
    return { change: { ...key, value: threshold, shipped: null, subject }, unfit: shipped !== undefined };
  }
  return { change, rejected: shipped && thresholdMistake(shipped, threshold, overlay, [...place, 'threshold']) };
}

function noSubject(of: string, place: readonly PropertyKey[]): ProblemError {
  const allowed = 'a condition without its number, such as [BODY].cpu <=';
  const detail = `Invalid condition ${show(of)}: write ${allowed}, or leave it out.`;
  return { pointer: toPointer(place), found: show(of), allowed, detail };
}

/** Names must not be empty: in the database, an empty endpoint id means the package itself. */
export function nameless(name: string, place: readonly PropertyKey[]): ProblemError[] {
  const detail = 'The name is missing: write the name of the package, the endpoint or the category before the colon.';
  return name === '' ? [{ pointer: toPointer(place), found: show(name), allowed: 'a name', detail }] : [];
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

/** @returns undefined if the value is valid */
export function thresholdMistake(
  shipped: ShippedEndpoint,
  value: number,
  overlay: Overlay,
  place: readonly PropertyKey[]
): ProblemError | undefined {
  const pointer = toPointer(place);
  const { metric, threshold, condition, correlationId } = shipped;
  if (threshold === undefined || metric === undefined) {
    const why = condition?.readOnly ?? 'The package defines no range (metric).';
    return {
      pointer,
      found: show(value),
      allowed: 'nothing',
      detail: `${correlationId} has no configurable threshold. ${why}`,
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

/** The message for an id that the package does not define. */
export function unknownEndpoint(id: string, endpoints: readonly ShippedEndpoint[]): string {
  const ids = endpoints.map(({ correlationId }) => correlationId);
  const meant = nearest(id, ids);
  const shown = ids.slice(0, 20).join(', ');
  return meant === undefined
    ? `There is no endpoint ${show(id)}. ${ids.length === 0 ? 'The package has no endpoints.' : `Endpoints: ${shown}.`}`
    : `There is no endpoint ${show(id)}; did you mean ${meant}?`;
}
