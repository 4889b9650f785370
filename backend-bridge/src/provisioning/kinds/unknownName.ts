/** Names of channels, schedules and people that a provisioning file uses and does not have. */
import type { Named } from '../../../contract/routeNames.ts';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import type { ProvisioningFile } from '../../../contract/provisioningFile.ts';
import { nearest } from '../../validation/source/messages.ts';
import type { FindingText } from './kind.ts';

interface Kind {
  title: string;
  plural: string;
  known: (file: ProvisioningFile) => string[];
}

const KINDS: Record<Named['kind'], Kind> = {
  channel: {
    title: 'Unknown channel',
    plural: 'channels',
    known: ({ channels = [] }) => channels.map(({ name }) => name),
  },
  schedule: {
    title: 'Unknown schedule',
    plural: 'schedules',
    known: ({ schedules = [] }) => schedules.map(({ name }) => name),
  },
  person: {
    title: 'Unknown person',
    plural: 'people',
    known: ({ people = [] }) => people.map(({ login }) => login),
  },
};

/** @returns an error, or nothing: the file has the name */
export function unknownName(
  file: ProvisioningFile,
  { kind, name }: Omit<Named, 'path'>,
  finding: (text: FindingText) => ProvisioningFinding
): ProvisioningFinding[] {
  const { title, plural, known } = KINDS[kind];
  const names = known(file);
  if (names.includes(name)) {
    return [];
  }
  const meant = nearest(name, names);
  const all = names.length === 0 ? `It has no ${plural}.` : `Its ${plural}: ${names.join(', ')}.`;
  const advice = meant === undefined ? all : `Did you mean "${meant}"?`;
  const detail = `There is no ${kind} "${name}" in this file. ${advice}`;
  return [finding({ rule: 'channel', verdict: 'error', title, detail })];
}
