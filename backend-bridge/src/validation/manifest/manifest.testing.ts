/** Helpers for tests of manifest validation. */
import { expect, test } from 'vitest';
import { type Finding } from '../../../contract/finding.ts';
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
/** Members of a manifest and the expected finding: in both dialects, or in `dappnode` and in `spec`. */
export type Refused = [members: Members, found: string | [dappnode: string, spec: string]];
export interface Row {
  row: string;
  accepted: Members[];
  refused: Refused[];
}

export const typeOf = (pointer: string): string => `error type ${pointer}`;
export const missing = (pointer: string): string => `error required ${pointer}`;
export const empty = (pointer: string): string => `error empty ${pointer}`;

/** A test for each row. */
export function holds(rows: Row[]): void {
  test.each(rows)('$row', ({ accepted, refused }) => {
    expect(accepted.length).toBeGreaterThan(0);
    for (const members of accepted) {
      for (const dialect of ['dappnode', 'spec'] as const) {
        expect({ members, dialect, found: briefly(validated(members, { dialect })) }).toEqual({
          members,
          dialect,
          found: [],
        });
      }
    }
    expect(refused.length).toBeGreaterThan(0);
    for (const [members, found] of refused) {
      const [dappnode, spec] = typeof found === 'string' ? [found, found] : found;
      expect({ members, found: briefly(validated(members)) }).toEqual({ members, found: [dappnode] });
      expect({ members, found: briefly(validated(members, { dialect: 'spec' })).filter(notForeign) }).toEqual({
        members,
        found: [spec],
      });
    }
  });
}
const notForeign = (found: string): boolean => !found.startsWith('warning unknown-member');
