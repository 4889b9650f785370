/** Helpers for tests of manifest validation. */
import { expect, test } from 'vitest';
import { type Dialect, type Finding } from '../../../contract/finding.ts';
import { validateManifest, type ValidatedManifest, type ValidationOptions } from './validateManifest.ts';

/** A manifest without findings. */
export const GOOD = {
  name: 'my-node.public.dappnode.eth',
  version: '1.2.3',
  shortDescription: 'Runs a node of the example chain',
  description: 'A **node**.',
  type: 'service',
  categories: ['Blockchain'],
  license: 'GPL-3.0',
};

/** GOOD with other members; undefined ones are omitted. */
export function validated(
  members: Record<string, unknown>,
  options: Partial<ValidationOptions> = {}
): ValidatedManifest {
  return validateManifest(JSON.stringify({ ...GOOD, ...members }, null, 2), { dialect: 'dappnode', ...options });
}

/** `verdict rule pointer` of each finding. */
export const briefly = ({ findings }: { findings: Finding[] }): string[] =>
  findings.map(({ verdict, rule, pointer }) => `${verdict} ${rule} ${pointer}`);

export type Members = Record<string, unknown>;
/** Members of a manifest and the expected finding: in both dialects, or in `dappnode` and in `spec`; empty for none. */
export type Refused = [members: Members, found: string | [dappnode: string, spec: string]];
export interface Row {
  row: string;
  accepted: Members[];
  refused: Refused[];
}

/** An error in the specification only. */
export const lenient = (rule: string, pointer: string): [string, string] => [
  `warning ${rule} ${pointer}`,
  `error ${rule} ${pointer}`,
];
/** An error in DAppNode only. */
export const strict = (rule: string, pointer: string): [string, string] => [
  `error ${rule} ${pointer}`,
  `warning ${rule} ${pointer}`,
];
export const typeOf = (pointer: string): string => `error type ${pointer}`;
export const missing = (pointer: string): string => `error required ${pointer}`;
export const empty = (pointer: string): string => `error empty ${pointer}`;

/** A test for each row. */
export function holds(rows: Row[]): void {
  test.each(rows)('$row', ({ accepted, refused }) => {
    expect(accepted.length).toBeGreaterThan(0);
    const found = (members: Members, dialect: Dialect): string =>
      briefly(validated(members, { dialect }))
        .filter((one) => dialect === 'dappnode' || !one.startsWith('warning unknown-member'))
        .join('; ');
    for (const members of accepted) {
      expect({ members, found: [found(members, 'dappnode'), found(members, 'spec')] }).toEqual({
        members,
        found: ['', ''],
      });
    }
    expect(refused.length).toBeGreaterThan(0);
    for (const [members, findings] of refused) {
      expect({ members, found: [found(members, 'dappnode'), found(members, 'spec')] }).toEqual({
        members,
        found: typeof findings === 'string' ? [findings, findings] : findings,
      });
    }
  });
}
