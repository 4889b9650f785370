/** The rules for manifests with their severity in both dialects (listed in docs/manifest-rules.md), and the report that collects findings. */
import type { Node } from 'jsonc-parser';
import type { Dialect, Finding, Verdict } from '../../../contract/finding.ts';
import { Index, type Lines, type Path, pointerOf, type Span } from './document.ts';

export interface Rule {
  /** What it asks for, in a sentence for the docs. */
  what: string;
  dappnode: Verdict;
  spec: Verdict;
  /** Whether the published JSON Schema of the dialect refuses what is an error by this rule. */
  schema?: true;
}

const both = (verdict: Verdict, what: string): Rule => ({ what, dappnode: verdict, spec: verdict });
const schema = (what: string): Rule => ({ ...both('error', what), schema: true });
/** What the specification does not know and real packages do: see decision 0015. */
const foreign = (what: string): Rule => ({ what, dappnode: 'warning', spec: 'error', schema: true });

export const RULES = {
  // the text
  'too-large': both('error', 'The text has at most 1 MiB.'),
  syntax: both('error', 'The text is JSON (RFC 8259): no comments, no trailing commas.'),
  'too-deep': both('error', 'Objects and lists are nested at most 32 deep.'),
  'too-many': both('error', 'No object has more than 1,000 members, no list more than 1,000 entries.'),
  'bad-text': both('error', 'Text has neither NUL nor half of a surrogate pair.'),
  'reserved-member': both('error', 'No member is called `__proto__`, `constructor` or `prototype`.'),
  'duplicate-member': both('warning', 'No member is there twice; the last one counts.'),
  'byte-order-mark': both('note', 'The text does not begin with a byte order mark (RFC 8259, section 8.1).'),
  'more-findings': both('note', 'At most 1,000 findings are listed, errors first.'),

  // each member by itself
  'not-an-object': schema('A manifest is an object.'),
  required: schema('Members that are required are there.'),
  type: schema('Each member has its type.'),
  empty: schema('Texts with a minimum length of 1 are not empty.'),
  'unlisted-value': schema('`type` and `architectures` have one of their values.'),
  'name-format': schema(
    '`name` is a name of the name service: labels of a–z, 0–9 and hyphens, with dots between, ending in `.eth`.'
  ),
  'version-format': schema('`version` and `minimumDappnodeVersion` match the regular expression of the specification.'),
  'version-semver': both('error', '`version` and `minimumDappnodeVersion` are semantic versions as well.'),
  'dependency-name': schema('A dependency is called by the name of a package.'),
  'dependency-range': both('error', 'A dependency’s value is a version, a range, `*`, `latest` or a path `/ipfs/…`.'),
  'content-address': both('error', 'The identifier in a dependency’s `/ipfs/…` can be read.'),
  'backup-path': schema('A path in `backup` is absolute and has no `~`.'),
  'port-range': schema('A port is a whole number from 1 to 65535.'),
  'update-range': both('error', '`from` and `to` of an update alert are ranges of semantic versions.'),
  timeout: both('error', '`dockerTimeout` is a number of seconds or a duration in the timestring format.'),
  'style-value': both('error', 'A member of `style` is a value of its CSS property.'),

  // members together
  'backup-name-twice': both('error', 'Names in `backup` are unique.'),
  'service-unknown': both('error', 'Services that are named are services of the compose file, when that is given.'),
  'library-environment': both('error', 'A library has no environment variables in its compose file.'),
  'library-depends': both('error', 'A library does not depend on a service.'),

  // the other dialect
  'chain-object': foreign('`chain` is text, not an object with driver, service and port.'),
  'chain-unlisted': foreign('`chain` is ethereum, bitcoin or monero.'),
  'category-unlisted': foreign('`categories` has listed values.'),
  'global-envs-list': foreign('`globalEnvs` is an object, not a list.'),
  'update-warning': foreign('`warnings` has `onUpdate`, not one member for each number of the version.'),
  'links-text': foreign('`links` is an object, not the homepage alone.'),
  'other-type': foreign(
    'Numbers and switches are not written as text, nor text as a number, where it is clear what is meant.'
  ),
  'dependency-hash': {
    ...both('error', 'A content address in a dependency begins with `/ipfs/`.'),
    dappnode: 'warning',
  },
  'global-envs-service': both('warning', 'Services in the list form of `globalEnvs` are services of the compose file.'),
  'upstream-twice': both(
    'warning',
    '`upstream` does not stand beside `upstreamVersion`, `upstreamRepo` or `upstreamArg`.'
  ),
  'optional-name': both('warning', 'An optional dependency is called by the name of a package.'),
  'optional-range': both('warning', 'The value of an optional dependency is one that a dependency may have.'),
  'dialect-member': {
    ...both('note', 'A member that DAppNode knows and the specification does not.'),
    spec: 'warning',
  },

  // recommendations
  'unknown-member': both('warning', 'Members are known ones.'),
  'short-description-words': both('warning', '`shortDescription` has 6 to 8 words.'),
  'short-description-markdown': both('warning', '`shortDescription` has no Markdown.'),
  'category-count': both('warning', '`categories` names one or two.'),
  'category-none': both('note', 'A service has `categories`.'),
  person: both('warning', '`author` and `contributors` have a name and an e-mail address: name <e-mail> (address).'),
  link: both('warning', 'Links are http:, https: or a path; others are left out.'),
  'style-left-out': both(
    'warning',
    'Values of `style` have no addresses, no references and at most 300 characters; others are left out.'
  ),
  'image-address': both('warning', 'The identifier in `avatar` or `image.hash` can be read.'),
  'backup-name': both('warning', 'A name in `backup` is not a path.'),
  'backup-path-steps': both('warning', 'A path in `backup` has no `.` or `..` in it.'),
  'disclaimer-empty': both('warning', 'A disclaimer says something.'),
  'depends-on-itself': both('warning', 'A package does not depend on itself.'),
  'timeout-minimum': both('warning', '`minimumDappnodeVersion` is not below 0.2.36 when `dockerTimeout` is used.'),

  // for information
  'timeout-no-minimum': both('note', '`minimumDappnodeVersion` is given when `dockerTimeout` is used.'),
  'person-address': both('note', '`author` and `contributors` end in the address of a profile.'),
  'dependency-latest': both('note', '`latest` follows every release.'),
  'dependency-any': both('note', '`*` takes any version.'),
  'dependency-ipfs': both('note', 'A content address is for development.'),
  'library-dependency': both('note', 'A library has dependencies whose type is not known here.'),
  'service-default': both('note', 'Several services, and backups or exposable services that name none.'),
  'main-service-default': both('note', 'Several services, and no `mainService`.'),
  'license-spelling': both('note', '`license` is nearly one of the usual identifiers of SPDX.'),
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof RULES;

export const severityOf = (rule: RuleId, dialect: Dialect): Verdict => RULES[rule][dialect];

/** Most findings that are listed. */
export const MAX_FINDINGS = 1_000;

const WEIGHT = { error: 0, warning: 1, note: 2 } as const;

export class Report {
  readonly dialect: Dialect;
  readonly #lines: Lines;
  readonly #findings: { finding: Finding; offset: number }[] = [];
  readonly #reported = new Set<string>();
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
  add(rule: RuleId, path: Path, title: string, detail: string, what: 'value' | 'key' = 'value'): void {
    this.addAt(rule, this.#index?.span(path, what) ?? { offset: 0, length: 0 }, title, detail, pointerOf(path));
  }

  addAt(rule: RuleId, span: Span, title: string, detail: string, pointer = ''): void {
    const once = `${rule} ${pointer} ${pointer === '' ? span.offset : ''}`;
    if (!this.#reported.has(once)) {
      this.#reported.add(once);
      const verdict = severityOf(rule, this.dialect);
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
      this.addAt('more-findings', { offset: 0, length: 0 }, title, detail);
    }
    return this.#findings
      .sort((a, b) => a.offset - b.offset || WEIGHT[a.finding.verdict] - WEIGHT[b.finding.verdict])
      .map(({ finding }) => finding);
  }
}
