/** Names of channels, schedules and people that a provisioning file uses and does not have. */
import type { Named } from '../../../contract/routeNames.ts';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import type { ProvisioningFile } from '../../../contract/provisioningFile.ts';
import { nearest } from '../../validation/source/messages.ts';
import type { FindingText } from './kind.ts';

/** Members of the file. */
const MEMBERS = { channel: 'channels', schedule: 'schedules', person: 'people' } as const;

/** @returns an error, or nothing: the file has the name */
export function unknownName(
  file: ProvisioningFile,
  { kind, name }: Omit<Named, 'path'>,
  finding: (text: FindingText) => ProvisioningFinding
): ProvisioningFinding[] {
  const member = MEMBERS[kind];
  const names = (file[member] ?? []).map((one) => ('login' in one ? one.login : one.name));
  if (names.includes(name)) {
    return [];
  }
  const meant = nearest(name, names);
  const all = names.length === 0 ? `It has no ${member}.` : `Its ${member}: ${names.join(', ')}.`;
  const advice = meant === undefined ? all : `Did you mean "${meant}"?`;
  const detail = `There is no ${kind} "${name}" in this file. ${advice}`;
  return [finding({ rule: 'channel', verdict: 'error', title: `Unknown ${kind}`, detail })];
}
