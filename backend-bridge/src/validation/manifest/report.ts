/** Collects what the judge has to say, with verdict and place. */
import { type Node } from 'jsonc-parser';
import { type Dialect, type Finding } from '../../../contract/finding.ts';
import { Index, type Lines, type Path, pointerOf, type Span } from './document.ts';
import { type RuleId, verdictOf } from './rules.ts';

/** Most findings that are listed. */
export const MAX_FINDINGS = 1_000;

const WEIGHT = { error: 0, warning: 1, note: 2 } as const;

export class Report {
  readonly dialect: Dialect;
  readonly #lines: Lines;
  readonly #findings: { finding: Finding; offset: number }[] = [];
  readonly #said = new Set<string>();
  #index: Index | undefined;

  constructor(dialect: Dialect, lines: Lines) {
    this.dialect = dialect;
    this.#lines = lines;
  }

  /** What paths are looked up in. */
  use(tree: Node): void {
    this.#index = new Index(tree);
  }

  /** One finding for each rule and member. `title`: in a few words; `detail`: what was found and what to do. */
  say(rule: RuleId, path: Path, title: string, detail: string, what: 'value' | 'key' = 'value'): void {
    this.sayAt(rule, this.#index?.span(path, what) ?? { offset: 0, length: 0 }, title, detail, pointerOf(path));
  }

  sayAt(rule: RuleId, span: Span, title: string, detail: string, pointer = ''): void {
    const once = `${rule} ${pointer} ${pointer === '' ? span.offset : ''}`;
    if (!this.#said.has(once)) {
      this.#said.add(once);
      const verdict = verdictOf(rule, this.dialect);
      const place = this.#lines.place(span, pointer);
      this.#findings.push({
        finding: { rule, verdict, title, detail, file: 'manifest', ...place },
        offset: span.offset,
      });
    }
  }

  /** Whether there is such a member, be its value what it may. */
  has(path: Path): boolean {
    return this.#index?.find(path) !== undefined;
  }

  lineOf(span: Span): number {
    return this.#lines.at(span.offset).line;
  }

  /** In the order of the text; of too many, the worst. */
  findings(): Finding[] {
    const over = this.#findings.length - MAX_FINDINGS + 1;
    if (over > 1) {
      const title = `${over} more findings`;
      const detail = `At most ${MAX_FINDINGS} are listed, errors first. Mend these and look again.`;
      this.#findings.sort((a, b) => WEIGHT[a.finding.verdict] - WEIGHT[b.finding.verdict] || a.offset - b.offset);
      this.#findings.length = MAX_FINDINGS - 1;
      this.sayAt('more-findings', { offset: 0, length: 0 }, title, detail);
    }
    return this.#findings
      .sort((a, b) => a.offset - b.offset || WEIGHT[a.finding.verdict] - WEIGHT[b.finding.verdict])
      .map(({ finding }) => finding);
  }
}
