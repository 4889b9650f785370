/** The rules for manifests with their severity by authority (listed in docs/manifest-rules.md), and the report that collects findings. */
import type { Node } from 'jsonc-parser';
import type { Finding, Verdict } from '../../../contract/finding.ts';
import type { Authority } from '../authority.ts';
import { Index, type Lines, type Path, pointerOf, type Span } from './document.ts';

/** `off`: not reported. */
export type Severity = Verdict | 'off';

export interface Rule {
  /** The requirement, in a sentence for the docs. */
  what: string;
  dappnode: Severity;
  spec: Severity;
  /** Authority whose published JSON Schema enforces this rule. */
  schema?: 'both' | Authority;
  /** Against a form that DAppNode requires: without a finding in the dialect `any`. */
  wanted?: true;
  /** The severity in the dialect `any`, where it does not follow from the others: an error if Nodebell cannot use the value. */
  any?: Verdict;
}

const both = (verdict: Verdict, what: string): Rule => ({ what, dappnode: verdict, spec: verdict });
const schema = (what: string): Rule => ({ ...both('error', what), schema: 'both' });
/** The specification rejects it, DAppNode accepts it. */
const lenient = (what: string): Rule => ({ what, dappnode: 'warning', spec: 'error' });
/** The form of the specification, which DAppNode rejects or does not define: see docs/decisions/0015-manifests.md. */
const foreign = (what: string): Rule => ({ what, dappnode: 'off', spec: 'error', schema: 'spec', wanted: true });

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
  'version-format': schema(
    '`version`, `minimumDappnodeVersion` and `minimumDockerVersion` match the regular expression in the specification.'
  ),
  'version-semver': both('error', '`version` is a valid semantic version.'),
  'minimum-semver': lenient('`minimumDappnodeVersion` is a valid semantic version.'),
  'dependency-name': { ...lenient('The key of a dependency is a package name.'), schema: 'spec' },
  'dependency-range': lenient('The value of a dependency is a version, a range, `*`, `latest` or a path `/ipfs/…`.'),
  'content-address': lenient('The path `/ipfs/…` of a dependency contains a valid CID.'),
  'backup-path': { ...lenient('Paths in `backup` are absolute and contain no `~`.'), schema: 'spec' },
  'port-range': { ...lenient('Ports are integers from 1 to 65535.'), schema: 'spec' },
  'update-range': lenient('`from` and `to` of an update alert are valid semantic version ranges.'),
  timeout: both('error', '`dockerTimeout` is a number of seconds or a duration.'),
  'timeout-format': lenient('`dockerTimeout` is nothing but a number of seconds or a duration in timestring format.'),
  'style-value': lenient('Members of `style` are valid values of their CSS property.'),

  // references
  'backup-name-twice': { ...lenient('Names in `backup` are unique.'), any: 'error' },
  'service-unknown': lenient('Referenced services exist in the compose file, if there is one.'),
  'library-environment': both('warning', 'The compose file of a library defines no environment variables.'),
  'library-depends': lenient('A library does not depend on a service.'),

  // DAppNode
  'chain-object': foreign('`chain` is a string, not an object with driver, service and port.'),
  // Known values grow with each release of DAppNode: the package is usable, so `any` accepts it.
  'chain-unlisted': { ...schema('`chain` names a supported driver.'), wanted: true, any: 'warning' },
  'category-unlisted': { ...schema('`categories` contains only listed categories.'), wanted: true, any: 'warning' },
  'global-envs-list': foreign('`globalEnvs` is an object, not an array.'),
  'update-warning': foreign('`warnings` uses `onUpdate`, not `onPatchUpdate`, `onMinorUpdate` or `onMajorUpdate`.'),
  'update-warning-unread': {
    ...both('warning', '`onUpdate`, which DAppNode never shows, is not the only warning about updates.'),
    spec: 'off',
    any: 'note',
  },
  'links-text': schema('`links` is an object, not a string with the homepage.'),
  'other-type': { ...lenient('Numbers and booleans are not quoted, and strings are.'), schema: 'spec' },
  'dependency-hash': lenient('A CID in a dependency is prefixed with `/ipfs/`.'),
  'global-envs-service': both('warning', 'Services in the array form of `globalEnvs` exist in the compose file.'),
  'upstream-twice': {
    ...both('error', '`upstream` is not combined with `upstreamVersion`, `upstreamRepo` or `upstreamArg`.'),
    spec: 'warning',
  },
  'optional-name': both('warning', 'The key of an optional dependency is a package name.'),
  'optional-range': both('warning', 'The value of an optional dependency has the same form as that of a dependency.'),
  'dialect-member': {
    ...both('warning', 'The member is in the specification, not only supported by DAppNode.'),
    dappnode: 'off',
    wanted: true,
  },

  // recommendations
  'unknown-member': both('warning', 'Members are known.'),
  'short-description-words': both('warning', '`shortDescription` has 6 to 8 words.'),
  'short-description-markdown': both('warning', '`shortDescription` has no Markdown.'),
  'category-count': both('warning', '`categories` has one or two entries.'),
  'category-none': both('note', 'A service has `categories`.'),
  person: both('warning', '`author` and `contributors` have the form name <email> (URL), with name and email.'),
  link: both('warning', 'Links are URLs or paths; others are ignored.'),
  'style-left-out': both(
    'warning',
    'Values of `style` contain no URLs, no references and at most 300 characters; others are ignored.'
  ),
  'style-cleaned': both('note', 'Values of `style` are used without a semicolon, and empty ones not at all.'),
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

export const ruleOf = (rule: RuleId): Rule => RULES[rule];

/** Upper limit of findings by authority. */
export const MAX_FINDINGS = 1_000;

const WEIGHT = { error: 0, warning: 1, note: 2 } as const;

export class Report {
  readonly authority: Authority;
  readonly #lines: Lines;
  readonly #findings: { finding: Finding; offset: number }[] = [];
  readonly #reported = new Set<string>();
  #index: Index | undefined;

  constructor(authority: Authority, lines: Lines) {
    this.authority = authority;
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
    const verdict = ruleOf(rule)[this.authority];
    if (verdict !== 'off' && !this.#reported.has(once)) {
      this.#reported.add(once);
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
