/** Collects the findings in a file. */
import type { Span } from '../../contract/condition.ts';
import type { FileKind, Finding } from '../../contract/finding.ts';
import type { Authority } from './authority.ts';
import { quoteValue } from './source/messages.ts';
import { type RuleId, ruleOf } from './rules.ts';
import { type MapNode, type Path, pointerOf, type Source, type SourceNode } from './source/source.ts';
import type { YamlProblem } from './source/yaml.ts';

/** Upper limit of findings by authority. */
export const MAX_FINDINGS = 1_000;

const WEIGHT = { error: 0, warning: 1, note: 2 } as const;

/** A finding before its offsets become lines and columns. */
export type Entry = Pick<Finding, 'rule' | 'verdict' | 'title' | 'detail' | 'pointer'> & Span;
const byOffset = (a: Entry, b: Entry): number => a.start - b.start || WEIGHT[a.verdict] - WEIGHT[b.verdict];

export class Report {
  readonly file: FileKind;
  readonly source: Source;
  readonly authority: Authority;
  readonly entries: Entry[] = [];

  constructor(file: FileKind, source: Source, authority: Authority) {
    this.file = file;
    this.source = source;
    this.authority = authority;
  }

  /**
   * @param pointer JSON Pointer of the value
   * @param title a few words
   * @param detail what was found and how to fix it
   */
  add(rule: RuleId, pointer: string, { start, end }: Span, title: string, detail: string): void {
    const verdict = ruleOf(rule)[this.authority];
    if (verdict !== 'off') {
      this.entries.push({ rule, verdict, title, detail, pointer, start, end });
    }
  }

  lineOf({ start }: Span): number {
    return this.source.lines.at(start).line;
  }

  /**
   * In file order; beyond the limit, the most severe ones.
   * @param entries the collected ones, with other severities
   */
  findings(entries: readonly Entry[] = this.entries): Finding[] {
    let kept = [...entries];
    const over = kept.length - MAX_FINDINGS + 1;
    if (over > 1) {
      const more: Entry = {
        rule: 'more-findings',
        verdict: 'note',
        title: `${over} more findings`,
        detail: `At most ${MAX_FINDINGS} findings are reported, errors first. Fix these and validate again.`,
        pointer: '',
        ...{ start: 0, end: 0 },
      };
      kept.sort((a, b) => WEIGHT[a.verdict] - WEIGHT[b.verdict] || a.start - b.start);
      kept = [...kept.slice(0, MAX_FINDINGS - 1), more];
    }
    return kept.sort(byOffset).map((entry) => this.#place(entry));
  }

  /** Only the first line of a YAML value is highlighted. */
  #place({ start, end, pointer, ...finding }: Entry): Finding {
    const span = this.file === 'manifest' ? { start, end } : this.source.firstLine({ start, end });
    return { ...finding, file: this.file, pointer, ...this.source.lines.place(span) };
  }
}

/** Reports each rule once per member. */
export class ManifestReport extends Report {
  readonly #reported = new Set<string>();

  constructor(source: Source, authority: Authority) {
    super('manifest', source, authority);
  }

  override add(rule: RuleId, pointer: string, span: Span, title: string, detail: string): void {
    const once = `${rule} ${pointer} ${pointer === '' ? span.start : ''}`;
    if (!this.#reported.has(once)) {
      this.#reported.add(once);
      super.add(rule, pointer, span, title, detail);
    }
  }

  /**
   * Highlights a short value itself, the key of an object or a list, and the parent of a missing member.
   * @param what `key`: highlights the key in any case
   */
  at(rule: RuleId, path: Path, title: string, detail: string, what: 'value' | 'key' = 'value'): void {
    this.add(rule, pointerOf(path), this.source.span(path, what), title, detail);
  }

  /** Whether the member exists, whatever its value. */
  has(path: Path): boolean {
    return this.source.find(path) !== undefined;
  }
}

/** A value, for a message. */
export function describe(node: SourceNode): string {
  return node.kind === 'scalar' ? quoteValue(node.value) : node.kind === 'list' ? 'a list' : 'a mapping';
}

const TITLES = {
  'yaml-syntax': 'Invalid YAML',
  'yaml-limit': 'File rejected',
  'yaml-duplicate': 'Duplicate key',
  'yaml-documents': 'Multiple documents',
} as const;

/**
 * Reports problems of the text itself, and a file that is not a mapping.
 * @param expected its members, for the message
 * @returns the mapping
 */
export function reportFile(report: Report, expected: string): MapNode | undefined {
  const { problems, root, text } = report.source as Source<YamlProblem>;
  for (const { rule, message, ...span } of problems) {
    report.add(rule, '', span, TITLES[rule], message);
  }
  if (root?.kind === 'map') {
    return root;
  }
  if (root || problems.length === 0) {
    const detail = `Found ${root ? describe(root) : 'an empty file'}. Expected a mapping with ${expected}.`;
    report.add('file-shape', '', root ?? { start: 0, end: text.length }, 'Not a mapping', detail);
  }
  return undefined;
}
