/** The two authorities on packages, and the dialect `any`, which merges the findings of both. */
import type { Dialect, Finding, Verdict } from '../../contract/finding.ts';

export type Authority = Exclude<Dialect, 'any'>;

/** The start of the title of a warning in the dialect `any`. */
export const REFUSED_BY = {
  dappnode: 'DAppNode rejects this: ',
  spec: 'The specification rejects this: ',
} as const satisfies Record<Authority, string>;

/** A finding that only this authority reports as an error. */
export const refusedByOne = <T extends Pick<Finding, 'title' | 'verdict'>>(finding: T, authority: Authority): T => ({
  ...finding,
  verdict: 'warning',
  title: REFUSED_BY[authority] + finding.title,
});

/** Exceptions from merging rules by their findings. */
export interface MergeRules {
  /** Rules against a form that DAppNode requires: without a finding in `any`. */
  isWanted: (rule: string) => boolean;
  /** The severity of a rule that has its own in `any`. */
  inAny: (rule: string) => Verdict | undefined;
}

/**
 * The findings of the dialect `any`: an error if both authorities refuse the value, or a part of it, or if nothing useful can be
 * made of it; a warning that names the one that rejects it otherwise.
 */
export function mergeFindings(
  dappnode: readonly Finding[],
  spec: readonly Finding[],
  { isWanted, inAny }: MergeRules
): Finding[] {
  const bySpec = new Map(spec.map((finding) => [identityOf(finding), finding]));
  const shared = new Set(dappnode.map(identityOf));
  const refused = { dappnode: new Refused(dappnode), spec: new Refused(spec) };
  const merge = (finding: Finding): Finding[] => {
    const own = inAny(finding.rule);
    if (own !== undefined) {
      return [{ ...finding, verdict: own }];
    }
    const other = bySpec.get(identityOf(finding));
    if (finding.verdict === 'error') {
      return [refused.spec.has(finding) ? finding : refusedByOne(finding, 'dappnode')];
    }
    return other?.verdict === 'error' ? ofSpecification(other) : [finding];
  };
  /** @param finding an error of the specification that DAppNode does not report */
  const ofSpecification = (finding: Finding): Finding[] => {
    return isWanted(finding.rule) || refused.dappnode.has(finding) ? [] : [refusedByOne(finding, 'spec')];
  };
  return [
    ...dappnode.flatMap(merge),
    ...spec
      .filter((finding) => !shared.has(identityOf(finding)) && !isWanted(finding.rule))
      .flatMap((finding) => (finding.verdict === 'error' ? ofSpecification(finding) : [finding])),
  ];
}

const identityOf = ({ rule, pointer, line, column }: Finding): string => `${rule} ${line}:${column} ${pointer}`;

/** The places of errors. */
class Refused {
  readonly #at = new Set<string>();
  /** Each place with an error inside. */
  readonly #around = new Set<string>();

  constructor(findings: readonly Finding[]) {
    for (const { pointer } of findings.filter(({ verdict }) => verdict === 'error')) {
      this.#at.add(pointer);
      parentsOf(pointer).forEach((parent) => this.#around.add(parent));
    }
  }

  /** Whether there is an error at this place, inside it or around it. */
  has({ pointer }: Finding): boolean {
    return this.#at.has(pointer) || this.#around.has(pointer) || parentsOf(pointer).some((one) => this.#at.has(one));
  }
}

/** `/a/b` has the parents `/a` and the root, which is empty. */
function parentsOf(pointer: string): string[] {
  const parents: string[] = [];
  for (let end = pointer.lastIndexOf('/'); end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
    parents.push(pointer.slice(0, end));
    if (end === 0) {
      break;
    }
  }
  return parents;
}
