/**
 * The rules with their severity by authority, listed in docs/package-authors.md.
 */
import type { Verdict } from '../../contract/finding.ts';
import type { Authority } from './authority.ts';

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

export const MANIFEST_RULES = {
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
  // The dots of the regular expression match any character: 01.2.3 and 12345 match.
  'version-semver': { what: '`version` is a valid semantic version.', dappnode: 'error', spec: 'warning' },
  'minimum-semver': both('warning', '`minimumDappnodeVersion` is a valid semantic version.'),
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

/** DAppNode rejects it. */
const refused = (what: string): Rule => ({ what, dappnode: 'error', spec: 'warning' });

/** In the dialects other than `spec`, what DAppNode rejects is an error, or a warning that says so. */
export const YAML_RULES = {
  'yaml-syntax': both('error', 'The file is valid YAML 1.2 or JSON.'),
  'yaml-limit': both('error', 'Size, nesting and aliases are within limits; keys are strings.'),
  'yaml-duplicate': refused('Keys are unique; otherwise the last one applies.'),
  'yaml-documents': refused('The file contains one document; others are ignored.'),
  'more-findings': MANIFEST_RULES['more-findings'],
  'file-shape': both('error', 'The file, its lists and their entries have the expected types.'),
  'file-empty': both('warning', 'A notifications file defines at least one endpoint.'),
  'member-missing': both('warning', 'Members required by DAppNode are present; otherwise the default applies.'),
  'member-type': both('warning', 'Members have the correct type; unambiguous values are converted.'),
  'member-value': both('warning', 'Values have a format that DAppNode accepts.'),
  'member-unknown': both('warning', 'Members are known.'),
  'refused-by-dappnode': both('warning', 'DAppNode’s own schema accepts the value.'),
  'correlation-id-missing': both('error', 'Endpoints have a correlationId.'),
  'correlation-id-format': both(
    'warning',
    'A correlationId consists of at least three letters, a hyphen, and letters, digits and hyphens.'
  ),
  'correlation-id-duplicate': both('error', 'correlationIds are unique in the file.'),
  'conditions-shape': both('error', 'conditions is a list of strings.'),
  'conditions-empty': both('warning', 'conditions has at least one entry.'),
  'conditions-unreachable': both('warning', 'The conditions do not hold for a target that does not respond.'),
  'conditions-several': both('note', 'The threshold is in the first condition only.'),
  'condition-grammar': both('warning', 'Conditions have the form VALUE OPERATOR VALUE, as Gatus parses them.'),
  'condition-read-only': both('warning', 'With a metric, the first condition compares with a number.'),
  'condition-reading': both('warning', 'Gatus evaluates the condition as intended.'),
  'condition-placeholder': both('warning', '[CONDITION_VALUE] is only used with a numeric condition.'),
  'metric-range': both('error', 'min and max are numbers, and min does not exceed max.'),
  'metric-empty': both('warning', 'min and max differ.'),
  'metric-threshold': both('error', 'The metric of a custom endpoint has a numeric threshold.'),
  'metric-spelling': both('warning', 'The threshold is spelled treshold, as DAppNode expects.'),
  'threshold-range': both('warning', 'The threshold is between min and max.'),
  'alerts-count': both('warning', 'Endpoints have exactly one alert.'),
  'link-unsafe': both('warning', 'Links are http(s) URLs or paths; others are ignored.'),
  'services-missing': both('error', 'A compose file defines services.'),
  'service-shape': both('warning', 'Services are mappings, and environment is a mapping or a list.'),
  'compose-version': refused('The version of a compose file is 3.4 or later.'),
  'compose-network': refused('Networks are dncore_network, dnprivate_network or dnpublic_network, and external.'),
  'compose-key': refused('DAppNode allows the key in a service.'),
  'compose-dns': refused('The DNS server is 172.33.1.2, but in core packages.'),
  'compose-pid': refused('pid names a service.'),
  'compose-privileged': refused('Only core packages are privileged or use the network of the host.'),
  'compose-alias': refused('Aliases of core packages are not used by others.'),
  'compose-volume': refused('Volumes have a name that the file defines, without settings; no bind mounts.'),
} as const satisfies Record<string, Rule>;

export const RULES = { ...MANIFEST_RULES, ...YAML_RULES } as const;
export type RuleId = keyof typeof RULES;
export const ruleOf = (rule: RuleId): Rule => RULES[rule];
