/** The rules for manifests with their severity in both dialects (listed in docs/manifest-rules.md), and the report that collects findings. */
import type { Node } from 'jsonc-parser';
import type { Dialect, Finding, Verdict } from '../../../contract/finding.ts';
import { Index, type Lines, type Path, pointerOf, type Span } from './document.ts';

export interface Rule {
  /** The requirement, in a sentence for the docs. */
  what: string;
  dappnode: Verdict;
  spec: Verdict;
  /** Whether the published JSON Schema of the dialect enforces this rule. */
  schema?: true;
}

const both = (verdict: Verdict, what: string): Rule => ({ what, dappnode: verdict, spec: verdict });
const schema = (what: string): Rule => ({ ...both('error', what), schema: true });
/** Not in the specification, but used by real packages: see decision 0015. */
const foreign = (what: string): Rule => ({ what, dappnode: 'warning', spec: 'error', schema: true });

export const RULES = {
  // the text
  'too-large': both('error', 'The file is at most 1 MiB.'),
  syntax: both('error', 'The file is valid JSON (RFC 8259): no comments, no trailing commas.'),
  'too-deep': both('error', 'Objects and arrays are nested at most 32 levels deep.'),
  'too-many': both('error', 'Objects have at most 1,000 members, arrays at most 1,000 entries.'),
  'bad-text': both('error', 'Strings contain no NUL character and no unpaired surrogate.'),
  'reserved-member': both('error', 'No member is named `__proto__`, `constructor` or `prototype`.'),
  'duplicate-member': both('warning', 'Members are unique; otherwise the last one applies.'),
  'byte-order-mark': both('note', 'The file does not start with a byte order mark (RFC 8259, section 8.1).'),
  'more-findings': both('note', 'At most 1,000 findings are reported, errors first.'),

  // each member by itself
  'not-an-object': schema('A manifest is an object.'),
  required: schema('Required members are present.'),
  type: schema('Each member has the correct type.'),
  empty: schema('Strings with a minimum length of 1 are not empty.'),
  'unlisted-value': schema('`type` and `architectures` have an allowed value.'),
  'name-format': schema('`name` is an ENS name: labels of a–z, 0–9 and hyphens, separated by dots, ending in `.eth`.'),
  'version-format': schema('`version` and `minimumDappnodeVersion` match the regular expression in the specification.'),
  'version-semver': both('error', '`version` and `minimumDappnodeVersion` are valid semantic versions.'),
  'dependency-name': schema('The key of a dependency is a package name.'),
  'dependency-range': both(
    'error',
    'The value of a dependency is a version, a range, `*`, `latest` or a path `/ipfs/…`.'
  ),
  'content-address': both('error', 'The path `/ipfs/…` of a dependency contains a valid CID.'),
  'backup-path': schema('Paths in `backup` are absolute and contain no `~`.'),
  'port-range': schema('Ports are integers from 1 to 65535.'),
  'update-range': both('error', '`from` and `to` of an update alert are valid semantic version ranges.'),
  timeout: both('error', '`dockerTimeout` is a number of seconds or a duration in timestring format.'),
  'style-value': both('error', 'Members of `style` are valid values of their CSS property.'),

  // references
  'backup-name-twice': both('error', 'Names in `backup` are unique.'),
  'service-unknown': both('error', 'Referenced services exist in the compose file, if there is one.'),
  'library-environment': both('error', 'The compose file of a library defines no environment variables.'),
  'library-depends': both('error', 'A library does not depend on a service.'),

  // dialect `dappnode`
  'chain-object': foreign('`chain` is a string, not an object with driver, service and port.'),
  'chain-unlisted': foreign('`chain` is ethereum, bitcoin or monero.'),
  'category-unlisted': foreign('`categories` contains only categories of the specification.'),
  'global-envs-list': foreign('`globalEnvs` is an object, not an array.'),
  'update-warning': foreign('`warnings` uses `onUpdate`, not `onPatchUpdate`, `onMinorUpdate` or `onMajorUpdate`.'),
  'links-text': foreign('`links` is an object, not a string with the homepage.'),
  'other-type': foreign('Numbers and booleans are not quoted, and strings are.'),
  'dependency-hash': {
    ...both('error', 'A CID in a dependency is prefixed with `/ipfs/`.'),
    dappnode: 'warning',
  },
  'global-envs-service': both('warning', 'Services in the array form of `globalEnvs` exist in the compose file.'),
  'upstream-twice': both(
    'warning',
    '`upstream` is not combined with `upstreamVersion`, `upstreamRepo` or `upstreamArg`.'
  ),
  'optional-name': both('warning', 'The key of an optional dependency is a package name.'),
  'optional-range': both('warning', 'The value of an optional dependency has the same form as that of a dependency.'),
  'dialect-member': {
    ...both('note', 'The member is in the specification, not only supported by DAppNode.'),
    spec: 'warning',
  },

  // recommendations
  'unknown-member': both('warning', 'Members are known.'),
  'short-description-words': both('warning', '`shortDescription` has 6 to 8 words.'),
  'short-description-markdown': both('warning', '`shortDescription` has no Markdown.'),
  'category-count': both('warning', '`categories` has one or two entries.'),
  'category-none': both('note', 'A service has `categories`.'),
  person: both('warning', '`author` and `contributors` have the form name <email> (URL), with name and email.'),
  link: both('warning', 'Links are http(s) URLs or paths; others are ignored.'),
  'style-left-out': both(
    'warning',
    'Values of `style` contain no URLs, no references and at most 300 characters; others are ignored.'
  ),
  'image-address': both('warning', '`avatar` and `image.hash` contain a valid CID.'),
  'backup-name': both('warning', 'Names in `backup` are not paths.'),
  'backup-path-steps': both('warning', 'Paths in `backup` contain no `.` or `..` segments.'),
  'disclaimer-empty': both('warning', 'The disclaimer is not empty.'),
  'depends-on-itself': both('warning', 'A package does not depend on itself.'),
  'timeout-minimum': both('warning', '`minimumDappnodeVersion` is at least 0.2.36 if `dockerTimeout` is used.'),

  // for information
  'timeout-no-minimum': both('note', '`minimumDappnodeVersion` is set if `dockerTimeout` is used.'),
  'person-address': both('note', '`author` and `contributors` include the URL of a profile.'),
  'dependency-latest': both('note', 'A dependency on `latest` matches every release.'),
  'dependency-any': both('note', 'A dependency on `*` matches any version.'),
  'dependency-ipfs': both('note', 'A dependency on a CID is for development only.'),
  'library-dependency': both('note', 'A library has dependencies of unknown type.'),
  'service-default': both('note', 'With several services, backups and exposable services name theirs.'),
  'main-service-default': both('note', 'With several services, `mainService` is set.'),
  'license-spelling': both('note', '`license` is a common SPDX identifier, not a misspelled one.'),
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof RULES;

export const severityOf = (rule: RuleId, dialect: Dialect): Verdict => RULES[rule][dialect];

/** Upper limit of reported findings. */
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

  /** The tree in which paths are looked up. */
  use(tree: Node): void {
    this.#index = new Index(tree);
  }

  /** Adds one finding per rule and member. `title`: a few words; `detail`: what was found and how to fix it. */
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

  /** Whether the member exists, whatever its value. */
  has(path: Path): boolean {
    return this.#index?.find(path) !== undefined;
  }

  lineOf(span: Span): number {
    return this.#lines.at(span.offset).line;
  }

  /** In file order; beyond the limit, the most severe ones. */
  findings(): Finding[] {
    const over = this.#findings.length - MAX_FINDINGS + 1;
    if (over > 1) {
      const title = `${over} more findings`;
      const detail = `At most ${MAX_FINDINGS} findings are reported, errors first. Fix these and validate again.`;
      this.#findings.sort((a, b) => WEIGHT[a.finding.verdict] - WEIGHT[b.finding.verdict] || a.offset - b.offset);
      this.#findings.length = MAX_FINDINGS - 1;
      this.addAt('more-findings', { offset: 0, length: 0 }, title, detail);
    }
    return this.#findings
      .sort((a, b) => a.offset - b.offset || WEIGHT[a.finding.verdict] - WEIGHT[b.finding.verdict])
      .map(({ finding }) => finding);
  }
}
