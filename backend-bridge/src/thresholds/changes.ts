/** What an admin asks to set, as changes of what is kept. Pure. */
import type { EndpointPatch, PackageSwitchBody } from '../../contract/endpoint.ts';
import type { ProblemError } from '../../contract/problem.ts';
import { show, toPointer } from '../../contract/text.ts';
import { HttpProblem, invalid } from '../http/problem.ts';
import type { SettingRow } from '../storage/schema.ts';
import { changeOf, thresholdMistake } from './check.ts';
import type { Overlay } from './overlay.ts';
import { leftoversOf } from './present.ts';
import type { ShippedEndpoint, ShippedPackage } from './types.ts';
import type { SettingChange } from './writes.ts';

/** A registered package, and what is set for it. */
export interface Settable {
  shipped: ShippedPackage;
  overlay: Overlay;
}

/** @throws HttpProblem 400, 409 for what a file provisions */
export function endpointChanges(
  { shipped, overlay }: Settable,
  endpoint: ShippedEndpoint,
  patch: EndpointPatch
): SettingChange[] {
  const { correlationId } = endpoint;
  const key = { dnp_name: shipped.dnpName, correlation_id: correlationId, file: '' };
  const changes: SettingChange[] = [];
  if (patch.enabled !== undefined) {
    refuseProvisioned(overlay.get(correlationId, 'enabled'), 'The switch of this endpoint');
    const value = patch.enabled === null ? null : Number(patch.enabled);
    changes.push(changeOf({ ...key, member: 'enabled' }, value, endpoint));
  }
  if (patch.threshold !== undefined) {
    refuseProvisioned(overlay.get(correlationId, 'threshold'), 'The threshold of this endpoint');
    const mistake =
      patch.threshold === null ? undefined : thresholdMistake(endpoint, patch.threshold, overlay, ['threshold']);
    if (mistake) {
      throw invalid([mistake], 'the body');
    }
    changes.push(changeOf({ ...key, member: 'threshold' }, patch.threshold, endpoint));
  }
  return changes;
}

/** @throws HttpProblem 400 for what is no leftover, 409 for what a file provisions */
export function packageChanges(
  { shipped, overlay }: Settable,
  { enabled, forget = [] }: PackageSwitchBody
): SettingChange[] {
  const { dnpName, endpoints } = shipped;
  const changes: SettingChange[] = [];
  if (enabled !== undefined) {
    refuseProvisioned(overlay.get('', 'enabled'), 'This package');
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
        refuseProvisioned(overlay.get(id, member), `What is kept for ${id}`);
        const key = { dnp_name: dnpName, correlation_id: id, member, file: '' };
        changes.push({ ...key, value: null, shipped: null, subject: null });
      }
    }
  }
  return changes;
}

function noLeftover(id: string, index: number): ProblemError {
  const allowed = 'the correlationId of one of its leftovers';
  const detail = `Nothing is kept for ${show(id)}, or it is in use; found where ${allowed} was expected.`;
  return { pointer: toPointer(['forget', index]), found: show(id), allowed, detail };
}

function refuseProvisioned(row: SettingRow | undefined, what: string): void {
  if (row !== undefined && row.file !== '') {
    throw new HttpProblem('conflict', `${what} is set by ${row.file}; it can be changed only there.`);
  }
}
